"""Finds what the results of one answer follow from, which is nothing in a branch not taken and nothing beside a 0."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from formula_eval.core import expression as e
from formula_eval.core.closure import closure
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.codegen import guarded
from formula_eval.evaluate.subexpression import value_of


def reached(
    graph: FormulaGraph, wanted: Sequence[str], numbers: Mapping[str, float], given: Mapping[str, float]
) -> frozenset[str]:
    """The names of these nodes, and of all that their values follow from with these numbers and givens."""

    def value(part: e.Expression) -> float:
        return numbers[part.node] if isinstance(part, e.Reference) else value_of(part, numbers, given)

    def read(name: str) -> Iterator[str]:
        node = graph.nodes[name]
        return iter(()) if node.kind == "input" and name in given else _read(guarded(node), value)

    return frozenset(closure(wanted, read))


def _read(x: e.Expression, value: Callable[[e.Expression], float]) -> Iterator[str]:
    """The names of the nodes that the value of a lowered expression follows from."""
    match x:
        case e.Reference(node) | e.Given(node):
            yield node
            return
        case e.Conditional(then, condition, otherwise):
            parts: tuple[e.Expression, ...] = (condition, then if value(condition) == 1 else otherwise)
        case e.Match(subject, arms):
            taken = (
                arm for arm in arms if any(value(e.Compare("==", subject, pattern)) == 1 for pattern in arm.patterns)
            )
            parts = (subject, *(arm.value for arm in [*taken][:1]))
        case e.Logical(operator, left, _) if (value(left) == 1) != (operator == "and"):
            parts = (left,)
        case e.Binary("*" | "/", left, _) if _vanishes(left, value) and value(x) == 0:
            parts = (left,)
        case e.Binary("*", _, right) if _vanishes(right, value) and value(x) == 0:
            parts = (right,)
        case _:
            parts = tuple(e.children(x))
    for part in parts:
        yield from _read(part, value)


def _vanishes(x: e.Expression, value: Callable[[e.Expression], float]) -> bool:
    return not isinstance(x, e.Number) and value(x) == 0
