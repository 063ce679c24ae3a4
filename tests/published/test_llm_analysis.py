"""llm-analysis at d841e40: every output of its golden cases."""

import re

import pytest

from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import Case, Tally
from published.llm_analysis_cases import OUTPUTS, answers, outputs, quantity

TOOL = "llm_analysis"
LEAST_COVERED = 0.95


def test_case(case: Case, evaluator: Evaluator, tally: Tally) -> None:
    """Every output, and every value on the way to them that the case states."""
    tally.cases += 1
    if case["kind"] not in OUTPUTS:
        tally.leave_out(case, case["kind"])
        pytest.skip(f"cases of the kind {case['kind']} are not answered")
    found = answers(case, outputs(case["kind"], OUTPUTS), evaluator)
    assert not list(tally.compare(case["outputs"], found))
    steps = answers(case, outputs(case["kind"], OUTPUTS["steps"]), evaluator)
    assert not list(Tally(tally.tool).compare(case.get("internals", {}), steps))


def test_coverage(tally: Tally) -> None:
    assert tally.covered >= LEAST_COVERED


def test_methods(evaluator: Evaluator) -> None:
    """Every method that the README names has its formula."""
    text = (evaluator.library.folders[0] / "formulas/published/llm_analysis/README.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    places = [place for row in rows for place in re.findall(r"`([\w.]+)`", row[2])]
    known = {*evaluator.schema.formulas, *evaluator.resolved.scope.symbols}
    assert places
    assert not [place for place in places if quantity(place.replace("PASS", "prefill")) not in known]
