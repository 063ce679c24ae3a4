"""Says where a part of a formula is computed: under what conditions, its guards, something reads it."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import takewhile

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag, Type


def both(guard: e.Expression | None, condition: e.Expression) -> e.Expression:
    """A guard within another one."""
    return condition if guard is None else e.Logical("and", guard, condition)


def without_piece(guard: e.Expression | None, piece: str, type_: Type, made: Iterable[Node]) -> e.Expression | None:
    """The guard under which a piece is read, with a constant where the guard reads the piece itself.

    Where that is computed, the piece is too, by another guard: the constant decides nothing, no piece waits for itself.
    """
    if guard is None:
        return None
    nodes = {node.name: node for node in made}
    known = {piece: True}

    def reads_piece(name: str) -> bool:
        if name not in known:
            node, known[name] = nodes.get(name), False
            parts = (node.expression, node.guard) if node else ()
            known[name] = any(reads_piece(read) for part in parts if part is not None for read in e.references(part))
        return known[name]

    def change(x: e.Expression) -> e.Expression:
        if isinstance(x, e.Reference) and reads_piece(x.node):
            return _constant(nodes[x.node].type if x.node in nodes else type_)
        return e.rebuild(x, change)

    return change(guard)


def _constant(type_: Type) -> e.Expression:
    match type_:
        case Flag():
            return e.FlagValue(value=False)
        case Choice(values):
            return e.ChoiceValue(values[0], 0)
    return e.Number("1", value=Fraction(1))


def either(guards: list[e.Expression | None]) -> e.Expression | None:
    """The condition under which any of these holds, what they share said once; None where one of them always does."""
    every = set(guards)
    if None in every or not every:
        return None
    wider = [guard for guard in dict.fromkeys(guards) if guard is not None and every.isdisjoint(_implied(guard))]
    parts = [_conditions(expression) for expression in wider]
    shared = [each[0] for each in takewhile(_are_equal, zip(*parts, strict=False))]
    others = [_joined("and", part[len(shared) :]) for part in parts if len(part) > len(shared)]
    return _joined("and", [*shared, _joined("or", others)] if others else shared)


def _joined(operator: str, conditions: Iterable[e.Expression]) -> e.Expression:
    return reduce(lambda left, right: e.Logical(operator, left, right), conditions)


def _conditions(guard: e.Expression) -> list[e.Expression]:
    """The conditions that hold together where a guard does, the first to be decided first."""
    found = []
    while isinstance(guard, e.Logical) and guard.operator == "and":
        found.append(guard.right)
        guard = guard.left
    return [guard, *reversed(found)]


def _are_equal(conditions: tuple[e.Expression, ...]) -> bool:
    return all(condition is conditions[0] or condition == conditions[0] for condition in conditions)


def _implied(guard: e.Expression) -> Iterator[e.Expression]:
    """What holds wherever a guard does: all but the last of its conditions, and so on."""
    while isinstance(guard, e.Logical) and guard.operator == "and":
        guard = guard.left
        yield guard


def is_one(subject: e.Expression, patterns: tuple[e.Expression, ...]) -> e.Expression:
    """The guard of an arm: that its subject is one of some words or numbers."""
    first, *rest = (e.Compare("==", subject, pattern) for pattern in patterns)
    result: e.Expression = first
    for compare in rest:
        result = e.Logical("or", result, compare)
    return result
