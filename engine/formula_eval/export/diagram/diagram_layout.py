"""reports/structure.toml to what the picture of the operators shows: phases, arrows, groups and charts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library
from formula_eval.records.schema import Schema

Entry = Mapping[str, Any]

_REQUIRED = {
    "phase": ("title", "at", "total"),
    "node": ("id", "title", "bound"),
    "flow": ("arrows",),
    "box": ("title", "times", "outside"),
    "group": ("title", "colour", "rows"),
    "chart": ("title",),
}
COLUMNS = ("count", "flops", "bytes", "time", "bound", "fixed")
_OTHER = {"title": "other", "colour": "#7d8590", "rows": ()}


@dataclass(frozen=True, slots=True)
class StructureLayout:
    """The file's tables, and how messages name the file."""

    shown: str
    table: Entry
    settings: Sequence[str]
    bounds: Mapping[str, Entry]
    phases: Sequence[Entry]
    nodes: Sequence[Entry]
    flows: Sequence[Entry]
    boxes: Sequence[Entry]
    groups: Sequence[Entry]
    charts: Sequence[Entry]

    @property
    def flags(self) -> list[str]:
        """The flags that flows depend on, each once."""
        return list(dict.fromkeys(flow[key] for flow in self.flows for key in ("when", "unless") if key in flow))

    def group_of(self, row: str) -> Entry:
        """The group that a row counts to."""
        return next((group for group in self.groups if row in group["rows"]), _OTHER)

    def cell(self, row: str, column: str, at: str, schema: Schema) -> str:
        """The cell of a row in the copy of the table for a phase."""
        return _at(f"{self.table['name']}.{row}.{self.table[column]}", at, schema)

    def time_of(self, node: Entry, at: str, schema: Schema) -> str:
        """The quantity that says how long a node of its own takes; empty for a rest."""
        return _at(node["time"], at, schema) if "time" in node else ""

    def rows(self, schema: Schema) -> Sequence[str]:
        """The rows of the table; raises FormulaError if the library has no such table."""
        name = self.table["name"]
        if name not in schema.tables:
            raise refuse("bad-report", f"{self.shown}: no table is named `{name}`", help=nearest(name, schema.tables))
        return schema.tables[name].rows

    def quantities(self, schema: Schema) -> list[str]:
        """All quantities and inputs that the picture shows; raises FormulaError for an unknown one."""
        found = dict.fromkeys(self._named(schema))
        for name in found:
            if name not in schema.formulas and name not in schema.inputs:
                help_ = nearest(name, [*schema.formulas, *schema.inputs])
                raise refuse("unknown-quantity", f"{self.shown}: no quantity is named `{name}`", help=help_)
        return list(found)

    def _named(self, schema: Schema) -> Iterator[str]:
        yield from self.settings
        for phase in self.phases:
            yield phase["total"]
            for row in self.rows(schema):
                yield from (self.cell(row, column, phase["at"], schema) for column in COLUMNS)
            yield from (self.time_of(node, phase["at"], schema) for node in self.nodes if "time" in node)
        yield from self.flags
        yield from (box["times"] for box in self.boxes)
        for chart in self.charts:
            yield from ([chart["whole"]] if "whole" in chart else [])
            yield from (part["name"] for part in chart.get("parts", ()))


def read_structure_layout(library: Library) -> StructureLayout:
    """The layout of the last folder that has one; raises FormulaError for a missing key."""
    shown, data = library.last("reports/structure.toml")
    for kind, keys in _REQUIRED.items():
        for entry in data.get(kind, ()):
            _hold(entry, keys, f"{shown}: a [[{kind}]]")
    _hold(data.get("table", {}), ("name", *COLUMNS, "fixed_bound"), f"{shown}: [table]")
    for chart in data.get("chart", ()):
        if "column" not in chart:
            _hold(chart, ("whole", "parts"), f"{shown}: a [[chart]] without `column`")
        elif chart["column"] not in COLUMNS:
            raise refuse("bad-report", f"{shown}: a [[chart]] has no column `{chart['column']}`")
    lists = (data.get(kind, ()) for kind in _REQUIRED)
    return StructureLayout(shown, data["table"], data.get("settings", ()), data.get("bound", {}), *lists)


def _hold(entry: Entry, keys: Sequence[str], what: str) -> None:
    missing = [key for key in keys if key not in entry]
    if missing:
        raise refuse("bad-report", f"{what} lacks `{missing[0]}`")


def _at(name: str, at: str, schema: Schema) -> str:
    """The copy of a quantity for a phase, or itself where the phase makes no difference."""
    copy = f"{name}@{at}"
    return copy if copy in schema.formulas else name
