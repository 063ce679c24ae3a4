"""A file of reports/ to its tables, checked for the keys that they need; which these are stands here as data.

What a key means stands with the layout that reads it: `terminal/answer_layout`, `html/page_layout`,
`diagram/diagram_layout`, `workbook/workbook_layout`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.records.schema import Schema

Section = Mapping[str, Any]
Required = Mapping[str, Sequence[str]]

# reports/answers/*.toml: sections by their `kind`; ways that every section `next` tries.
_WAY = ("title", "fits", "try")
ANSWER_LISTS: Required = {"section": ("kind",), "way": _WAY}
ANSWER: Required = {
    "assumed": ("title", "entries"),
    "values": ("title", "entries"),
    "bar": ("title", "whole", "within", "used", "holds", "free", "parts"),
    "split": ("title", "whole", "parts"),
    "table": ("title", "table", "columns", "counts"),
    "operators": ("title", "table", "times", "time", "bound", "fixed", "fixed_word", "groups"),
    "targets": ("title", "limit", "columns", "met", "missed", "rows", "largest", "largest_title", "none_title"),
    "nearest": ("title", "runs", "entries", "by", "furthest", "predicted", "alike"),
    "checks": ("title",),
    "next": ("title", "holds", "gain", "entries", "ways", "at_least", "found", "faster", "times", "none"),
    "command": ("title",),
}
# The entries of a section: a quantity, or a record by its kind.
ENTRY = ("title", "name")
RECORD_ENTRY = ("title", "record")
ENTRY_KEYS = (
    *ENTRY,
    "record",
    "unit",
    "when",
    "share_of",
    "shows",
    "unless_zero",
    "unless_absent",
    "between",
    "listed",
    "unset",
    "without",
)
# reports/help.toml: lists of tables by their name.
HELP_LISTS: Required = {"example": ("line",), "group": ("title", "options")}
HELP_OPTION = ("names", "says")
# reports/page.toml: sections by their `kind`.
PAGE_LISTS: Required = {"section": ("kind",), "control": ("input",)}
PAGE: Required = {
    "cards": ("entries",),
    "stack": ("whole", "within", "used", "holds", "parts"),
    "times": ("groups",),
    "roofline": ("table", "times", "time", "flops", "bytes", "bound", "bandwidth", "peaks", "groups"),
    "structure": ("groups", "fixed_word", "rest_word"),
    "curves": ("groups",),
    "scenarios": (),
    "sweep": ("quantities", "along", "limits"),
    "sensitivity": ("quantities",),
    "operators": ("table", "times", "time", "bound", "columns", "groups"),
    "table": ("table", "columns"),
    "checks": (),
    "listing": (),
}
# reports/structure.toml: lists of tables by their name, but for the one [table].
DIAGRAM: Required = {
    "phase": ("title", "at", "total"),
    "node": ("id", "title", "bound"),
    "flow": ("arrows",),
    "box": ("title", "times", "outside"),
    "group": ("title", "colour", "rows"),
    "chart": ("title",),
}
DIAGRAM_COLUMNS = ("count", "flops", "bytes", "time", "bound", "fixed")
DIAGRAM_TABLE = ("name", *DIAGRAM_COLUMNS, "fixed_bound")
# reports/workbook.toml: lists of tables by their name.
WORKBOOK_CHARTS: Required = {
    "stack": ("parts",),
    "split": ("table", "time", "groups"),
    "roofline": ("table", "times", "flops", "bytes", "time", "peak", "bandwidth", "groups"),
}
WORKBOOK: Required = {
    "headline": ("title", "name"),
    "chart": ("kind", "title"),
    "sweep": ("title", "vary", "values", "outputs", "chart"),
    "scenarios": ("title", "says", "inputs", "columns", "outputs"),
    "data_table": ("title", "says"),
}


# What each of the lists in a section needs of its entries, by the kind of section.
_PARTS: Mapping[str, Required] = {
    "bar": {"parts": ENTRY},
    "split": {"parts": ENTRY},
    "stack": {"parts": ENTRY},
    "cards": {"entries": ENTRY},
    "roofline": {"peaks": ENTRY, "groups": ("title", "at")},
    "times": {"groups": ("title", "total")},
    "operators": {"groups": ("title",)},
    "targets": {
        "columns": ("title",),
        "rows": ("title", "values"),
        "largest": ("vary", "holds", "values"),
    },
    "nearest": {"by": ("title", "weight")},
    "next": {"entries": ENTRY, "ways": _WAY},
    "curves": {"groups": ("title", "vary", "stops", "charts")},
    "sweep": {"quantities": ("name",), "along": ("input",), "limits": ENTRY},
    "sensitivity": {"quantities": ("name",)},
}
_TABLE_COLUMN = ("title", "column")
# What a section of a shape has once it is one of a table.
_MADE = ("table", "groups")


def check_lists(data: Section, lists: Required, shown: str) -> None:
    """Raise FormulaError if one of the lists of tables of a file is none, or one of its tables lacks a key."""
    for name, keys in lists.items():
        check_tables(data.get(name, ()), keys, f"{shown}: a [[{name}]]")


def check_tables(tables: object, keys: Iterable[str], named: str) -> None:
    """Raise FormulaError if these are not a list of tables, or one of them lacks a key."""
    if not isinstance(tables, list | tuple) or not all(isinstance(each, Mapping) for each in tables):
        raise refuse(
            "bad-report", f"{named} is not a table", help="Write `[[name]]`, or `{ key = value }` within a list."
        )
    for each in tables:
        check_keys(each, keys, named)


def check_shape_section(section: Section, kinds: Required, shown: str) -> None:
    """Raise FormulaError if a section for all tables of a shape lacks what it says itself, rather than each table."""
    kind = section.get("kind")
    keys = (key for key in kinds.get(str(kind), ()) if key not in ("table", "groups"))
    check_keys(section, keys, f"{shown}: a section of kind `{kind}`")


def check_section(section: Section, kinds: Required, shown: str) -> None:
    """Raise FormulaError if a section of a file is of no known kind, or lacks what its kind needs."""
    kind: Any = section.get("kind")
    if kind not in kinds:
        raise refuse("bad-report", f"{shown}: `{kind}` is not a kind of section", help=f"Known are {', '.join(kinds)}.")
    check_keys(section, kinds[kind], f"{shown}: a section of kind `{kind}`")
    for part, keys in _PARTS.get(kind, {}).items():
        check_tables(section.get(part, ()), keys, f"{shown}: one of the `{part}` of a section of kind `{kind}`")
    if kinds is ANSWER and kind == "table":
        check_tables(section["columns"], _TABLE_COLUMN, f"{shown}: one of the `columns` of a section of kind `table`")
    check_tables(section.get("entries", ()), (), f"{shown}: one of the `entries` of a section of kind `{kind}`")
    for entry in section.get("entries", ()):
        named = f"{shown}: an entry of kind `{kind}`"
        check_keys(entry, RECORD_ENTRY if "record" in entry else ENTRY, named)
        check_known_keys(entry, ENTRY_KEYS, named)


def check_keys(table: Section, keys: Iterable[str], named: str) -> None:
    """Raise FormulaError for the first key that a table lacks."""
    held = {*table, *(_MADE if "shape" in table else ())}
    missing = next((key for key in keys if key not in held), None)
    if missing is not None:
        written = ", ".join(f"`{key}`" for key in table)
        raise refuse("bad-report", f"{named} lacks `{missing}`", help=f"It has {written}." if table else "")


def check_known_keys(table: Section, known: Sequence[str], named: str) -> None:
    """Raise FormulaError for the first key of a table that nothing reads."""
    unknown = next((key for key in table if key not in known), None)
    if unknown is not None:
        help_ = nearest(unknown, known) or f"There are {', '.join(known)}."
        raise refuse("bad-report", f"{named} has no key `{unknown}`", help=help_)


def known_quantities(names: Iterable[str], schema: Schema, shown: str) -> list[str]:
    """The names, each once; raises FormulaError for one that is neither a quantity nor an input."""
    found = list(dict.fromkeys(names))
    for name in found:
        if name not in schema.formulas and name not in schema.inputs:
            help_ = nearest(name, [*schema.formulas, *schema.inputs])
            raise refuse("unknown-quantity", f"{shown}: no quantity is named `{name}`", help=help_)
    return found


def in_phase(name: str, phase: str, schema: Schema) -> str:
    """The copy of a quantity for a phase, or itself where the phase makes no difference."""
    copy = f"{name}@{phase}"
    return copy if copy in schema.formulas else name
