"""Measures how much each quantity of a document matters: by how much a small change of it moves a wanted one."""

import math
from collections import ChainMap
from collections.abc import Iterator, Sequence

from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.core.graph import Node
from formula_eval.core.type import Quantity
from formula_eval.evaluate.subexpression import value_of
from formula_eval.export.document import Document

_STEP = 1e-3
_MOST = 2.0  # a rounding or a switch may answer a small step with a large one
_FURTHER = 0.9  # what is left of the weight one equation further from the headline
_SAME = 0.01  # an elasticity so near to one, of a single quantity, is that of another name for it


class RelativeInfluence:
    """Relative influences on the headlines of a document: its wanted quantities except the ends of their intervals.

    The relative change of a quantity for that of one it reads, found by a small step, times the influence of the
    former, added over all that read the latter, less with each step away from the headline. What stands in a branch
    that was not taken, or beneath a maximum, has none.
    """

    def __init__(self, document: Document) -> None:
        """Of the quantities of this document."""
        self._document = document
        self._numbers = dict(document.numbers)
        ends = set(_ends_of_intervals(document))
        wanted = [name for name in document.wanted if name not in ends] or list(document.wanted)
        edges = {name: list(self._read(name)) for name in document.graph.ancestors(wanted)}
        self.headlines = [name for name in wanted if self._moves(name)]
        self._on_headlines = _backwards(self.headlines, edges)

    def of(self, names: Sequence[str]) -> float:
        """The influence of all these together on the headline that they move most."""
        together: dict[int, float] = {}
        for name in names:
            for headline, weight in self._on_headlines.get(name, {}).items():
                together[headline] = together.get(headline, 0.0) + weight
        return max(together.values(), default=0.0)

    def _read(self, name: str) -> Iterator[tuple[str, float]]:
        """What a quantity reads, and its elasticity for each."""
        document, node = self._document, self._document.graph.nodes[name]
        if node.expression is None or not self._moves(name) or not _is_computed(node, document):
            return
        if node.kind == "input" and name in document.givens.values:
            return
        read = {each: self._elasticity(node, each) for each in document.graph.parents[name] if self._moves(each)}
        counting = [number for number in read.values() if number]
        is_same = node.is_part_of_another or (len(counting) == 1 and abs(counting[0] - 1) < _SAME)
        yield from ((each, elasticity * (1.0 if is_same else _FURTHER)) for each, elasticity in read.items())

    def _moves(self, name: str) -> bool:
        value = self._document.numbers.get(name, math.nan)
        is_number = isinstance(self._document.graph.nodes[name].type, Quantity)
        return is_number and math.isfinite(value) and value != 0

    def _elasticity(self, node: Node, parent: str) -> float:
        """By how many percent a quantity moves where one that it reads moves by one."""
        if node.expression is None:
            return 0.0
        numbers = self._numbers
        moved = ChainMap({parent: numbers[parent] * (1 + _STEP)}, numbers)
        try:
            after = value_of(node.expression, moved, self._document.givens.values)
        except (ArithmeticError, ValueError):
            return 0.0
        before = numbers[node.name]
        return min(abs(after / before - 1) / _STEP, _MOST) if math.isfinite(after) else 0.0


def _backwards(headlines: Sequence[str], edges: dict[str, list[tuple[str, float]]]) -> dict[str, dict[int, float]]:
    """The influence of each quantity on the headlines that it moves, by their place; `edges` as they are evaluated."""
    found: dict[str, dict[int, float]] = {name: {place: 1.0} for place, name in enumerate(headlines)}
    for name in reversed(edges):
        moved = found.get(name, {})
        for parent, elasticity in edges[name] if moved else ():
            if elasticity:
                onto = found.setdefault(parent, {})
                for headline, weight in moved.items():
                    onto[headline] = onto.get(headline, 0.0) + weight * elasticity
    return found


def _is_computed(node: Node, document: Document) -> bool:
    return node.guard is None or value_of(node.guard, document.numbers, document.givens.values) == 1


def _ends_of_intervals(document: Document) -> Iterator[str]:
    """The quantities that an answer shows as the ends of the interval of another."""
    for section in read_answer_layout(
        document.evaluator.library, document.question.about(document.evaluator.library)
    ).sections:
        for entry in section.get("entries", ()):
            yield from entry.get("between", ())
