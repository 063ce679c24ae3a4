"""reports/workbook.toml to what a workbook shows and in which units: titles, headlines, charts, sweeps, scenarios."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formula_eval.core.diagnostic import refuse
from formula_eval.core.record_kind import RecordKind
from formula_eval.export import layout
from formula_eval.export.layout import Section
from formula_eval.library import Library
from formula_eval.records.schema import Schema

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


@dataclass(frozen=True, slots=True)
class WorkbookLayout:
    """What the file says."""

    sheets: Mapping[str, str]
    typed: Mapping[str, str]
    shown: Mapping[str, Sequence[str]]
    headlines: Sequence[Section]
    charts: Sequence[Section]
    sweeps: Sequence[Section]
    scenarios: Sequence[Section] = ()
    data_tables: Sequence[Section] = ()
    counts: str = ""
    first: Sequence[str] = ()

    def record_title(self, kind: RecordKind) -> str:
        """The title of the sheet with the records of a kind, unlike those of all other sheets."""
        title = self.sheets.get(kind.name) or kind.plural.replace("_", " ").capitalize()
        title = title[:_LONGEST_TITLE]
        return f"{title} (records)" if title.lower() in _SHEETS else title


def read_workbook_layout(library: Library, schema: Schema) -> WorkbookLayout:
    """The layout of the last folder that has one; raises FormulaError if a section lacks what it needs."""
    shown, data = library.last("reports/workbook.toml")
    layout.check_lists(data, layout.WORKBOOK, shown)
    for section in data.get("chart", ()):
        known = layout.WORKBOOK_CHARTS
        if section["kind"] not in known:
            help_ = f"Known are {', '.join(known)}."
            raise refuse("bad-report", f"{shown}: `{section['kind']}` is not a kind of chart", help=help_)
        if "shape" in section:
            layout.check_shape_section(section, known, shown)
        else:
            layout.check_keys(section, known[section["kind"]], f"{shown}: a [[chart]] of kind `{section['kind']}`")
    for section in data.get("sweep", ()):
        layout.check_tables(section["outputs"], layout.ENTRY, f"{shown}: one of the `outputs` of a [[sweep]]")
        layout.check_tables([section["chart"]], (), f"{shown}: the `chart` of a [[sweep]]")
    for section in data.get("scenarios", ()):
        layout.check_tables(section["outputs"], layout.ENTRY, f"{shown}: one of the `outputs` of [[scenarios]]")
        layout.check_tables(section["columns"], ("title",), f"{shown}: one of the `columns` of [[scenarios]]")
    for section in data.get("data_table", ()):
        edges = [section[each] for each in ("across", "down") if each in section]
        layout.check_tables(edges, ("input", "values"), f"{shown}: an edge of a [[data_table]]")
        names = [*(each["input"] for each in edges), *([section["quantity"]] if "quantity" in section else [])]
        layout.known_quantities(names, schema, shown)
    grids = [*data.get("sweep", ()), *data.get("scenarios", ())]
    entries = [*data.get("headline", ()), *(each for section in grids for each in section["outputs"])]
    layout.known_quantities((each["name"] for each in entries), schema, shown)
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
