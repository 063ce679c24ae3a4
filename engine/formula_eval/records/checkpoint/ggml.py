"""Reads a file of whisper.cpp: the numbers that say the shape of its model, and its tensors, which have no list."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.records.checkpoint.header import Header, Tensor, bad_header, opened
from formula_eval.records.family_named import GGML

_WORD = 4
_MOST_AXES, _LONGEST_NAME, _MOST_TOKENS = 4, 1000, 1_000_000


def read_ggml(path: Path, fields: Mapping[str, Any], types: Mapping[str, Any]) -> tuple[dict[str, int], list[Tensor]]:
    """What a file says of its model, by the ranges of `fields`, and its tensors; raises FormulaError for others."""
    shown = str(path)
    with opened(path, shown) as header:
        if header.left < _WORD or header.take(_WORD) != GGML:
            message = f"`{shown}` is a file of weights of a kind that is not read ({path.suffix})"
            help_ = "Name the model, or its folder with a config.json; of such files those of whisper.cpp are read."
            raise refuse("unreadable", message, help=help_)
        said = {name: int.from_bytes(header.take(_WORD), "little", signed=True) for name in fields}
        odd = next((name for name, (least, most) in fields.items() if not least <= said[name] <= most), None)
        if odd is not None:
            message = f"`{shown}` begins as files of ggml do, but is no Whisper: its {odd} would be {said[odd]:,}"
            help_ = "Older models of ggml begin so too: convert it to GGUF, or name the model's config.json."
            raise refuse("unknown-family", message, help=help_)
        header.skip(_WORD * header.whole(_WORD) * header.whole(_WORD))  # filters from samples to mel bins
        tokens = header.whole(_WORD)
        if tokens > _MOST_TOKENS:
            raise bad_header(shown, f"it would hold {tokens:,} tokens")
        for _ in range(tokens):
            header.skip(header.whole(_WORD))
        return said, list(_tensors(header, types))


def _tensors(header: Header, types: Mapping[str, Any]) -> Iterator[Tensor]:
    """Each tensor stands before its own numbers, and the last one ends the file."""
    while header.left:
        axes, length, kind = (header.whole(_WORD) for _ in range(3))
        if axes > _MOST_AXES or not 0 < length <= _LONGEST_NAME or str(kind) not in types:
            raise bad_header(header.shown, f"a tensor has {axes:,} axes, a name of {length:,} bytes and type {kind:,}")
        shape = tuple(header.whole(_WORD) for _ in range(axes))
        name = header.take(length).decode("utf-8", "replace")
        block, numbers = types[str(kind)], math.prod(shape)
        if (shape[0] if shape else 1) % block["numbers"]:
            raise bad_header(header.shown, f"rows of `{shortened(name)}` are not whole blocks of {block['name']}")
        size = numbers // block["numbers"] * block["bytes"]
        start = header.read
        header.pass_weights(size)
        yield Tensor(name, numbers, start, size, shape[::-1])
