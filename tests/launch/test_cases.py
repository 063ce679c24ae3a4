"""What real launch commands and files state, in each form in which people write them."""

from pathlib import Path

import pytest
import tomli

from counted import seen
from formula_eval import FormulaError
from formula_eval.launch.launch_reader import read_launch
from formula_eval.records.launch_reading import Beside
from launch.renderer import forms_of

_BOTH = "which takes a file of these two keys as well"
_EVERY = 3
CASES = [
    each
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for each in tomli.loads(path.read_text())["case"]
]


@pytest.mark.parametrize("case", CASES, ids=[each["id"] for each in CASES])
def test_a_text_states_what_its_source_does(case, formulas, tmp_path):
    evaluator = formulas.evaluator
    for form, text in seen(_some_forms(case)):
        given = text
        if "file" in case or "number" in case:
            path = tmp_path / f"config.{case.get('file', 'sh')}"
            path.write_text(text)
            given = f"{path}#{case['number']}" if "number" in case else str(path)
        if "unread" in case:
            assert case["unread"] in _why_unread(given, evaluator), form
            continue
        launch = read_launch(given, evaluator.library, evaluator.schema, _beside(case))
        assert launch.program == case["program"], form
        assert any(case.get("remark", "") in each for each in ("", *launch.remarks)), form
        stated = {name: launch.stated.get(name) for name in case["expect"]}
        assert stated == case["expect"], form
        assert list(launch.unknown) == case.get("unknown", []), form
        assert not any(name in launch.stated for name in ("", None)), form


def _some_forms(case):
    """The plain form of a case, and every third of the others, which begin elsewhere for the next case."""
    plain, *others = forms_of(case)
    return [plain, *others[CASES.index(case) % _EVERY :: _EVERY]]


def _beside(case):
    """What a reader says beside the text: a model, or values."""
    values = dict(case.get("beside", {}))
    model = values.pop("model", "")
    return Beside({"model": model} if model else {}, values)


def _why_unread(given, evaluator):
    """What is said of a text that cannot be read, or whose it is taken to be."""
    try:
        return f"{read_launch(given, evaluator.library, evaluator.schema).title}, {_BOTH}"
    except FormulaError as error:
        return str(error)


def test_each_case_says_where_it_is_from():
    assert len({each["id"] for each in CASES}) == len(CASES)
    assert all(each["source"] and each["date"] for each in CASES)
