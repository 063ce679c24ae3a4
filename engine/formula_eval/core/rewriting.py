"""A tree with some of its parts replaced; parts that stay are shared, not copied."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache

from formula_eval.core.expression import Expression


@cache
def _slots(kind: type[Expression]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name not in {"span", "written"} and each.type is not str)


def rebuild(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with `change` applied to each direct part."""
    changed: dict[str, object] = {}
    for name in _slots(type(expression)):  # type: ignore[arg-type]  # classes are hashable, whatever their instances
        value = getattr(expression, name)
        if isinstance(value, Expression):
            new = change(value)
            if new is not value:
                changed[name] = new
        elif isinstance(value, tuple) and value and isinstance(value[0], Expression):
            parts = tuple(change(part) for part in value)
            if any(part is not old for part, old in zip(parts, value, strict=True)):
                changed[name] = parts
    return replace(expression, **changed) if changed else expression  # type: ignore[arg-type]
