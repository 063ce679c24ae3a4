"""Turns the size of a memory beside the name of an accelerator into options: `M4 Pro 48GB`."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from formula_eval.core.diagnostic import listed, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import RecordKind
from formula_eval.records.record import RecordFile
from formula_eval.records.roles import Roles, says

SIZE = re.compile(r"\b([1-9]\d*)gi?b\b", re.IGNORECASE)
_SHOWN = 16
_QUANTITY = re.compile(r"([\d.]+) *(\w+)")


def of_memories(
    size: str, host: str, records: Sequence[RecordFile], known: Sequence[RecordFile], roles: Roles
) -> list[str]:
    """The options by which accelerators have a memory of this size, and their computer one of the size `host`.

    Where they share it, the size of the computer's is theirs. Either may be empty.
    """
    shared = [says(record.data, roles.integrated) for record in records]
    said = [(size or (host if is_shared else ""), record) for is_shared, record in zip(shared, records, strict=True)]
    options = [word for text, record in said if text for word in of_memory(text, record, known, roles)]
    return options if all(shared) or not host else [*options, option_of(next(iter(roles.integrated))), host]


def of_memory(size: str, record: RecordFile, known: Iterable[RecordFile], roles: Roles) -> list[str]:
    """The options by which an accelerator has a memory of this size, none where its name has it.

    A computer whose accelerator has the memory to itself is sold in several sizes, the largest of which its name has,
    and of which the accelerator may use the same share. Raises FormulaError for a size that is not that of another one,
    or larger, with those of its generation among the `known` that have so much.
    """
    name = str(record.data.get("name", ""))
    sizes = [match.group() for match in SIZE.finditer(name)]
    if not sizes or size.lower() in map(str.lower, sizes):
        return []
    option = option_of(roles.memory)
    if not says(record.data, roles.integrated):
        message = f"`{size}` is not the memory of `{record.id}`, {name}"
        raise refuse("unknown-word", message, help=f"Leave it out, or say `{option} {size}`.", subject=size)
    said, named = (Fraction(SIZE.fullmatch(text)[1]) for text in (size, sizes[0]))  # type: ignore[index]
    if said > named:
        others = [file.id for file in known if file.id.startswith(f"{record.id}-") and _size_of(file) >= said]
        message = f"`{size}` is more than `{record.id}` is sold with, {name}"
        other = f"Sold with so much or more: {listed(others, most=_SHOWN)}."
        help_ = other if others else f"`{option} {size}` sets it."
        raise refuse("unknown-word", message, help=help_, subject=size)
    capacity = _QUANTITY.fullmatch(str(record.data[roles.memory]))
    return [option, f"{float(said / named * Fraction(capacity[1])):g} {capacity[2]}"] if capacity else []


def _size_of(record: RecordFile) -> Fraction:
    """The size of memory that a name has, 0 without any."""
    found = SIZE.search(str(record.data.get("name", "")))
    return Fraction(found[1] if found else 0)


def only_with_memory(size: str, records: Iterable[RecordFile], roles: Roles, kind: RecordKind) -> str:
    """The one accelerator with a memory of this size, as its maker calls it; raises FormulaError for another number."""
    sizes = ((record.id, SIZE.search(str(record.data.get("name", "")))) for record in records)
    held = [id_ for id_, found in sizes if found is not None and found.group().lower() == size.lower()]
    if len(held) == 1:
        return held[0]
    message = f"`{size}` is a size of memory, and no {kind.word} is named"
    option = f"`{option_of(roles.memory)} {size}` sets it for the default"
    known = f"Name one that has it: {listed(held, most=_SHOWN)}" if held else f"No {kind.word} has it"
    raise refuse("unknown-word", message, help=f"{known}; {option}.", subject=size)
