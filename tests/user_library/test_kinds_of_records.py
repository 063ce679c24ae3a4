"""A library's own kinds of records: options, lists, files of inputs, facts, and what another record brings along."""

import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click import Context

from formula_eval import FormulaError, Formulas, load
from formula_eval.cli.command import cli, main, verbs
from formula_eval.cli.verb_command import QuestionCommand
from formula_eval.core.option_names import OPTIONS

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parent / "diffusion_library"


def run(*arguments: str, code: int = 0, library: Path = LIBRARY) -> str:
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        assert main([*arguments, *([] if arguments[0] == "check" else ["--library", str(library)])]) == code
    return out.getvalue()


@pytest.fixture(scope="module")
def diffusion() -> Formulas:
    return load(LIBRARY)


@pytest.mark.parametrize("named", ["small", "Tiny", str(LIBRARY / "denoisers" / "small.toml")])
def test_an_option_takes_an_id_an_alias_or_a_path(named: str) -> None:
    assert "216 params" in run("--denoiser", named, "--only", "diffusion.parameters")


def test_a_list_and_a_statement() -> None:
    assert "A larger denoiser" in run("list", "denoisers")
    assert "With guidance" in run("list", "scheduler")
    assert "record denoiser in denoisers/ default small" in run("show", "denoiser")
    assert "--denoiser ID" in run("--help-all")


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({}, "parameters", 216),
        ({"denoiser": "large"}, "image_flops", 2 * 6912 * 50 * 2),
        ({"denoiser": "large", "scheduler": "fast"}, "image_flops", 2 * 6912 * 4),
        ({"draft": "large"}, "draft_flops", 2 * 6912 * 50 * 2),
        ({"draft": "large", "draft.scheduler": "fast"}, "draft_flops", 2 * 6912 * 4),
        ({"draft": "small", "scheduler": "fast"}, "draft_flops", 2 * 216 * 4),
        ({"draft": "small", "steps": 7}, "draft_flops", 2 * 216 * 7),
        ({"hardware": "a100-sxm-80gb", "update_hardware": "h100-sxm"}, "rate", 312e12 * 0.77),
        ({"hardware": "a100-sxm-80gb", "update_hardware": "h100-sxm"}, "update_rate", 989.4e12 * 0.68),
        ({"gpu": "h100-sxm", "update_hardware": "a100-sxm-80gb", "family": "hopper"}, "update_rate", 312e12 * 0.77),
        ({"images.2.height": 3}, "pixels", 96),
    ],
)
def test_records_and_those_that_they_name(diffusion: Formulas, given: dict[str, Any], name: str, value: float) -> None:
    assert diffusion.evaluate(only=f"diffusion.{name}", **given)[f"diffusion.{name}"].value == pytest.approx(value)


def test_a_file_of_inputs_gives_records_and_rows(diffusion: Formulas, tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text(
        'gpu = "h100-sxm"\ndraft = "large"\n[denoiser]\nwidth = 4\n"diffusion.depth" = 1\n'
        "[[images]]\nheight = 10\nwidth_of = 20\n[[images]]\n[diffusion]\nside = 2\n",
        encoding="utf-8",
    )
    result = diffusion.evaluate(only="diffusion.*", inputs=path)
    assert result["diffusion.parameters"].value == 18 * 16
    assert result["diffusion.draft_parameters"].value == 6912
    assert result["diffusion.pixels"].value == 204


def test_only_what_is_asked_is_needed(diffusion: Formulas) -> None:
    assert diffusion.evaluate(only="diffusion.parameters")["diffusion.parameters"].value == 216
    with pytest.raises(FormulaError, match="Which model"):
        diffusion.evaluate(only=["diffusion.parameters", "params.total"])


WRONG = (
    ("[diffusion]\nwidht = 2\ndepth = 3\n", "`diffusion.widht` is not an input of a denoiser"),
    ("width = 2\n", "lacks `diffusion.depth`"),
    ('width = 2\ndepth = 3\nscheduler = "slow"\n', "Unknown scheduler `slow`"),
    ('width = 2\ndepth = 3\nfamily = "hopper"\n', "`family` is not an input of a denoiser"),
    ('width = 2\ndepth = 3\n[facts]\n"diffusion.parameters" = 217\n', "is 216, not the stated 217"),
    (
        'width = 2\ndepth = 3\n[facts]\n"diffusion.paramters" = 217\n',
        "the fact `diffusion.paramters` is no",
    ),
    ('width = 2\ndepth = 3\n[facts]\n"diffusion.image_flops" = "3 s"\n', "is s, but FLOP is needed"),
    ('width = 2\ndepth = 3\n[facts]\n"params.total" = 3\n', "is absent"),
    ("width = 2\ndepth = 3\nfacts = 3\n", "`facts` is not a table"),
)


@pytest.fixture(scope="module")
def said_of_wrong_records(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `check` says of a library with all of these records, one after the other."""
    mine = tmp_path_factory.mktemp("wrong") / "mine"
    shutil.copytree(LIBRARY, mine)
    for number, (text, _) in enumerate(WRONG):
        (mine / "denoisers" / f"wrong-{number}.toml").write_text(text, encoding="utf-8")
    return run("check", str(mine), code=2)


@pytest.mark.parametrize(("number", "says"), [(number, says) for number, (_, says) in enumerate(WRONG)])
def test_check_finds_what_is_wrong_with_a_record(said_of_wrong_records: str, number: int, says: str) -> None:
    assert re.search(rf"wrong-{number}\.toml.*{re.escape(says)}", said_of_wrong_records)


def test_check_finds_a_folder_that_is_not_there(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(LIBRARY, mine)
    (mine / "schedulers.toml").unlink()
    said = run("check", str(mine), code=2)
    assert "There is no `schedulers.toml` for records of the kind `scheduler`" in said


def test_an_unknown_kind_and_record() -> None:
    assert "There is no list of `noisers`" in run("list", "noisers", code=2)
    assert "Unknown denoiser `smal`" in run("--denoiser", "smal", "--only", "diffusion.*", code=2)
    assert "There is no option `--noiser`" in run("--noiser", "x", "--only", "diffusion.*", code=2)


def test_every_option_of_ours_is_known_as_taken() -> None:
    commands = (cli.get_command(Context(cli), verb) for verb in (*verbs(), "evaluate"))
    options = [name for each in commands if isinstance(each, QuestionCommand) for p in each.params for name in p.opts]
    found = {name.removeprefix("--").replace("-", "_") for name in options if name.startswith("--")}
    assert found <= OPTIONS, found - OPTIONS
