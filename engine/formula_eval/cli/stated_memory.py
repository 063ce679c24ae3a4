"""Turns the size of a memory beside the name of an accelerator into options: `M4 Pro 48GB`."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import RecordKind
from formula_eval.records.record import RecordFile
from formula_eval.records.roles import Roles, says

SIZE = re.compile(r"\b([1-9]\d*)gi?b\b", re.IGNORECASE)
_SHOWN = 16
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


def with_memory(size: str, records: Iterable[RecordFile]) -> list[str]:
    """The accelerators of which one has a memory of this size, as their makers call it: those of `24GB`."""
    sizes = ((each.id, SIZE.search(str(each.data.get("name", "")))) for each in records)
    return [id_ for id_, found in sizes if found is not None and found.group().lower() == size.lower()]


def none_named(size: str, held: Sequence[str], roles: Roles, kind: RecordKind) -> FormulaError:
    """The error for a size of a memory where no accelerator is named, which several have or none."""
    message = f"`{size}` is a size of memory, and no {kind.word} is named"
    option = f"`{option_of(roles.memory)} {size}` sets it for the default"
    those = ", ".join(f"`{each}`" for each in held[:_SHOWN])
    more = f" and {len(held) - _SHOWN} more" if len(held) > _SHOWN else ""
    help_ = (
        f"Name one: {those}{more} {'have' if len(held) > 1 else 'has'} it; {option}."
        if held
        else f"No one of {plural(kind.word)} has it; {option}."
    )
    return refuse("unknown-word", message, help=help_, subject=size)
