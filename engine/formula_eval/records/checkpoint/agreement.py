"""Checks the tensors of a checkpoint against its config: missing layers and tensors, widths that differ."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.records.checkpoint.tensor import Tensor

_WORTH_MISSING = 0.01  # of a layer's bytes: less is a bias or a norm that the first layer of some models lacks
_NAMED = 4


class HeldLayers:
    """The tensors of each numbered layer, by their names without the number."""

    def __init__(self, pattern: str) -> None:
        """Find the number of a layer in a name by the first group of a pattern."""
        self._pattern = re.compile(pattern)
        self._held: dict[int, dict[str, Tensor]] = {}

    def add(self, tensor: Tensor) -> None:
        """See a tensor; one that is of no layer is left out."""
        found = self._pattern.search(tensor.name)
        if found is not None:
            kind = f"{tensor.name[: found.start(1)]}N{tensor.name[found.end(1) :]}"
            self._held.setdefault(int(found[1]), {})[kind] = tensor

    def refuse_gaps(self, layers: int, shown: str) -> None:
        """Refuse a checkpoint that lacks a whole layer, or in one layer a matrix that all others have."""
        missing = [str(number) for number in range(layers) if number not in self._held]
        if missing:
            named = ", ".join(missing[:_NAMED]) + (", ..." if len(missing) > _NAMED else "")
            what = f"the files hold nothing of {len(missing)} of the {layers} layers that it describes"
            raise _incomplete(f"`{shown}`: {what}: {named}")
        count = Counter(kind for held in self._held.values() for kind in held)
        for number, held in self._held.items():
            lacking = [kind for kind, times in count.items() if times == len(self._held) - 1 and kind not in held]
            if lacking and self._is_gap(number, lacking):
                raise _incomplete(f"`{shown}`: layer {number} lacks `{shortened(lacking[0])}`, which all others have")

    def _is_gap(self, number: int, lacking: Iterable[str]) -> bool:
        """Whether another layer has all that this one has, and beside it so much more."""
        own = self._held[number].keys()
        whole = next((held for other, held in self._held.items() if other != number and own < held.keys()), None)
        if whole is None:
            return False
        return sum(whole[kind].size for kind in lacking) > _WORTH_MISSING * sum(each.size for each in whole.values())


def _incomplete(message: str) -> FormulaError:
    help_ = "Download its files again, or name the config.json alone: weights then count as it says."
    return refuse("missing-tensor", message, help=help_)


def refuse_other_widths(
    tensors: Iterable[Tensor],
    widths: Sequence[Mapping[str, Any]],
    inputs: Mapping[str, Any],
    written: Mapping[str, str],
    shown: str,
) -> None:
    """Refuse tensors whose last axis is none of the inputs that it should be, by the table of `widths`."""
    known = [
        (re.compile(each["tensors"]), name, int(inputs[name]))
        for each in widths
        if (name := next((name for name in each["inputs"] if isinstance(inputs.get(name), int)), None))
    ]
    for tensor in tensors:
        for pattern, name, value in known:
            if tensor.shape and pattern.search(tensor.name) and tensor.shape[-1] != value:
                says = f"the config says {value:,} ({name}{' by ' * bool(written.get(name))}{written.get(name, '')})"
                message = f"`{shown}`: `{shortened(tensor.name)}` is {tensor.shape[-1]:,} wide, and {says}"
                raise refuse("other-model", message, help="Is the config.json that of another model?")
