"""Declares the keys that sections of several reports share, and looks up the quantities that they name."""

from collections.abc import Iterable, Mapping
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.records.schema import Schema
from formula_eval.toml_table import table

Section = Mapping[str, Any]
# An entry shows a quantity, or a record by its kind.
ENTRY = table(
    "title:quoting name?:quantity record?:record unit? when?:quantity share_of?:quantity shows?:input "
    "unless_zero?:flag unless_absent?:flag between?:[quantity] listed?:[quantity] unset?:[input] "
    "with?:[input] without?:[input]",
    one_of=("name", "record"),
)
PART = table("title name:quantity")
TITLES = table("*:text")  # of rows, where their names in words are not what people call them
EDGES = "whole:quantity within:quantity used:quantity holds:quantity free? rest? parts:[part] entries?:[entry]"


def row_title(row: str, section: Section) -> str:
    """The title that a section gives a row, or its name in words."""
    return str(section.get("titles", {}).get(row, row.replace("_", " ")))


def known_quantities(names: Iterable[str], schema: Schema, shown: str) -> list[str]:
    """The names, each once; raises FormulaError for one that is neither a quantity nor an input."""
    found = list(dict.fromkeys(names))
    for name in found:
        if name not in schema.formulas and name not in schema.inputs:
            help_ = schema.unread_in_part(name) or nearest(name, [*schema.formulas, *schema.inputs])
            raise refuse("unknown-quantity", f"{shown}: no quantity is named `{name}`", help=help_)
    return found


def in_phase(name: str, phase: str, schema: Schema) -> str:
    """The copy of a quantity for a phase, or itself where the phase makes no difference."""
    copy = f"{name}@{phase}"
    return copy if copy in schema.formulas else name
