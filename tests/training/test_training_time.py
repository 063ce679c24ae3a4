"""Times of training that papers print: ours are within the share that each case allows."""

import tomllib
from pathlib import Path

import pytest

from formula_eval import Formulas

CASES = tomllib.loads((Path(__file__).parent / "time.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['quantity']} {case['source']}"[:100])
def test_a_published_time(formulas: Formulas, case) -> None:
    answer = formulas.evaluate(only=[case["quantity"]], **case["given"])
    assert answer.values[case["quantity"]].value == pytest.approx(case["measured"], rel=case["within"])
