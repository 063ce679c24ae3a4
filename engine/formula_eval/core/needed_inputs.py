"""Finds for every node of a graph the inputs that it needs, all in one pass: a bit stands for each input."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from formula_eval.core.graph import FormulaGraph


class NeededInputs:
    """The inputs that the value of each node may depend on, an input itself included, as the bits of a number."""

    def __init__(self, graph: FormulaGraph, inputs: Sequence[str], names: Iterable[str]) -> None:
        """Look for these inputs in these nodes of a graph, each of which stands behind those that it reads."""
        self._inputs = inputs
        self._bits = {name: 1 << place for place, name in enumerate(inputs)}
        self._needed = dict(self._bits)
        for name in names:
            read = (self._needed.get(each, 0) for each in graph.parents[name])
            self._needed[name] = reduce(or_, read, self._needed.get(name, 0))

    def of(self, name: str) -> int:
        """The bits of the inputs that a node needs; none of a node that was not looked at."""
        return self._needed.get(name, 0)

    def bits(self, inputs: Iterable[str]) -> int:
        """The bits of these inputs."""
        return reduce(or_, map(self._bits.__getitem__, inputs), 0)

    def names(self, bits: int) -> Iterator[str]:
        """The names of the inputs of these bits, in order."""
        return (name for place, name in enumerate(self._inputs) if bits >> place & 1)
