"""The verb `export`: each format, what it refuses, templates of a user's own, and that nothing is half written."""

import json
import os
import re
from pathlib import Path

import pytest

from formula_eval.cli import main
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.escaping import latex_text_of
from formula_eval.export.formats import FORMATS
from formula_eval.export.templates import Ready, filled

pytestmark = pytest.mark.slow

ASKED = ("--model", "llama2-70b", "--tp", "8", "--only", "memory.weights_bytes")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))


def export(*arguments: str) -> int:
    return main(["export", *arguments])


SHOWN = {"latex": "17.24", "markdown": "17.24", "json": "1724", "python": "def memory_weights_bytes("}


@pytest.mark.parametrize("form", SHOWN)
def test_each_format_is_written(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    target = f"out{FORMATS[form].ending}"
    assert export(form, *ASKED, "-o", target) == 0
    assert Path(target).stat().st_size > 1000
    assert target in capsys.readouterr().out
    assert [each.name for each in Path().iterdir()] == [target]
    assert SHOWN[form] in Path(target).read_text(encoding="utf-8")


def test_the_command_within_a_document_makes_it_again() -> None:
    assert (
        export(
            "latex",
            "--model",
            "llama2-70b",
            "--gpu",
            "a100-sxm-80gb",
            "--set",
            "tp=4",
            "--only",
            "memory.*",
            "-o",
            "a.tex",
        )
        == 0
    )
    text = Path("a.tex").read_text(encoding="ascii")
    assert (
        "formula-eval export latex --model llama2-70b --gpu a100-sxm-80gb --tp 4 --only 'memory.*' -o a.tex"
        in re.sub(r"\\allowbreak\{\}", "", text)
    )


def test_json_holds_formulas_values_and_sources() -> None:
    assert export("json", *ASKED, "-o", "a.json") == 0
    data = json.loads(Path("a.json").read_text(encoding="utf-8"))
    assert data["values"]["memory.weights_bytes"]["unit"] == "byte"
    assert data["inputs"]["tp"] == {"value": 8, "unit": "GPU", "origin": "--tp"}
    last = data["formulas"][-1]
    assert last["name"] == "memory.weights_bytes"
    assert last["text"] == "layer_weights_bytes + end_weights_bytes"
    assert last["instances"][0]["value"] == data["values"]["memory.weights_bytes"]["value"]
    assert last["instances"][0]["reads"] == ["memory.layer_weights_bytes", "memory.end_weights_bytes"]
    assert {source["key"] for each in data["formulas"] for source in each["sources"]} == set(data["sources"])


def test_styles_and_defaults() -> None:
    for style in ("symbolic", "substituted"):
        assert export("markdown", *ASKED, "--style", style, "-o", f"{style}.md") == 0
    symbolic, substituted = Path("symbolic.md").read_text(), Path("substituted.md").read_text()
    assert "M_L + M_e" in symbolic
    assert "M_L + M_e" not in substituted
    assert export("markdown", "--model", "llama2-70b", "-o", "default.md") == 0


def test_an_existing_file_is_kept_unless_forced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.md").write_text("mine")
    assert export("markdown", *ASKED, "-o", "a.md") == 2
    assert Path("a.md").read_text() == "mine"
    assert capsys.readouterr().err == "`a.md` exists already\nhelp: Name another file, or replace it with --force.\n"
    assert export("markdown", *ASKED, "-o", "a.md", "--force") == 0
    assert Path("a.md").read_text() != "mine"


def test_a_dangling_link_counts_as_a_file() -> None:
    Path("a.md").symlink_to("nowhere")
    assert export("markdown", *ASKED, "-o", "a.md") == 2


@pytest.mark.parametrize("target", ["missing/a.md", "folder", "x" * 300 + ".md"])
def test_a_target_that_cannot_be_written(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    assert export("markdown", *ASKED, "-o", target, "--force") == 2
    assert capsys.readouterr().err.startswith(f"Cannot write `{target}`: ")
    assert [each.name for each in Path().iterdir()] == ["folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(capsys: pytest.CaptureFixture[str]) -> None:
    Path("locked").mkdir(mode=0o500)
    assert export("markdown", *ASKED, "-o", "locked/a.md") == 2
    assert "permission denied" in capsys.readouterr().err


def template(text: str, form: str = "markdown/paper.md.j2") -> str:
    path = Path("mine") / form
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return "mine"


def test_a_template_of_ones_own() -> None:
    folder = template("{% for each in paper.results %}{{ each.name }} is {{ each.value }}{% endfor %}\n")
    assert export("markdown", *ASKED, "--templates", folder, "-o", "a.md") == 0
    assert Path("a.md").read_text() == "memory.weights\\_bytes is 17.24 GB"


def test_templates_of_a_library_of_ones_own() -> None:
    template("Mine: {{ paper.title }}\n", "reports/markdown/paper.md.j2")
    assert export("markdown", *ASKED, "--library", "mine", "-o", "a.md") == 0
    assert Path("a.md").read_text() == "Mine: Llama 2 70B on NVIDIA H100 SXM5 80GB\n"


def test_a_template_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert export("markdown", *ASKED, "--templates", template("one\n{{ paper.nothing }}\n"), "-o", "a.md") == 2
    told = capsys.readouterr().err
    assert told.startswith("The template mine/markdown/paper.md.j2:2 failed: ")
    assert "has no attribute 'nothing'" in told
    assert [each.name for each in Path().iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one\n\n{% if %}\n", "paper.md.j2:3 failed: "),
        ("{{ 1 / 0 }}", "paper.md.j2:1 failed: division by zero"),
        ("{{ 9 ** 999 }}", "paper.md.j2:1 failed: a power above 100"),
        ("{{ ().__class__.__base__.__subclasses__() }}", "paper.md.j2:1 failed: "),
        ("{{ rows.append(1) }}", "paper.md.j2:1 failed: "),
        ("{% include '../../etc/passwd' %}", "There is no template `../../etc/passwd`"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "paper.md.j2:1 failed: "),
        ("{{ nobody }}", "paper.md.j2:1 failed: 'nobody' is undefined"),
    ],
)
def test_what_a_template_may_not_do(text: str, told: str) -> None:
    folder = Path(template(text))
    with pytest.raises(FormulaError) as caught:
        filled("markdown/paper.md.j2", {"rows": [1]}, str, [folder])
    assert told in str(caught.value)


def test_what_a_template_prints_is_escaped_unless_it_is_ready() -> None:
    folder = Path(
        template("\\VAR{text} \\VAR{maths} \\VAR{text ~ maths}\\BLOCK{if text}!\\BLOCK{endif}", "latex/paper.tex.j2")
    )
    data = {"text": "a_b", "maths": Ready("$x_1$")}
    assert filled("latex/paper.tex.j2", data, latex_text_of, [folder]) == r"a\_b $x_1$ a\_b\$x\_1\$!"


def test_templates_that_are_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert export("latex", *ASKED, "--templates", "nowhere", "-o", "a.tex") == 2
    assert "`nowhere` is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("pdf", "-o", "a"), "'pdf' is not one of"),
        (("latex", "--model", "llama2-70b"), "Missing option '-o'"),
        (("latex", "--model", "llama2-70b", "--only", "memory.weights_byte", "-o", "a"), "memory.weights_bytes"),
        (("latex", "-o", "a"), "Which model?"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(*arguments) == 2
    assert told in capsys.readouterr().err
    assert not list(Path().iterdir())


def test_a_list_of_quantities_of_ones_own() -> None:
    path = Path("mine/reports/export.toml")
    path.parent.mkdir(parents=True)
    path.write_text('[serving]\njson = ["params.total"]\n')
    assert export("json", "--model", "llama2-70b", "--library", "mine", "-o", "a.json") == 0
    assert list(json.loads(Path("a.json").read_text())["values"]) == ["params.total"]
    path.write_text("[serving]\njson = 3\n")
    assert export("json", "--model", "llama2-70b", "--library", "mine", "-o", "b.json") == 2
