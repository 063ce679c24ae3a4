"""reports/workbook.toml to what a workbook shows and in which units: titles of sheets, headlines, charts, sweeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formula_eval.export import layout
from formula_eval.export.layout import Section
from formula_eval.library import Library


@dataclass(frozen=True, slots=True)
class WorkbookLayout:
    """What the file says."""

    sheets: Mapping[str, str]
    typed: Mapping[str, str]
    shown: Mapping[str, Sequence[str]]
    headlines: Sequence[Section]
    charts: Sequence[Section]
    sweeps: Sequence[Section]
    counts: str = ""
    first: Sequence[str] = ()


def read_workbook_layout(library: Library) -> WorkbookLayout:
    """The layout of the last folder that has one; raises FormulaError if a section lacks what it needs."""
    shown, data = library.last("reports/workbook.toml")
    for kind, keys in layout.WORKBOOK.items():
        for section in data.get(kind, ()):
            layout.check_keys(section, keys, f"{shown}: a `[[{kind}]]`")
    return WorkbookLayout(
        data.get("sheets", {}),
        data.get("typed", {}),
        data.get("shown", {}),
        data.get("headline", ()),
        data.get("chart", ()),
        data.get("sweep", ()),
        str(data.get("counts", "")),
        data.get("first", ()),
    )
