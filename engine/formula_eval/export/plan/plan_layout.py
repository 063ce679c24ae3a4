"""reports/plan.toml to what a plan looks for and tells, checked for what it names."""

from typing import Any

from formula_eval.analyse.plan.plan import HOURS, PlanColumn, PlanLayout
from formula_eval.analyse.search.search_space import Goal
from formula_eval.core.diagnostic import refuse
from formula_eval.export import layout
from formula_eval.library import Library
from formula_eval.records.schema import Schema

_FILE = "reports/plan.toml"
_KEYS = ("goals", "orders", "where", "still", "then", "layout", "columns", "sheet", "block")


def read_plan_layout(library: Library, purpose: str, schema: Schema) -> PlanLayout:
    """What a plan for a purpose looks for; raises FormulaError where no library says it, or the file is wrong."""
    shown, data = library.last(_FILE)
    if purpose not in data:
        help_ = f"A section [{purpose}] of {_FILE} of a library says what is sought and told."
        raise refuse("bad-report", f"Nothing says what a plan for `{purpose}` is", help=help_)
    section: dict[str, Any] = data[purpose]
    unknown = next((key for key in section if key not in _KEYS), None)
    if unknown is not None or not section.get("goals") or not section.get("columns"):
        what = f"has no key `{unknown}`" if unknown else "needs `goals` and `columns`"
        raise refuse("bad-report", f"{shown}: [{purpose}] {what}", help=f"There are {', '.join(_KEYS)}.")
    layout.check_tables(section["columns"], layout.ENTRY, f"{shown}: one of the `columns`")
    columns = tuple(PlanColumn(**each) for each in section["columns"])
    wrong = next((each.hour for each in columns if each.hour not in HOURS), None)
    if wrong is not None:
        raise refuse("bad-report", f"{shown}: `{wrong}` is no hour", help=f"There are {', '.join(HOURS)}.")
    then = section.get("then", {}).get("minimise")
    names = [
        *section["goals"],
        *section.get("orders", ()),
        *(each.name for each in columns),
        *section.get("still", ()),
        *section.get("layout", ()),
        *([then] if then else []),
    ]
    layout.known_quantities(names, schema, shown)
    return PlanLayout(
        tuple(section["goals"]),
        tuple(section.get("orders", ())),
        tuple(section.get("where", ())),
        tuple(section.get("still", ())),
        Goal(then, is_largest=False) if then else None,
        columns,
        tuple(section.get("layout", ())),
    )
