"""Reads the tensor descriptions from the header of a safetensors file."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.records.checkpoint.header import Header, Tensor, bad_header, opened, refuse_overlaps

_MOST_AXES = 64


def read_safetensors(path: Path, types: Mapping[str, Any]) -> list[Tensor]:
    """The tensors of one file, by the table of `types`; raises FormulaError for a header that contradicts the file."""
    shown = str(path)
    with opened(path, shown) as header:
        entries = _entries(header)
        tensors = [_tensor(name, entry, types, shown) for name, entry in entries.items() if name != "__metadata__"]
        refuse_overlaps(tensors, header.left, shown)
    return tensors


def _entries(header: Header) -> Mapping[str, Any]:
    length = header.whole(8)
    try:
        entries = json.loads(header.take(length), object_pairs_hook=lambda pairs: _unlike(pairs, header.shown))
    except (ValueError, RecursionError) as error:
        raise bad_header(header.shown, "it is not valid JSON") from error
    if not isinstance(entries, dict):
        raise bad_header(header.shown, "it holds no JSON object")
    return entries


def _unlike(pairs: list[tuple[str, Any]], shown: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise bad_header(shown, f"`{shortened(name)}` stands there twice")
        found[name] = value
    return found


def _tensor(name: str, entry: Any, types: Mapping[str, Any], shown: str) -> Tensor:  # noqa: ANN401 - as JSON holds it
    wrong = f"the entry of `{shortened(name)}` "
    if not isinstance(entry, dict):
        raise bad_header(shown, f"{wrong}is not an object")
    dtype, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    if not isinstance(dtype, str) or dtype not in types["bits"]:
        message = f"`{shown}`: `{shortened(name)}` is of the type `{shortened(dtype)}`, which is not known"
        raise refuse("unknown-type", message, help=f"Known are {', '.join(types['bits'])}.")
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2:  # noqa: PLR2004 - begin and end
        raise bad_header(shown, f"{wrong}lacks a shape or its two offsets")
    numbers, (start, end) = math.prod(shape), offsets
    if (end - start) * 8 != numbers * types["bits"][dtype]:
        raise bad_header(shown, f"{wrong}has {end - start:,} bytes, which its shape and type contradict")
    if dtype not in types["floating"]:
        return Tensor(name, 0, start, end - start)
    return Tensor(name, numbers, start, end - start, tuple(shape))


def _are_sizes(value: object) -> TypeGuard[list[int]]:
    return (
        isinstance(value, list)
        and len(value) <= _MOST_AXES
        and all(type(number) is int and 0 <= number < 2**63 for number in value)
    )
