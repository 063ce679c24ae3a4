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

# reports/answers/*.toml: sections by their `kind`.
ANSWER: Required = {
    "values": ("title", "entries"),
    "bar": ("title", "whole", "within", "used", "holds", "free", "parts"),
    "split": ("title", "whole", "parts"),
    "table": ("title", "table", "columns", "counts"),
    "operators": ("title", "table", "times", "time", "bound", "fixed", "fixed_word", "groups"),
    "checks": ("title",),
    "next": ("title", "holds", "raise", "grow", "most", "gain", "found", "none", "room"),
}
# The entries of a section: a quantity, or a record by its kind.
ENTRY = ("title", "name")
RECORD_ENTRY = ("title", "record")
ENTRY_KEYS = (*ENTRY, "record", "unit", "when", "share_of", "option", "unless_zero")
# reports/page.toml: sections by their `kind`.
PAGE: Required = {
    "cards": ("entries",),
    "stack": ("whole", "within", "used", "holds", "parts"),
    "times": ("groups",),
    "roofline": ("table", "times", "time", "flops", "bytes", "bound", "bandwidth", "peaks", "groups"),
    "structure": ("groups", "fixed_word", "rest_word"),
    "operators": ("table", "times", "time", "bound", "columns", "groups"),
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
WORKBOOK: Required = {
    "headline": ("title", "name"),
    "chart": ("kind", "title"),
    "sweep": ("title", "vary", "values", "outputs", "chart"),
}


def check_section(section: Section, kinds: Required, shown: str) -> None:
    """Raise FormulaError if a section of a file is of no known kind, or lacks what its kind needs."""
    kind: Any = section.get("kind")
    if kind not in kinds:
        raise refuse("bad-report", f"{shown}: `{kind}` is no kind of section", help=f"Known are {', '.join(kinds)}.")
    check_keys(section, kinds[kind], f"{shown}: a section of kind `{kind}`")
    for entry in section.get("entries", ()):
        named = f"{shown}: an entry of kind `{kind}`"
        check_keys(entry, RECORD_ENTRY if "record" in entry else ENTRY, named)
        unknown = next((key for key in entry if key not in ENTRY_KEYS), None)
        if unknown is not None:
            raise refuse("bad-report", f"{named} has no key `{unknown}`", help=nearest(unknown, ENTRY_KEYS))


def check_keys(table: Section, keys: Iterable[str], named: str) -> None:
    """Raise FormulaError for the first key that a table lacks."""
    missing = next((key for key in keys if key not in table), None)
    if missing is not None:
        raise refuse("bad-report", f"{named} lacks `{missing}`")


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
