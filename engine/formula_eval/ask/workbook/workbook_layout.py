"""Reads reports/workbook.toml: the titles, units, headlines, charts, sweeps and scenarios of a workbook."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from formula_eval.ask.layout import TITLES, Section
from formula_eval.core.record_kind import RecordKind
from formula_eval.evaluate.situation import is_there
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.toml_shape import Kinds
from formula_eval.toml_table import check_table, keys, table

_LONGEST_TITLE = 21  # Excel takes 31
_SHEETS = frozenset(
    {
        "inputs",
        "calc",
        "checks",
        "names",
        "outputs",
        "operators",
        "structure",
        "scenarios",
        "sweep",
        "data table",
        "readme",
        "tables",
    }
)
_WHERE = "with?:[input] without?:[input]"
_SHOWN = "title name:quantity unit?:unit between?:[quantity] percent?:flag zero? scale?:number suffix?"
_ENTRY = table(_SHOWN)
_TABLE = "table?shape:table shape? times:column time:column groups?shape:[group]"
_CHARTS = {
    "stack": "parts:[part] limits?:[part] unit?:unit",
    "split": "table?shape:table shape? times?:column time:column groups?shape:[group] share? titles?:titles",
    "roofline": f"{_TABLE} flops:column bytes:column peak:quantity bandwidth:quantity titles?:titles",
}
_ROW = table("title name:quantity")
_GROUP = table("title at? total?:quantity rows?:[row]", row=_ROW)
_CHART = Kinds(
    "chart",
    {kind: keys(f"title {said} {_WHERE}", part=_ROW, group=_GROUP, titles=TITLES) for kind, said in _CHARTS.items()},
)
_EDGE = table("input:input values:[any]")
WORKBOOK = table(
    "counts? first?:[input] sheets?:sheets typed?:typed shown?:shown headline?:[headline] chart?:[chart] "
    "sweep?:[sweep] scenarios?:[scenarios] data_table?:[data_table]",
    sheets=table("*kind:text"),
    typed=table("*:unit"),
    shown=table("*:[unit]"),
    headline=table(f"{_SHOWN} {_WHERE}"),
    chart=_CHART,
    sweep=table(
        "title vary:input values:[any] outputs:[entry] chart:axes",
        entry=_ENTRY,
        axes=table("x:input left:quantity right?:quantity"),
    ),
    scenarios=table(
        f"title says inputs:[option] columns:[column] outputs:[entry] {_WHERE}",
        column=table("title set?:set", set=table("*option:any")),
        entry=_ENTRY,
    ),
    data_table=table(f"title says quantity?:quantity across?:edge down?:edge {_WHERE}", edge=_EDGE),
)


@dataclass(frozen=True, slots=True)
class WorkbookLayout:
    """The tables of reports/workbook.toml."""

    sheets: Mapping[str, str]  # titles of the record sheets, by kind
    typed: Mapping[str, str]  # the unit that inputs are typed in, by dimension
    shown: Mapping[str, Sequence[str]]  # display units, small to large, by dimension
    headlines: Sequence[Section]  # quantities at the top of the dashboard, in order
    charts: Sequence[Section]  # candidates; of each kind the first that fits
    sweeps: Sequence[Section]  # an input over some values, with outputs and chart
    scenarios: Sequence[Section] = ()  # columns of inputs to set, above their outputs
    data_tables: Sequence[Section] = ()  # a quantity over two inputs, with their values
    counts: str = ""  # the column of how often a row runs
    first: Sequence[str] = ()  # inputs on top of their sheet, in this order

    def asked_by(self, given: Collection[str]) -> "WorkbookLayout":
        """The same without the parts whose `with` or `without` does not fit the inputs that were set."""
        headlines, charts, scenarios, data_tables = (
            [each for each in parts if is_there(each, given)]
            for parts in (self.headlines, self.charts, self.scenarios, self.data_tables)
        )
        return replace(self, headlines=headlines, charts=charts, scenarios=scenarios, data_tables=data_tables)

    def record_title(self, kind: RecordKind) -> str:
        """The title of the sheet with the records of a kind, unlike those of all other sheets."""
        title = self.sheets.get(kind.name) or kind.plural.replace("_", " ").capitalize()
        title = title[:_LONGEST_TITLE]
        return f"{title} (records)" if title.lower() in _SHEETS else title


def read_workbook_layout(library: Library, schema: Schema) -> WorkbookLayout:
    """The layout of the last folder that has one; raises FormulaError if a section lacks what it needs."""
    shown, data = library.last("reports/workbook.toml")
    check_table(WORKBOOK, data, shown, schema.vocabulary)
    return WorkbookLayout(
        data.get("sheets", {}),
        data.get("typed", {}),
        data.get("shown", {}),
        data.get("headline", ()),
        data.get("chart", ()),
        data.get("sweep", ()),
        data.get("scenarios", ()),
        data.get("data_table", ()),
        str(data.get("counts", "count")),
        data.get("first", ()),
    )
