"""reports/workbook.toml to what a workbook shows and in which units: titles of sheets, headlines, charts, sweeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.library import Library

Section = Mapping[str, Any]
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
    counts: str = ""
    first: Sequence[str] = ()


def read_layout(library: Library) -> Layout:
    """The layout of the last folder that has one; raises FormulaError if a section lacks what it needs."""
    shown, data = library.last("reports/workbook.toml")
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
        str(data.get("counts", "")),
        data.get("first", ()),
    )
