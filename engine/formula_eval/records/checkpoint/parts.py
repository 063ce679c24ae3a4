"""Adds up the bytes that each part of a model takes in the files of a checkpoint, tensor by tensor."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.records.checkpoint.agreement import HeldLayers, refuse_other_widths
from formula_eval.records.checkpoint.tensor import Tensor

_WORTH_TELLING = 0.005


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
        packed, held = False, HeldLayers(self.table["layer"])
        for each in tensors:
            part = self._part(each.name)
            if part in ("layer", "expert"):
                held.add(each)
            if part == "expert" and not self.inputs.get(self.table["sparse"]):
                part = "layer"
            size[part] += each.size
            numbers[part] += each.numbers
            packed = packed or (not each.numbers and part != "aside")
        if not size["layer"]:
            raise refuse("bad-value", f"`{shown}` holds no tensor of a layer", help="Are these the weights of a model?")
        held.refuse_gaps(self._layers, shown)
        refuse_other_widths(tensors, self.table["widths"], self.inputs, self.written, shown)
        found = {name: value for name, value in self.inputs.items() if name not in self.table["instead_of"]}
        found |= {name: f"{size[part]} byte" for part, name in self.table["bytes"].items()}
        if not packed:
            found[self.table["numbers"]] = f"{numbers.total() - numbers['aside']} param"
        return found, _told(size["aside"], size.total())

    def _part(self, name: str) -> str:
        for part, pattern in self.table["parts"].items():
            if re.search(pattern, name):
                return str(part)
        if self.inputs.get(self.table["is_tied"]) is True and re.search(self.table["tied"], name):
            return "aside"
        layer = re.search(self.table["layer"], name)
        if layer is None:
            return "outer"
        return "layer" if int(layer[1]) < self._layers else "aside"

    @property
    def _layers(self) -> int:
        return max(int(self.inputs.get(name, 0)) for name in self.table["counts"])


def _told(aside: int, whole: int) -> str:
    if aside <= _WORTH_TELLING * whole:
        return ""
    return f"{aside / 1e9:.3g} of {whole / 1e9:.3g} GB in the files belong to encoders, layers that predict further \
tokens or a second copy of the embedding: they are not counted."
