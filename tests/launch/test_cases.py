"""What real launch commands and files state, in each form in which people write them."""

from pathlib import Path

import pytest
import tomli

from formula_eval.records.launch.launch_reader import read_launch
from launch.renderer import forms_of

CASES = [
    each
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for each in tomli.loads(path.read_text())["case"]
]


@pytest.mark.parametrize("case", CASES, ids=[each["id"] for each in CASES])
def test_a_text_states_what_its_source_does(case, formulas, tmp_path):
    evaluator = formulas.evaluator
    for form, text in forms_of(case):
        given = text
        if "file" in case:
            path = tmp_path / f"config.{case['file']}"
            path.write_text(text)
            given = str(path)
        launch = read_launch(given, evaluator.library, evaluator.schema)
        assert launch.program.id == case["program"], form
        stated = {name: launch.stated.get(name) for name in case["expect"]}
        assert stated == case["expect"], form
        assert not launch.unknown, form
        assert not any(name in launch.stated for name in ("", None)), form


def test_each_case_says_where_it_is_from():
    assert len({each["id"] for each in CASES}) == len(CASES)
    assert all(each["source"] and each["date"] for each in CASES)
