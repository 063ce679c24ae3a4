"""Nodes of a graph and many givens to values as arrays, and to what changes where some nodes compute otherwise."""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import CodeType
from typing import Any

import numpy as np

from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Choice, Flag, Record
from formula_eval.evaluate.codegen import absent_flags, guarded
from formula_eval.evaluate.program import Program, compile_program
from formula_eval.evaluate.vector import Lanes, array_of
from formula_eval.printing.numpy import OPERATIONS, NumpyPrinter

Array = Any


class Printer:
    """Nodes to compiled statements; a statement reads the values of others from `v`."""

    def __init__(self, graph: FormulaGraph, stated: Collection[str] = ()) -> None:
        """Print the nodes of this graph; those that are stated may be given a value in place of their own."""
        self.graph = graph
        self._stated = stated
        self._absent = absent_flags(graph.nodes.values())
        self.flags = {name for name, node in graph.nodes.items() if isinstance(node.type, Flag)}
        self._kept: dict[str, CodeType] = {}
        self.number = {name: number for number, name in enumerate(graph.nodes)}

    def code(self, node: Node) -> CodeType:
        """The statement of a node that was changed."""
        text = NumpyPrinter(lambda name: f"v[{name!r}]", self._deciding).text(guarded(node))
        if node.kind == "input" or node.name in self._stated:
            text = f"supplied{'_flag' if isinstance(node.type, Flag) else ''}({node.name!r}, lambda: {text})"
        return compile(text, "<mutant>", "eval")

    def kept(self, name: str) -> CodeType:
        """The statement of a node as it stands in the graph."""
        if name not in self._kept:
            self._kept[name] = self.code(self.graph.nodes[name])
        return self._kept[name]

    def _deciding(self, name: str) -> str:
        return f"(v[{name!r}] == True)" if name in self._absent else f"v[{name!r}]"


class Group:
    """Many givens under which some quantities are wanted; `values` holds an array for each node that they need."""

    def __init__(self, printer: Printer, givens: Sequence[Mapping[str, float]], wanted: Iterable[str]) -> None:
        """Compute everything as it is."""
        graph = printer.graph
        self.printer, self.size = printer, len(givens)
        needed = [name for name in graph.ancestors(list(wanted)) if not isinstance(graph.nodes[name].type, Record)]
        self.names = frozenset(needed)
        self.values: dict[str, Array] = {}
        self._space = {"v": self.values, "inf": math.inf, "nan": math.nan}
        lanes = Lanes(dict(_given(printer, givens)), _divisor(graph).largest_divisor)
        for name in (*OPERATIONS, "supplied", "supplied_flag"):
            self._space[name] = getattr(lanes, name)
        with np.errstate(all="ignore"):
            for name in needed:
                self.values[name] = self._computed(name, printer.kept(name))

    def changed(
        self, mutated: Mapping[str, CodeType], enough: Callable[[str, Array, Array], bool] = lambda *_: False
    ) -> dict[str, Array]:
        """The former values of all nodes that change; stops after a node that is `enough` (name, before, after).

        `values` holds the new ones until `restore` is called with these.
        """
        former: dict[str, Array] = {}
        number, children = self.printer.number, self.printer.graph.children
        heap = [(number[name], name) for name in mutated if name in self.names]
        heapq.heapify(heap)
        seen = {name for _, name in heap}
        with np.errstate(all="ignore"):
            while heap:
                _, name = heapq.heappop(heap)
                code = mutated.get(name) or self.printer.kept(name)
                before, after = self.values[name], self._computed(name, code)
                if same(before, after):
                    continue
                former[name], self.values[name] = before, after
                if enough(name, before, after):
                    break
                for child in children[name]:
                    if child not in seen and child in self.names:
                        seen.add(child)
                        heapq.heappush(heap, (number[child], child))
        return former

    def restore(self, former: Mapping[str, Array]) -> None:
        """Put the former values back."""
        self.values.update(former)

    def _computed(self, name: str, code: CodeType) -> Array:
        try:
            value = eval(code, self._space)  # noqa: S307 - printed from a tree, never from text
        except (ArithmeticError, ValueError):
            value = math.nan
        whole = np.broadcast_to(value, self.size)
        if name in self.printer.flags and whole.dtype != bool and not np.isnan(whole).any():
            return whole.astype(bool)
        return whole


def same(before: Array, after: Array) -> bool:
    """Whether two arrays hold the same values, absent ones included."""
    equal = before == after
    if equal.all():
        return True
    return bool((equal | ((before != before) & (after != after))).all())  # noqa: PLR0124 - nan alone differs


def differs(before: Array, after: Array) -> Array:
    """The lanes whose value changed."""
    return ~((before == after) | ((before != before) & (after != after)))  # noqa: PLR0124 - as above


def _given(printer: Printer, givens: Sequence[Mapping[str, float]]) -> Iterable[tuple[str, Array]]:
    for name in {name for each in givens for name in each}:
        node = printer.graph.nodes.get(name)
        if node is not None and not isinstance(node.type, Record):
            kind = "flag" if isinstance(node.type, Flag) else "choice" if isinstance(node.type, Choice) else "number"
            values = [math.nan if each.get(name) is None else float(each[name]) for each in givens]
            yield name, array_of(kind, np.array(values))
        elif node is not None:
            yield name, np.array([1.0 if each.get(name) else math.nan for each in givens])


def _divisor(graph: FormulaGraph) -> Program:
    return compile_program(graph, [])
