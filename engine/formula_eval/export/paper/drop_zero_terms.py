"""Simplifies an equation for one configuration, without branches not taken and terms that are 0.

The author's text and all its instances, in lowered form, are walked side by side, so that only what vanishes in every
instance is dropped. Where lowering changed the shape, as of a sum over a table, the text stays as it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.export.paper.equations import Equation

_Trees = tuple[e.Expression, ...]
_Value = Callable[[e.Expression], float]


def without_vanishing(equation: Equation, nodes: Sequence[Node], value: _Value) -> Equation:
    """The equation with only these of its instances, and of its text what does not vanish in all of them."""
    author, kept = nodes[0].author, [each.expression for each in nodes if each.expression is not None]
    if author is None or len(kept) != len(nodes) or any(each.author != author for each in nodes):
        return Equation(equation.key, equation.name, equation.chapter, list(nodes))
    text, *lowered = _left((author, *kept), value)
    instances = zip(nodes, lowered, strict=True)
    changed = [replace(node, author=text, expression=x) for node, x in instances]
    return Equation(equation.key, equation.name, equation.chapter, changed)


def _left(trees: _Trees, value: _Value) -> _Trees:
    """The author's tree, the first, and those of its instances, without what vanishes."""
    if any(type(each) is not type(trees[0]) for each in trees):
        return trees
    taken = _taken(trees, value)
    return _left(taken, value) if taken is not None else _without_units(_rebuilt(trees, value))


def _taken(trees: _Trees, value: _Value) -> _Trees | None:
    """The only part that counts, if there is one: the branch taken, the other term beside one that is 0."""
    match trees[0]:
        case e.Conditional():
            return _by_condition(trees, value)
        case e.Match():
            return _by_arm(trees, value)
        case e.Binary("+" | "-") if _is_zero(_parts(trees, "right"), value):
            return _parts(trees, "left")
        case e.Binary("*", e.Call("one_if")) if all(value(each) == 1 for each in _parts(trees, "left")[1:]):
            return _parts(trees, "right")
        case e.Binary("+") if _is_zero(_parts(trees, "left"), value):
            return _parts(trees, "right")
    return None


def _by_condition(trees: _Trees, value: _Value) -> _Trees | None:
    held = {value(each) == 1 for each in _parts(trees, "condition")[1:]}
    return _parts(trees, "then" if True in held else "otherwise") if len(held) == 1 else None


def _by_arm(trees: _Trees, value: _Value) -> _Trees | None:
    """The value of the arm that fits in every instance."""
    places = {
        next((place for place, arm in enumerate(arms) if _fits(subject, arm, value)), -1)
        for subject, arms in zip(_parts(trees, "subject")[1:], _parts(trees, "arms")[1:], strict=True)
    }
    place = places.pop()
    return tuple(arms[place].value for arms in _parts(trees, "arms")) if place >= 0 and not places else None


def _fits(subject: e.Expression, arm: e.Arm, value: _Value) -> bool:
    return any(value(e.Compare("==", subject, each)) == 1 for each in arm.patterns)


def _is_zero(trees: _Trees, value: _Value) -> bool:
    return all(value(each) == 0 for each in trees[1:])


def _without_units(trees: _Trees) -> _Trees:
    """A product without a factor that is 1, where a branch left one."""
    if not isinstance(trees[0], e.Binary) or trees[0].operator != "*":
        return trees
    for one, other in (("left", "right"), ("right", "left")):
        if all(isinstance(each, e.Number) and each.text == "1" and not each.unit for each in _parts(trees, one)):
            return _parts(trees, other)
    return trees


def _parts(trees: _Trees, name: str) -> tuple[Any, ...]:
    return tuple(getattr(each, name) for each in trees)


def _rebuilt(trees: _Trees, value: _Value) -> _Trees:
    """The trees with what is left of each of their parts."""
    changed: list[dict[str, Any]] = [{} for _ in trees]
    for name in (each.name for each in fields(trees[0])):
        parts = _parts(trees, name)
        left: tuple[Any, ...]
        if all(isinstance(each, e.Expression) for each in parts):
            left = _left(parts, value)
        elif all(isinstance(each, tuple) for each in parts) and len({len(each) for each in parts}) == 1:
            columns = zip(*parts, strict=True)
            kept = (_left(each, value) if isinstance(each[0], e.Expression) else each for each in columns)
            left = tuple(zip(*kept, strict=True))
        else:
            continue
        for into, each in zip(changed, left, strict=False):
            into[name] = each
    return tuple(replace(each, **into) for each, into in zip(trees, changed, strict=True))
