"""Turns a count of accelerators in a sentence into options: a whole job, copies of a model, or how they share it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd

from formula_eval.core.diagnostic import refuse
from formula_eval.core.record_kind import COUNTED
from formula_eval.library import Library
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import find_record
from formula_eval.records.roles import Roles, says
from formula_eval.records.schema import Schema

_COUNTED = re.compile(r"([1-9]\d*)(?![\d,.]*[kKmMbBtT]$)(?:[x*\u00d7]((?:\w.*)?)|((?:[^\W\d].*)?))")
_NODES = re.compile(r"([1-9]\d*)[x*\u00d7]([1-9]\d*)[x*\u00d7](\w.*)")
_COUNT_LAST = re.compile(r"(.*?)[x*\u00d7]([1-9]\d*)")


def count_in(word: str, schema: Schema, roles: Roles, is_name: Callable[[str], bool]) -> tuple[int, str]:
    """The count that a word says, and what it counts: `8`, `8x`, `8xH100`, `2x8xH100` or `H100x8`; 0 where none.

    `is_name` tells accelerators, so that `4090x2` is two of them. The count of `8xh100,8xh200` is that of all; raises
    FormulaError where they differ.
    """
    several = [COUNTED.fullmatch(name) for name in word.split(",")]
    counted = [match for match in several if match is not None]
    if len(several) == len(counted) > 1:
        counts, names = [",".join(match[part] for match in counted) for part in (1, 2)]
        if len({match[1] for match in counted}) > 1:
            option = schema.kinds[roles.accelerator].option
            help_ = f"Options take them side by side: `--zip {option} {names} --{roles.shared[0]} {counts}`."
            raise refuse("unknown-word", f"`{word}` counts each name apart", help=help_)
        word = f"{counted[0][1]}x{names}"
    if nodes := _NODES.fullmatch(word):
        word = f"{int(nodes[1]) * int(nodes[2])}x{nodes[3]}"
    found, last = _COUNTED.fullmatch(word), _COUNT_LAST.fullmatch(word)
    if last is not None and (found is None or is_name(last[1])):
        return int(last[2]), last[1]
    return (int(found[1]), found[2] or found[3] or "") if found is not None else (0, "")


@dataclass(slots=True)
class CountedAccelerators:
    """The accelerators, or the machines, that a sentence counts, beside the records that it names.

    Attributes:
        library: where records stand.
        schema: the inputs and kinds of records.
        roles: what stands for models, accelerators and machines.
        named: what was said of each kind of records.
        count: how many; 0 where no number was said.
        nodes: on how many nodes, each of which has so many, or all in all where that is more than a node has.
        of_machines: whether the number is of machines, where one is named.

    """

    library: Library
    schema: Schema
    roles: Roles
    named: Mapping[str, str]
    count: int
    nodes: int
    of_machines: bool

    def options(self, *, job: bool) -> list[str]:
        """The options of the count, or of the machine that was named."""
        machine = self._named(self.roles.machine.record)
        if self.nodes and machine is not None:
            self.count, self.of_machines = self.nodes, True
        elif self.nodes and self.count <= self._per_node():
            self.count = self.nodes * (self.count or self._per_node())
        if machine is None and not self.count:
            return []
        job = job or self._is_copied()
        if machine is not None and self.of_machines:
            return self._machines(int(machine.data[self.roles.machine.holds]), job=job)
        if job:
            return [f"--{self.roles.accelerators}", str(self.count)]
        return self._sharing(self._per_node())

    def _machines(self, holds: int, *, job: bool) -> list[str]:
        """The options of so many whole machines: their number where it is not one, and how they share a model."""
        number = [f"--{self.roles.machine.number}", str(self.count)] if self.count > 1 else []
        self.count = holds * max(1, self.count)
        return number if job else self._sharing(min(holds, self._per_node()))

    def _sharing(self, node: int) -> list[str]:
        """The options by which as many accelerators as were counted share a model, on nodes of so many."""
        within, across = self.roles.shared
        if self._is_staged():
            return [f"--{across}", str(self.count)] if self.count > 1 else []
        if self.count > node and self.count % node:
            help_ = f"Say how they share the model: `--{within} {node} --{across} ...`."
            raise refuse("bad-count", f"{self.count} accelerators do not fill nodes of {node}", help=help_)
        inside = min(self.count, node)
        outside = self.count // inside
        even = gcd(inside, self._split() or inside)
        if even < inside:  # several copies of the model, each as wide as it can be split
            return [f"--{within}", str(even), f"--{self.roles.accelerators}", str(self.count)]
        return [f"--{within}", str(inside), *([f"--{across}", str(outside)] if outside > 1 else [])]

    def _is_staged(self) -> bool:
        """Whether the engine gives accelerators layers each."""
        engine = self._engine()
        return engine is not None and bool(engine.data.get(self.roles.staged))

    def _engine(self) -> RecordFile | None:
        """The record of the engine that is named, if only by the model or its number format."""
        named = dict(self.named)
        for kind in (self.roles.model, self.roles.format):
            if kind in named:
                said = find_record(self.library, self.schema, kind, named[kind].split(",")[0]).data
                linked = (text for text in (self.roles.format, self.roles.engine) if text in said)
                named = {**{name: str(said[name]) for name in linked}, **named}
        kind = self.roles.engine
        return find_record(self.library, self.schema, kind, named[kind].split(",")[0]) if kind in named else None

    def _split(self) -> int:
        """What accelerators within a node split evenly, of the models that were named; 0 where no record says it."""
        return gcd(*(int(model.data.get(self.roles.split, 0)) for model in self._models()))

    def _is_copied(self) -> bool:
        """Whether accelerators hold a copy each of the models that were named, as of those that only read."""
        models = self._models()
        return bool(models) and all(says(model.data, self.roles.copied) for model in models)

    def _models(self) -> list[RecordFile]:
        """The records of the models that were named, several of them between commas."""
        kind = self.roles.model
        names = [name for name in self.named.get(kind, "").split(",") if name]
        return [find_record(self.library, self.schema, kind, name) for name in names]

    def _named(self, kind: str) -> RecordFile | None:
        """The record of a kind that was named, the first of several."""
        name = self.named.get(kind, "").split(",")[0]
        return find_record(self.library, self.schema, kind, name) if name else None

    def _per_node(self) -> int:
        """The accelerators of a node, as the record says or as the input has it by default."""
        name, kind = self.roles.per_node, self.roles.accelerator
        default = self.schema.inputs[name].default
        record, machine = self._named(kind), self._named(self.roles.machine.record)
        if record is None and machine is not None:
            record = find_record(self.library, self.schema, kind, machine.data[kind])
        return int(default if record is None else record.data.get(name, default))
