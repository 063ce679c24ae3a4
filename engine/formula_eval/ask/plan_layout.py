"""Reads reports/plan.toml: the goals of a plan, and the rows of its documents."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from formula_eval.analyse.plan.demand import (
    AVERAGE,
    BUSIEST,
    PlanColumn,
    PlanLayout,
    RecordRow,
    SentencePart,
    case_columns,
)
from formula_eval.core.diagnostic import Diagnostic, FormulaError, nearest, refuse
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.toml_shape import Key, Several, Table, Text
from formula_eval.toml_table import Input, Kind, check_table, table_of

_FILE = "reports/plan.toml"
INPUT, FOUND, FORMULA = KINDS = ("input", "plan", "formula")
ASKED = "asked"  # what holds for all alternatives, which no report needs to say: the fields of the page


class SheetWords(NamedTuple):
    """The title of a plan in documents, the sentences beneath it, and rows of sources.

    Behind the title stands the name of the record of the kind `of`; `asks` is what was asked for, without parts that
    quote what has no value.
    """

    title: str
    says: Sequence[str]
    sources: Sequence[RecordRow] = ()
    of: Kind = ""
    asks: Sequence[SentencePart] = ()


class RowBlock(NamedTuple):
    """Rows beneath a title: cells to type in, what the plan found, or formulas that read other cells.

    With `each_case` these rows stand there for each case; cells to type in only where the case takes other replicas.
    """

    title: str
    kind: Annotated[str, Text(words=KINDS)]
    rows: Sequence[PlanColumn]
    each_case: bool = False


class PlanChart(NamedTuple):
    """Quantities of each alternative beside each other, and the input that none of them should exceed."""

    title: str
    rows: Sequence[PlanColumn]
    target: Input = ""


class PageWords(NamedTuple):
    """The sentences of the page, the title of what a plan tells, inputs with a field, and charts."""

    says: Sequence[str]  # what a reader can do on the page
    rows: str  # the title above the plan's own columns
    fields: Sequence[PlanColumn]  # inputs to change for all alternatives at once
    percentiles: Sequence[PlanChart] = ()  # charts of latencies, each against its target
    bars: Sequence[PlanChart] = ()  # charts of costs and counts, without a target


_PARTS = {"sheet": table_of(SheetWords), "block": Several(table_of(RowBlock)), "page": table_of(PageWords)}
_SECTION = Table({**table_of(PlanLayout).keys, **{name: Key(shape) for name, shape in _PARTS.items()}})
PLANS = Table({}, others=_SECTION)


def unknown_hours(library: Library, schema: Schema) -> Iterator[Diagnostic]:  # noqa: ARG001 - as checks of tables are called
    """Yields each row that tells of an hour of which its plan knows nothing."""
    shown, data = library.last(_FILE)
    for purpose, section in data.items():
        yield from _unknown_hours(shown, purpose, section)


def _unknown_hours(shown: str, purpose: str, section: Mapping[str, Any]) -> Iterator[Diagnostic]:
    cases = section.get("cases", {}).get("cases", ())
    known = [BUSIEST, AVERAGE, *(case["name"] for case in cases)]
    for hour in _hours_said(section):
        if hour not in known:
            help_ = nearest(hour, known) or f"Known are {', '.join(known)}."
            message = f"{shown}: `hour` of [{purpose}]: `{hour}` is not known"
            yield Diagnostic("bad-value", message, (), help_, hour, file=shown)


def _hours_said(data: object) -> Iterator[str]:
    if isinstance(data, Mapping):
        yield from ([data["hour"]] if "hour" in data else ())
        data = [*data.values()]
    for each in data if isinstance(data, list | tuple) else ():
        yield from _hours_said(each)


def plan_for(library: Library, purpose: str, given: Mapping[str, object]) -> str:
    """The section of a purpose: the first whose `stated` input is given above 0, else the one of that name."""
    _, data = library.last(_FILE)
    sections = ((name, each) for name, each in data.items() if isinstance(each, Mapping) and each.get("stated"))
    asked = (name for name, each in sections if each.get("purpose") == purpose and any(map(given.get, each["stated"])))
    return next(asked, purpose)


def amount_for(library: Library, purpose: str, given: Mapping[str, object]) -> tuple[str, str]:
    """The input that says how much there is to do and the quantity that it is where nobody gives it; else nothing."""
    _, data = library.last(_FILE)
    sections = (each for each in data.values() if isinstance(each, Mapping) and each.get("purpose") == purpose)
    for each in (one for one in sections if "amount" in one and not any(map(given.get, one["stated"]))):
        if any(map(given.get, each.get("amount_with", ()))):
            return each["stated"][0], each["amount"]
    return "", ""


def read_plan_layout(library: Library, purpose: str, schema: Schema) -> PlanLayout:
    """What a plan for a purpose looks for; raises FormulaError where no library says it, or the file is wrong."""
    section = plan_section(library, purpose, schema, "a plan for `{}` is")
    own = table_of(PlanLayout)
    layout: PlanLayout = own.made({key: value for key, value in section.items() if key in own.keys})
    return layout._replace(columns=[*layout.columns, *case_columns(layout.cases.columns, layout.cases.cases)])


def plan_section(library: Library, purpose: str, schema: Schema, what: str, *parts: str) -> Mapping[str, Any]:
    """The section of a purpose with all its parts, read; raises FormulaError without these: nothing says `what`."""
    shown, data = library.last(_FILE)
    section = data.get(purpose, {})
    if not isinstance(section, Mapping) or not section or not all(section.get(part) for part in parts):
        places = ", ".join(f"[{purpose}.{part}]" for part in parts) or f"[{purpose}]"
        help_ = f"{places} of {_FILE} of a library says it."
        if not section and not parts:
            instead = "Ask without `plan`, or let `formula-eval search` find the best of several accelerators."
            raise refuse(
                "bad-report",
                f"There is no plan for `{purpose}`",
                help=f"{instead} A library of yours that plans it says so in {places} of {_FILE}.",
            )
        raise refuse("bad-report", f"Nothing says what {what.format(purpose)}", help=help_)
    check_table(_SECTION, section, shown, schema.vocabulary, purpose)
    wrong = next(_unknown_hours(shown, purpose, section), None)
    if wrong is not None:
        raise FormulaError(wrong)
    return {**section, **{part: shape.made(section[part]) for part, shape in _PARTS.items() if part in section}}
