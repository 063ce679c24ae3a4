"""Memory of training that papers print or that can be worked by hand."""

import tomllib
from pathlib import Path

import pytest

from formula_eval import Formulas

CASES = tomllib.loads((Path(__file__).parent / "memory.toml").read_text())["case"]
BYTES = {"byte": 1, "GiB": 2**30}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['quantity']} {case['source']}"[:100])
def test_a_known_value(formulas: Formulas, case) -> None:
    number, _, unit = case["value"].partition(" ")
    half_digit = 0.5 * 10.0 ** -len(number.partition(".")[2])
    answer = formulas.evaluate(only=[case["quantity"]], **case["given"])
    value = answer.values[case["quantity"]].value / BYTES.get(unit, 1)
    assert value == pytest.approx(float(number), rel=0, abs=half_digit)
