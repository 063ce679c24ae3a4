"""reports/plan.toml to what a plan looks for and tells, checked for what it names."""

from typing import Any

from formula_eval.analyse.plan.plan import HOURS, Load, PlanColumn, PlanLayout
from formula_eval.analyse.plan.solved_input import SolvedInput
from formula_eval.analyse.search.search_space import Goal
from formula_eval.core.diagnostic import refuse
from formula_eval.export import layout
from formula_eval.library import Library
from formula_eval.records.schema import Schema

PLAN_FILE = "reports/plan.toml"
_KEYS = (
    "goals",
    "orders",
    "where",
    "still",
    "then",
    "layout",
    "load",
    "solved",
    "named_by",
    "columns",
    "sheet",
    "block",
    "page",
)


def read_plan_layout(library: Library, purpose: str, schema: Schema) -> PlanLayout:
    """What a plan for a purpose looks for; raises FormulaError where no library says it, or the file is wrong."""
    shown, data = library.last(PLAN_FILE)
    if purpose not in data:
        help_ = f"A section [{purpose}] of {PLAN_FILE} of a library says what is sought and told."
        raise refuse("bad-report", f"Nothing says what a plan for `{purpose}` is", help=help_)
    section: dict[str, Any] = data[purpose]
    unknown = next((key for key in section if key not in _KEYS), None)
    if unknown is not None or not section.get("goals") or not section.get("columns"):
        what = f"has no key `{unknown}`" if unknown else "needs `goals` and `columns`"
        raise refuse("bad-report", f"{shown}: [{purpose}] {what}", help=f"There are {', '.join(_KEYS)}.")
    columns = read_plan_rows(section["columns"], f"{shown}: one of the `columns`")
    load = _load(section.get("load"), f"{shown}: [{purpose}.load]")
    solved = _solved(section.get("solved"), f"{shown}: [{purpose}.solved]")
    then = section.get("then", {}).get("minimise")
    names = [
        *section["goals"],
        *section.get("orders", ()),
        *(each.name for each in columns),
        *section.get("still", ()),
        *section.get("layout", ()),
        *([then] if then else []),
        *(load or ()),
        *(
            (solved.input, solved.most, solved.goal, *(name for group in solved.bounded_by for name in group))
            if solved
            else ()
        ),
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
        load,
        solved,
        section.get("named_by", ""),
    )


def read_plan_rows(tables: Any, named: str) -> tuple[PlanColumn, ...]:  # noqa: ANN401 - as the file holds them
    """Quantities with their titles, units and hours; raises FormulaError for a key or an hour that there is not."""
    layout.check_tables(tables, layout.ENTRY, named)
    for each in tables:
        layout.check_known_keys(each, PlanColumn._fields, named)
    rows = tuple(PlanColumn(**each) for each in tables)
    wrong = next((each.hour for each in rows if each.hour not in HOURS), None)
    if wrong is not None:
        raise refuse("bad-report", f"{named} is at `{wrong}`, which is not an hour", help=f"Hours: {', '.join(HOURS)}.")
    return rows


def _load(section: dict[str, str] | None, named: str) -> Load | None:
    if section is None:
        return None
    layout.check_keys(section, Load._fields, named)
    layout.check_known_keys(section, Load._fields, named)
    return Load(**section)


def _solved(section: dict[str, Any] | None, named: str) -> SolvedInput | None:
    if section is None:
        return None
    layout.check_keys(section, SolvedInput._fields, named)
    layout.check_known_keys(section, SolvedInput._fields, named)
    return SolvedInput(**section)
