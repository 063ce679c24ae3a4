"""No answer, document or message repeats a secret of a pasted text; the text without it is read as before."""

from pathlib import Path
from zipfile import ZipFile

import pytest
import tomli

from formula_eval import FormulaError
from formula_eval.cli import main
from formula_eval.core.secrets import MASK, is_secret_name, masked
from formula_eval.launch.launch_reader import read_launch
from formula_eval.launch.tables.program_reader import programs_of

_DATA = tomli.loads((Path(__file__).parent / "secrets.toml").read_text())
_COMMAND = "vllm serve Qwen/Qwen3-8B -tp 2"
_SECRET = "q7Zw.x/y+SECRET=1"
_PLAIN = "q7ZwxySECRET1"
WAYS = [each.replace("CMD", _COMMAND) if "FROM " not in each else each for each in _DATA["ways"]]
_FORMATS = {"markdown": "md", "latex": "tex", "json": "json", "python": "py", "html": "html", "excel": "xlsx"}


def _read(text, formulas):
    return read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)


@pytest.mark.parametrize("way", WAYS)
def test_it_is_masked_and_the_text_is_read_as_before(way, formulas):
    launch = _read(way.replace("@@", _PLAIN), formulas)
    assert _PLAIN not in str(launch)
    assert MASK in launch.text
    again = _read(launch.text, formulas)
    assert again == launch
    assert (again.stated["model"], again.stated["tp"]) == ("qwen3-8b", 2)


@pytest.mark.parametrize("way", [each for each in WAYS if "http" not in each and " one " not in each])
def test_signs_within_a_secret_do_not_end_it(way):
    assert _SECRET[-5:] not in masked(way.replace("@@", _SECRET))


@pytest.mark.parametrize("form", _DATA["forms"])
def test_a_form_tells_it(form, formulas):
    assert masked(f"--served-model-name {form} x") == f"--served-model-name {MASK} x"
    with pytest.raises(FormulaError) as caught:
        _read(f"vllm serve Qwen/Qwen3-8B --tensor-parallel-size {form}", formulas)
    assert form not in str(caught.value)


@pytest.mark.parametrize("text", _DATA["kept"])
def test_what_is_no_secret_stays(text):
    assert masked(text) == text


def test_no_option_of_a_table_that_sets_an_input_is_taken_for_one(formulas):
    programs = programs_of(formulas.evaluator.library)
    names = [name for each in programs.values() for name, option in each.options.items() if option.input]
    assert len(names) > 100
    assert [each for each in names if is_secret_name(f"--{each}")] == []


def test_an_answer_and_its_refusals_are_without_it(capsys):
    text = "\n".join(each.replace("@@", _PLAIN) for each in WAYS[:4]).replace(f"\n{_COMMAND}", "")
    assert main(["--from", f"{text}\n{_COMMAND} --api-key {_PLAIN}"]) == 0
    assert main(["--format", "json", "--from", f"{_COMMAND} --api-key {_PLAIN}"]) == 0
    assert main(["--from", f"{_COMMAND} --api-key {_PLAIN} --tensor-parallel-size 4"]) == 2
    assert main(["--from", f"nothing --api-key {_PLAIN}"]) == 2
    assert main(["--from", f"{_COMMAND} --api-key {_PLAIN}", "--tp", _DATA["forms"][0]]) == 2
    shown = "".join(capsys.readouterr())
    assert MASK in shown
    assert _PLAIN not in shown
    assert _DATA["forms"][0] not in shown


@pytest.mark.parametrize("form", _FORMATS)
def test_no_document_holds_it(form, tmp_path, capsys):
    text = "\n".join([*(f"export A{n}_TOKEN={_PLAIN}" for n in range(3)), f"{_COMMAND} --api-key {_PLAIN}"])
    path = tmp_path / f"x.{_FORMATS[form]}"
    assert main(["export", form, "--from", text, "--only", "params.total", "-o", str(path)]) == 0
    held = _contents(path)
    assert _PLAIN not in held
    assert _PLAIN not in "".join(capsys.readouterr())
    if form != "html":  # which repeats no text
        assert MASK in held


def _contents(path):
    """What a file holds, the members of a workbook among it."""
    if path.suffix != ".xlsx":
        return path.read_text()
    with ZipFile(path) as archive:
        return "\n".join(archive.read(each).decode("utf-8", "replace") for each in archive.namelist())


def test_a_table_of_a_sweep_is_without_it(tmp_path):
    path = tmp_path / "x.csv"
    told = [
        "--from",
        f"{_COMMAND} --api-key {_PLAIN}",
        "--batch",
        "1,2",
        "--only",
        "inference.tpot",
        "-o",
        str(path),
    ]
    assert main(["sweep", *told]) == 0
    assert _PLAIN not in path.read_text()
