"""Reads reports/structure.toml: the phases, arrows, groups and charts of the picture of the operators."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from formula_eval.ask import layout
from formula_eval.ask.layout import Section, in_phase
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.export.palette import Palette, colours_in, palette_of
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.toml_shape import Key, Several, Table, Text
from formula_eval.toml_table import check_table, keys, table

DIAGRAM_FILE = "reports/structure.toml"
DIAGRAM_COLUMNS = ("count", "flops", "bytes", "time", "bound", "fixed")
_TABLE = table(
    "name:table also?:[table] count:column flops:column bytes:column time:column bound:column fixed:column fixed_bound "
    "titles?:titles",
    titles=layout.TITLES,
)
_LISTS = {
    "phase": table("title says? at total:quantity when?:quantity"),
    "node": table("id title says? time?:quantity bound"),
    "flow": table("arrows:[text] when?:quantity unless?:quantity"),
    "box": table("title times:quantity outside:[text]"),
    "group": table("title colour:colour rows:[text]"),
    "chart": table(
        "title says? column?:drawn whole?column:quantity parts?column:[part] rest? beyond?",
        drawn=Text(words=DIAGRAM_COLUMNS),
        part=table("name:quantity title? group? colour?:colour"),
    ),
}
_BOUNDS = table("*:bound", bound=table("title"))
DIAGRAM = Table(
    {
        **keys(
            "table:table settings?:[quantity] bound?:bounds",
            table=_TABLE,
            bounds=_BOUNDS,
        ),
        **{name: Key(Several(each)) for name, each in _LISTS.items()},
    }
)


@dataclass(frozen=True, slots=True)
class DiagramLayout:
    """The file's tables, how messages name the file, and the colours of everything."""

    shown: str  # the file, as messages name it
    palette: Palette  # what its names of colours mean
    table: Section  # the table of operators, and what its columns are
    settings: Sequence[str]  # quantities whose values stand beneath the title
    bounds: Mapping[str, Section]  # titles in the legend, by what bounds an operator
    phases: Sequence[Section]  # copies of the table, drawn side by side
    nodes: Sequence[Section]  # what takes time but is no row
    flows: Sequence[Section]  # arrows between operators, perhaps only under a flag
    boxes: Sequence[Section]  # frames, each with how often its inside runs
    groups: Sequence[Section]  # rows that the charts count together
    charts: Sequence[Section]  # what is divided among groups or named parts

    @property
    def tables(self) -> Sequence[str]:
        """The tables whose rows are drawn."""
        return [self.table["name"], *self.table.get("also", ())]

    @property
    def flags(self) -> list[str]:
        """The flags that flows depend on, each once."""
        return list(dict.fromkeys(flow[key] for flow in self.flows for key in ("when", "unless") if key in flow))

    def group_of(self, row: str) -> Section:
        """The group that a row counts to."""
        other = {"title": "other", "colour": self.palette.status["other"], "rows": ()}
        return next((group for group in self.groups if row in group["rows"]), other)

    def colour_of(self, group: Section) -> str:
        """The colour of a group; raises FormulaError for one that the palette does not know."""
        return self.palette.colour(group["colour"])

    def cell(self, row: str, column: str, at: str, schema: Schema) -> str:
        """The cell of a row in the copy of the table for a phase."""
        table = next((each for each in self.tables if row in schema.tables[each].rows), self.table["name"])
        return in_phase(f"{table}.{row}.{self.table[column]}", at, schema)

    def time_of(self, node: Section, at: str, schema: Schema) -> str:
        """The quantity that says how long a node of its own takes; empty for a rest."""
        return in_phase(node["time"], at, schema) if "time" in node else ""

    def rows(self, schema: Schema) -> Sequence[str]:
        """The rows of the tables; raises FormulaError if the library has no such table."""
        for name in self.tables:
            if name not in schema.tables:
                help_ = nearest(name, schema.tables)
                raise refuse("bad-report", f"{self.shown}: no table is named `{name}`", help=help_)
        return [row for name in self.tables for row in schema.tables[name].rows]

    def quantities(self, schema: Schema) -> list[str]:
        """All quantities and inputs that the picture shows; raises FormulaError for an unknown one."""
        return layout.known_quantities(self._named(schema), schema, self.shown)

    def _named(self, schema: Schema) -> Iterator[str]:
        yield from self.settings
        for phase in self.phases:
            yield phase["total"]
            for row in self.rows(schema):
                yield from (self.cell(row, column, phase["at"], schema) for column in DIAGRAM_COLUMNS)
            yield from (self.time_of(node, phase["at"], schema) for node in self.nodes if "time" in node)
        yield from self.flags
        yield from (box["times"] for box in self.boxes)
        for chart in self.charts:
            yield from ([chart["whole"]] if "whole" in chart else [])
            yield from (part["name"] for part in chart.get("parts", ()))


def diagram_file(library: Library, purpose: str) -> str:
    """The file of the picture for a purpose: one of its own, or that of all others."""
    own = f"reports/structure/{purpose}.toml"
    return own if library.last(own)[0] else DIAGRAM_FILE


def read_diagram_layout(library: Library, file: str = DIAGRAM_FILE) -> DiagramLayout:
    """The layout of the last folder that has one; raises FormulaError for a missing key."""
    shown, data = library.last(file)
    if not shown:
        raise refuse("bad-report", f"No {file} says what the picture of the operators shows")
    palette = palette_of(library)
    check_table(DIAGRAM, data, shown, {"colour": colours_in({"colours": palette.colours})})
    lists = (data.get(kind, ()) for kind in _LISTS)
    return DiagramLayout(shown, palette, data["table"], data.get("settings", ()), data.get("bound", {}), *lists)
