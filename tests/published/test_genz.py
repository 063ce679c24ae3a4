"""GenZ at 091bdd0: every output of its golden cases, and of some that its release 0.0.16 ran, operator by operator."""

from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import Case, Tally
from published.genz_cases import answers
from published.genz_places import NotCoveredError, flat, is_label
from published.genz_refusals import needless_refusals

TOOL = "genz"
LEAST_COVERED = 0.95


def test_case(case: Case, evaluator: Evaluator, tally: Tally) -> None:
    """Every output that is a cost, at nine digits, work and bytes to the last; and no refusal of what it computes."""
    tally.cases += 1
    expected = {path: value for path, value in flat(case["outputs"]) if value is not None}
    try:
        found = answers(case, evaluator)
    except NotCoveredError as error:
        tally.left_out[str(error)] += len(expected)
        return
    for path in [path for path in expected if is_label(path)]:
        tally.left_out[f"output {path.rpartition('.')[2]}"] += 1
        del expected[path]
    assert not list(tally.compare(expected, found))
    assert not needless_refusals(case, evaluator)


def test_coverage(tally: Tally) -> None:
    assert tally.cases, "run the whole file: cases are counted as they run"
    assert tally.covered >= LEAST_COVERED
