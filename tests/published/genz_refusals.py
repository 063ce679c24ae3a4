"""Cases that GenZ fails to compute: whether we refuse them too."""

import re
from collections.abc import Mapping
from typing import Any

from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import Case
from published.comparison import table_of
from published.genz_givens import UnknownWordError
from published.genz_givens import givens
from published.genz_operators import CALLS
from published.genz_places import NAMESPACE
from published.genz_places import TOOL
from published.genz_places import NotCoveredError
from published.genz_places import flat

REFUSALS: Mapping[str, str] = table_of(TOOL, "refusals")


def refusal(case: Case, evaluator: Evaluator) -> dict[str, Any]:
    """The tool's own message, if we refuse the case for the same reason."""
    error = case["outputs"]["error"]
    check = next((REFUSALS[said] for said in REFUSALS if re.search(said, error["message"])), "")
    if not check:
        raise NotCoveredError(f"failure {error['type']}")
    return dict(flat(error, "error")) if _is_refused(case, check, evaluator) else {}


def _is_refused(case: Case, check: str, evaluator: Evaluator) -> bool:
    try:
        asked = givens(case, evaluator, f"{case['kind']}_call" if f"{case['kind']}_call" in CALLS else "")
    except UnknownWordError:
        return check == "word"
    name = f"{NAMESPACE}.{check}"
    return not evaluator.program([name]).evaluate(asked)[name]
