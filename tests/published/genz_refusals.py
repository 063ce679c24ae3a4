"""Cases that GenZ fails to compute: whether we refuse them too, and no others."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import Case, table_of
from published.genz_givens import UnknownWordError, givens
from published.genz_operators import CALLS
from published.genz_places import NAMESPACE, TOOL, NotCoveredError, flat

REFUSALS: Mapping[str, Sequence[str]] = table_of(TOOL, "refusals")


def refusal(case: Case, evaluator: Evaluator) -> dict[str, Any]:
    """The tool's own message, if we refuse the case for the same reason."""
    error = case["outputs"]["error"]
    checks = next((REFUSALS[said] for said in REFUSALS if re.search(said, error["message"])), ())
    if not checks:
        raise NotCoveredError(f"failure {error['type']}")
    return dict(flat(error, "error")) if _is_refused(case, checks, evaluator) else {}


def _is_refused(case: Case, checks: Sequence[str], evaluator: Evaluator) -> bool:
    try:
        asked = givens(case, evaluator, _call(case))
    except UnknownWordError:
        return "word" in checks
    names = [f"{NAMESPACE}.{check}" for check in checks if check != "word"]
    found = evaluator.program(names).evaluate(asked)
    return not all(found[name] for name in names)


def needless_refusals(case: Case, evaluator: Evaluator) -> list[str]:
    """The checks of ours that refuse a call that the tool computes."""
    call = "verify_call" if case["kind"] == "spec_decode" else _call(case)
    if not call or "error" in case["outputs"]:
        return []
    checks = evaluator.schema.checks
    names = [name for name in checks if name.startswith(f"{NAMESPACE}.") and checks[name].level == "refuse"]
    found = evaluator.program(names).evaluate(givens(case, evaluator, call))
    return [name for name in names if not found[name]]


def _call(case: Case) -> str:
    call = f"{case['kind'].removeprefix('spec_')}_call"
    return call if call in CALLS else ""
