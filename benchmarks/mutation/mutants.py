"""Expressions to the mistakes that an author could have made in them, and these to the nodes that they change.

A part of an expression is found again in the lowered graph, in every copy and every call, by its place in the text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.span import NOWHERE, Span

Site = tuple[Span, str]
Variant = tuple[str, e.Expression]

_OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "**": "*"}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FUNCTIONS = {
    "min": "max",
    "max": "min",
    "sum": "max",
    "ceil": "floor",
    "floor": "ceil",
    "round": "floor",
    "ceildiv": "floordiv",
    "floordiv": "ceildiv",
}
_PLAIN = {"ceil", "floor", "round", "abs", "sqrt", "clamp", "log2", "ln"}


class Mutant(NamedTuple):
    """One mistake in one declaration: the part that it changes, and which of the variants of that part it is."""

    declared: str
    file: str
    site: Site
    number: int
    kind: str
    text: str


def site_of(x: e.Expression) -> Site:
    """Where a part stands and what it is; a sum over rows is a call once it is lowered."""
    return x.span, "Call" if isinstance(x, e.Comprehension) else type(x).__name__


def variants(x: e.Expression) -> Sequence[Variant]:  # noqa: PLR0911 - one case for each kind of node
    """What an author could have written instead of a part, each with the kind of mistake that it is."""
    match x:
        case e.Number(value=value):
            return [("another constant", replace(x, value=2 * value if value else Fraction(1)))]
        case e.Binary(operator, left, right):
            swapped = f"{operator} to {_OTHER[operator]}", replace(x, operator=_OTHER[operator])
            kind = "term" if operator in "+-" else "factor"
            first = [] if operator in "-/%" or operator == "**" else [(f"without the first {kind}", right)]
            return [swapped, (f"without the last {kind}", left), *first]
        case e.Compare(operator):
            return [(f"{operator} to {_OPPOSITE[operator]}", replace(x, operator=_OPPOSITE[operator]))]
        case e.Logical(operator):
            joined = "or" if operator == "and" else "and"
            return [(f"{operator} to {joined}", replace(x, operator=joined))]
        case e.Not(operand):
            return [("without not", operand)]
        case e.Conditional(then, condition, otherwise) if not isinstance(condition, e.Compare | e.Logical | e.Not):
            return [("branches swapped", replace(x, then=otherwise, otherwise=then))]
        case e.Match(_, arms):
            following = zip(range(len(arms)), arms, [*arms[1:], arms[0]], strict=True)
            return [
                ("another arm", replace(x, arms=(*arms[:n], replace(arm, value=after.value), *arms[n + 1 :])))
                for n, arm, after in following
            ]
        case e.Call(function) | e.Comprehension(function):
            return [*_of_function(x, function)]
    return []


def _of_function(x: e.Call | e.Comprehension, function: str) -> Iterator[Variant]:
    if function in _FUNCTIONS:
        yield f"{function} to {_FUNCTIONS[function]}", replace(x, function=_FUNCTIONS[function])
    if isinstance(x, e.Call) and function in _PLAIN:
        yield f"without {function}", x.arguments[0]
    if isinstance(x, e.Call) and function in ("min", "max") and not x.written:
        for place in range(len(x.arguments)):
            rest = (*x.arguments[:place], *x.arguments[place + 1 :])
            yield f"{function} of fewer", rest[0] if len(rest) == 1 else replace(x, arguments=rest)


def parts(x: e.Expression) -> Iterator[e.Expression]:
    """The parts of an expression that can be wrong: all but the words and numbers that a match tells apart."""
    yield x
    if isinstance(x, e.Arm):
        yield from parts(x.value)
    else:
        for each in e.children(x):
            yield from parts(each)


def changed(x: e.Expression, mutant: Mutant) -> e.Expression:
    """An expression with the mistake in it, wherever its part stands."""

    def change(each: e.Expression) -> e.Expression:
        inner = e.rebuild(each, change)
        if site_of(each) != mutant.site:
            return inner
        found = variants(inner)
        return found[mutant.number][1] if mutant.number < len(found) else inner

    return change(x)


class Places:
    """The nodes of a graph by the parts of the author's text that they hold."""

    def __init__(self, graph: FormulaGraph) -> None:
        """Look through all expressions and guards."""
        self._graph = graph
        self._nodes: dict[Site, dict[str, None]] = {}
        for name, node in graph.nodes.items():
            for x in (node.expression, node.guard):
                for part in e.walk(x) if x is not None else ():
                    if part.span != NOWHERE:
                        self._nodes.setdefault(site_of(part), {})[name] = None

    def mutated(self, mutant: Mutant) -> Mapping[str, Node]:
        """The nodes that change, with the mistake in them."""
        return {name: self._mutated(self._graph.nodes[name], mutant) for name in self._nodes.get(mutant.site, ())}

    @staticmethod
    def _mutated(node: Node, mutant: Mutant) -> Node:
        expression = changed(node.expression, mutant) if node.expression is not None else None
        guard = changed(node.guard, mutant) if node.guard is not None else None
        return replace(node, expression=expression, guard=guard)
