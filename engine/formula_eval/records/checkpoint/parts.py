"""Adds up the bytes that each part of a model takes in a checkpoint, and checks its tensors against the config."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.records.checkpoint.header import Tensor

_WORTH_TELLING = 0.005
_WORTH_MISSING = 0.01  # of a layer's bytes: less is a bias or a norm that the first layer of some models lacks
_NAMED = 4
_DECODER = ("layer", "expert", "outer")
_ASIDE = "aside"


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
        return sum(whole[kind].size for kind in lacking) > _WORTH_MISSING * sum(
            tensor.size for tensor in whole.values()
        )


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
        (re.compile(width["tensors"]), name, int(inputs[name]))
        for width in widths
        if (name := next((name for name in width["inputs"] if isinstance(inputs.get(name), int)), None))
    ]
    for tensor in tensors:
        for pattern, name, value in known:
            if tensor.shape and pattern.search(tensor.name) and tensor.shape[-1] != value:
                says = f"the config says {value:,} ({name}{' by ' * bool(written.get(name))}{written.get(name, '')})"
                message = f"`{shown}`: `{shortened(tensor.name)}` is {tensor.shape[-1]:,} wide, and {says}"
                raise refuse("other-model", message, help="Is the config.json that of another model?")


class Parts(NamedTuple):
    """Maps names of tensors to parts of a model, by `models/checkpoints/tensors.toml` and the inputs of its record.

    `written` is what the config says of these inputs.
    """

    table: Mapping[str, Any]
    inputs: Mapping[str, Any]
    written: Mapping[str, str]

    def record(self, tensors: Sequence[Tensor], shown: str) -> tuple[dict[str, Any], str]:
        """The inputs with the bytes of the files in place of what the config says of them, and what is not counted.

        Raises FormulaError for files that lack layers or tensors of the config, or are of another model.
        """
        size, numbers = Counter[str](), Counter[str]()
        packed, held, own = False, HeldLayers(self.table["layer"]), list[Tensor]()
        for tensor in tensors:
            part = self._part(tensor.name)
            if part in ("layer", "expert"):
                held.add(tensor)
            if part in _DECODER:
                own.append(tensor)
            if part == "expert" and not self.inputs.get(self.table["sparse"]):
                part = "layer"
            size[part] += tensor.size
            numbers[part] += tensor.numbers
            packed = packed or (not tensor.numbers and part != _ASIDE)
        if not size["layer"]:
            raise refuse("bad-value", f"`{shown}` holds no tensor of a layer", help="Are these the weights of a model?")
        held.refuse_gaps(self._layers, shown)
        refuse_other_widths(own, self.table["widths"], self.inputs, self.written, shown)
        found = {name: value for name, value in self.inputs.items() if name not in self.table["instead_of"]}
        found |= {name: f"{size[part]} byte" for part, name in self.table["bytes"].items()}
        if not packed:
            found[self.table["numbers"]] = f"{numbers.total() - numbers['aside']} param"
        return found, _told(sum(size[part] for part in size if part not in self.table["bytes"]), size.total())

    def _part(self, name: str) -> str:
        alone = self.table.get("alone", {})
        before = alone["parts"].items() if self.inputs.get(alone.get("input")) is True else ()
        for part, pattern in (*before, *self.table["parts"].items()):
            if re.search(pattern, name):
                return str(part) if part in (*self.table["bytes"], *self.table.get("counted", ())) else _ASIDE
        if self.inputs.get(self.table["is_tied"]) is True and re.search(self.table["tied"], name):
            return _ASIDE
        layer = re.search(self.table["layer"], name)
        if layer is None:
            return "outer"
        return "layer" if int(layer[1]) < self._layers else _ASIDE

    @property
    def _layers(self) -> int:
        return max(int(self.inputs.get(name, 0)) for name in self.table["counts"])


def _told(aside: int, whole: int) -> str:
    if aside <= _WORTH_TELLING * whole:
        return ""
    return f"{aside / 1e9:.3g} of {whole / 1e9:.3g} GB in the files belong to encoders, layers that predict further \
tokens or a second copy of the embedding: the sizes of these parts are not taken from the files."
