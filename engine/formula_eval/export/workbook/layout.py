"""reports/workbook.toml to what a workbook shows and in which units: titles of sheets, headlines, charts, sweeps."""

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.schema import Schema
from formula_eval.library import Library
from formula_eval.library import read_toml

FILE = "reports/workbook.toml"
Section = Mapping[str, Any]
_QUANTITIES = ("name", "x", "y", "vary", "peak", "bandwidth", "total", "used", "limit")
_REQUIRED = {
    "headline": ("title", "name"),
    "chart": ("kind", "title"),
    "sweep": ("title", "vary", "values", "outputs", "chart"),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """What the file says."""

    sheets: Mapping[str, str]
    typed: Mapping[str, str]
    shown: Mapping[str, Sequence[str]]
    headlines: Sequence[Section]
    charts: Sequence[Section]
    sweeps: Sequence[Section]

    def quantities(self, schema: Schema) -> list[str]:
        """All quantities that the dashboard and the sweeps would like to show, as far as the library has them."""
        found: dict[str, None] = {}
        for section in (*self.headlines, *self.charts, *self.sweeps):
            found.update(dict.fromkeys(_named(section, schema)))
        return [name for name in found if name in schema.formulas or name in schema.inputs]


def read_layout(library: Library) -> Layout:
    """The layout of the last folder that has one; raises FormulaError if a section lacks what it needs."""
    folder = next(each for each in reversed(library.folders) if (each / FILE).is_file())
    shown = library.shown(folder, folder / FILE)
    data = read_toml(folder / FILE, shown)
    for kind, keys in _REQUIRED.items():
        for section in data.get(kind, ()):
            missing = [key for key in keys if key not in section]
            if missing:
                raise refuse("bad-report", f"{shown}: a `[[{kind}]]` lacks `{missing[0]}`")
    return Layout(
        data.get("sheets", {}),
        data.get("typed", {}),
        data.get("shown", {}),
        data.get("headline", ()),
        data.get("chart", ()),
        data.get("sweep", ()),
    )


def cell_name(table: str, row: str, column: str, at: str, known: Mapping[str, object]) -> str:
    """The cell of a table in the copy for a phase, or the cell itself where the phase makes no difference."""
    name = f"{table}.{row}.{column}"
    return f"{name}@{at}" if at and f"{name}@{at}" in known else name


def _named(section: Section, schema: Schema) -> list[str]:
    found = [str(section[key]) for key in _QUANTITIES if isinstance(section.get(key), str)]
    for value in section.values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                found += _named(part, schema)
    if "table" in section and section["table"] in schema.tables:
        rows = schema.tables[section["table"]][0]
        columns = [section[key] for key in ("times", "time", "flops", "bytes") if key in section]
        for group in section.get("groups", ()):
            found += [cell_name(section["table"], r, c, group["at"], schema.formulas) for r in rows for c in columns]
    return found
