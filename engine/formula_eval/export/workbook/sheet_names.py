"""What the sheets that are read back are called, so that reading them needs no writer of workbooks."""

import re

INPUTS, CALC, CHECKS, NAMES = "Inputs", "Calc", "Checks", "Names"
CUSTOM = "Custom"
HEADS = [
    "input",
    "yours",
    "typed in",
    "record says",
    "value",
    "unit",
    "set by",
    "default",
    "allowed",
    "what it is",
    "written in",
]
RECORD_HEADS = ["id", "name"]


def cell_id(text: str) -> str:
    """An id as a lookup can find it: Excel takes `*`, `?` and `~` for patterns."""
    return re.sub(r"[*?~\s]+", "_", text)[:200]
