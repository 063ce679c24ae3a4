"""Turns the size of a memory beside the name of an accelerator into options: `M4 Pro 48GB`."""

import re
from fractions import Fraction

from formula_eval.core.diagnostic import refuse
from formula_eval.core.option_names import option_of
from formula_eval.records.record import RecordFile
from formula_eval.records.roles import Roles, says

SIZE = re.compile(r"\b([1-9]\d*)gi?b\b", re.IGNORECASE)
_QUANTITY = re.compile(r"([\d.]+) *(\w+)")


def of_memory(size: str, record: RecordFile, roles: Roles) -> list[str]:
    """The options by which an accelerator has a memory of this size, none where its name has it.

    A computer whose accelerator has the memory to itself is sold in several sizes, of which the accelerator may use the
    same share. Raises FormulaError for a size that is not that of another one.
    """
    name = str(record.data.get("name", ""))
    sizes = [each.group() for each in SIZE.finditer(name)]
    if not sizes or size.lower() in map(str.lower, sizes):
        return []
    option = option_of(roles.memory)
    if not says(record.data, roles.integrated):
        message = f"`{size}` is not the memory of `{record.id}`, {name}"
        raise refuse("unknown-word", message, help=f"Leave it out, or say `{option} {size}`.", subject=size)
    said, named = (Fraction(SIZE.fullmatch(each)[1]) for each in (size, sizes[0]))  # type: ignore[index]
    capacity = _QUANTITY.fullmatch(str(record.data[roles.memory]))
    return [option, f"{float(said / named * Fraction(capacity[1])):g} {capacity[2]}"] if capacity else []
