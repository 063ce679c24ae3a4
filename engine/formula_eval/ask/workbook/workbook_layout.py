"""Reads how a workbook looks.

reports/workbook.toml says the titles, units, headlines, charts, sweeps and scenarios, reports/workbook/sheets.toml the
sentences, headings and widths of each sheet.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from formula_eval.ask.layout import TITLES, Section
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.record_kind import RecordKind
from formula_eval.evaluate.situation import is_there
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.toml_shape import Kinds, Place, Several, Shape, Table, Vocabulary
from formula_eval.toml_table import TEXT, Input, Unit, check_table, keys, read_table, shape, table

_LONGEST_TITLE = 21  # Excel takes 31
# Titles of other sheets, in small letters.
_TAKEN = "inputs, calc, checks, names, outputs, operators, structure, scenarios, sweep, data table, readme, tables"
_WHEN = "when?:quantity"
_WHERE = f"with?:[input] without?:[input] {_WHEN}"
_SHOWN = "title name:quantity unit?:unit between?:[quantity] percent?:flag zero? scale?:number suffix?"
_ENTRY = table(f"{_SHOWN} {_WHEN}")
_TABLE = "table?shape:table shape? times:column time:column groups?shape:[group]"
_CHARTS = {
    "stack": "parts:[part] limits?:[part] unit?:unit",
    "split": "table?shape:table shape? times?:column time:column groups?shape:[group] share? titles?:titles",
    "roofline": f"{_TABLE} flops:column bytes:column peak:quantity bandwidth:quantity titles?:titles",
}
_ROW = table(f"title name:quantity {_WHEN}")
_GROUP = table(f"title at? total?:quantity rows?:[row] {_WHEN}", row=_ROW)
_CHART = Kinds(
    "chart",
    {kind: keys(f"title {said} {_WHERE}", part=_ROW, group=_GROUP, titles=TITLES) for kind, said in _CHARTS.items()},
)
_SWEEP = table(
    f"title vary:input values:[any] outputs:[entry] chart:axes {_WHERE}",
    entry=_ENTRY,
    axes=table("x:input left:quantity right?:quantity"),
)
_SCENARIOS = table(
    f"title says inputs:[option] columns:[column] outputs:[entry] {_WHERE}",
    column=table("title set?:set", set=table("*option:any")),
    entry=_ENTRY,
)
_DATA_TABLE = table(
    f"title says quantity?:quantity across?:edge down?:edge {_WHERE}", edge=table("input:input values:[any]")
)


class WorkbookLayout(NamedTuple):
    """The tables of reports/workbook.toml."""

    counts: str = "count"  # the column of how often a row runs
    first: Sequence[Input] = ()  # inputs on top of their sheet, in this order
    sheets: Annotated[Mapping[str, str], table("*kind:text")] = MappingProxyType({})  # titles of record sheets, by kind
    typed: Mapping[str, Unit] = MappingProxyType({})  # the unit that inputs are typed in, by dimension
    shown: Mapping[str, Sequence[Unit]] = MappingProxyType({})  # display units, small to large, by dimension
    headlines: Annotated[Sequence[Section], Several(table(f"{_SHOWN} {_WHERE}")), "headline"] = ()  # on top, in order
    charts: Annotated[Sequence[Section], Several(_CHART), "chart"] = ()  # candidates; of each kind the first that fits
    sweeps: Annotated[Sequence[Section], Several(_SWEEP), "sweep"] = ()  # an input over values, with outputs and chart
    scenarios: Annotated[Sequence[Section], Several(_SCENARIOS)] = ()  # columns of inputs to set, above their outputs
    data_tables: Annotated[Sequence[Section], Several(_DATA_TABLE), "data_table"] = ()  # a quantity over two inputs

    @property
    def flags(self) -> set[str]:
        """The flags on which the presence of its parts and of their entries depends."""
        return set(_flags([*self.headlines, *self.charts, *self.sweeps, *self.scenarios, *self.data_tables]))

    def asked_by(self, given: Collection[str], unmet: Collection[str] = ()) -> "WorkbookLayout":
        """The same without the parts that do not fit the inputs that were set, and without those of unmet flags."""
        kept = (self.headlines, self.charts, self.sweeps, self.scenarios, self.data_tables)
        headlines, charts, sweeps, scenarios, data_tables = (
            [_met(part, unmet) for part in parts if is_there(part, given) and part.get("when") not in unmet]
            for parts in kept
        )
        return self._replace(
            headlines=headlines, charts=charts, sweeps=sweeps, scenarios=scenarios, data_tables=data_tables
        )

    def record_title(self, kind: RecordKind) -> str:
        """The title of the sheet with the records of a kind, unlike those of all other sheets."""
        title = self.sheets.get(kind.name) or kind.plural.replace("_", " ").capitalize()
        title = title[:_LONGEST_TITLE]
        return f"{title} (records)" if title.lower() in _TAKEN.split(", ") else title


def _flags(sections: Sequence[Section]) -> Iterator[str]:
    """Yields the flags of sections, and of the entries in them."""
    for section in sections:
        yield from [section["when"]] if "when" in section else ()
        yield from (flag for entries in section.values() if _has_entries(entries) for flag in _flags(entries))


def _met(section: Section, unmet: Collection[str]) -> Section:
    """A section without the entries of unmet flags."""
    return {
        key: [_met(each, unmet) for each in value if each.get("when") not in unmet] if _has_entries(value) else value
        for key, value in section.items()
    }


def _has_entries(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def read_workbook_layout(library: Library, schema: Schema) -> WorkbookLayout:
    """The layout of the last folder that has one; raises FormulaError if a section lacks what it needs."""
    shown, data = library.last("reports/workbook.toml")
    return read_table(WorkbookLayout, data, shown, schema.vocabulary)


_FILE = "reports/workbook/sheets.toml"
# How many columns a sheet has, and which words it needs.
_SHEETS: Mapping[str, tuple[int, str]] = {
    "inputs": (13, "says about asked further stated rest constant"),
    "outputs": (0, "says without_model checks charts without_charts"),
    "scenarios": (3, "about results formulas"),
    "sweep": (0, "says"),
    "data_table": (1, "chosen written leave inputs quantities"),
    "tables": (0, "says of_kernels without"),
    "structure": (0, "says idle"),
    "calc": (9, "says"),
    "checks": (6, "refuse warn note compared compared_columns"),
    "records": (5, "says"),
    "names": (4, "says of_cells"),
    "sources": (6, "says"),
    "plan": (3, "says planned asked busiest average"),
}


class _Row(Shape):
    """A list with a shape for each place."""

    def __init__(self, *shapes: Shape) -> None:
        """Have these values, in order."""
        self.says, self._shapes = f"[{', '.join(each.says for each in shapes)}]", shapes

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        if not isinstance(value, list) or len(value) != len(self._shapes):
            yield self._unfit(value, key, at)
        else:
            for shape, each in zip(self._shapes, value, strict=True):
                yield from shape.wrong(each, key, at, known)


def _sheet(many: int, words: str) -> Table:
    columns = Several(_Row(TEXT, shape("number")), (many,))
    return Table({**dict.fromkeys(words.split(), shape("text|[text]")), **({"columns": columns} if many else {})})


SHEETS = Table({name: _sheet(*said) for name, said in _SHEETS.items()})


class SheetLook(NamedTuple):
    """The words, headings and widths of a sheet."""

    words: Mapping[str, Any]
    heads: list[str]
    widths: list[float]


def read_sheet_looks(library: Library) -> dict[str, SheetLook]:
    """The looks of the last folder that has them, else ours; raises FormulaError for what is missing."""
    shown, data = library.last_or_ours(_FILE)
    check_table(SHEETS, data, shown, {})
    return {name: _look(data[name]) for name in _SHEETS}


def _look(table: Mapping[str, Any]) -> SheetLook:
    columns = table.get("columns", [])
    return SheetLook(table, [title for title, _ in columns], [float(width) for _, width in columns])
