"""Defines the nodes of a lowered tree, which every printer meets, and walks any tree part by part."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cache

from formula_eval.core.span import NOWHERE, Span

_PLAIN = (str, int, bool, Fraction, tuple[str, ...])  # the types of fields that hold no parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Any node of the tree."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A number as written, with its unit: `3.35 TB/s`; `value` is in base units and exact."""

    text: str
    unit: str = ""
    value: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Infinity(Expression):
    """Infinity, which has every unit."""


@dataclass(frozen=True, slots=True)
class FlagValue(Expression):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Reference(Expression):
    """The value of a node of the graph; `written` is what the author wrote for it."""

    node: str
    written: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ChoiceValue(Expression):
    """A word of a choice, and its index there."""

    word: str
    index: int


@dataclass(frozen=True, slots=True)
class Given(Expression):
    """Whether the user or a record gave this input a value."""

    node: str


@dataclass(frozen=True, slots=True)
class Negate(Expression):
    """`-x`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """Arithmetic: `+ - * / % **`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Compare(Expression):
    """`== != < <= > >=`; never chained."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logical(Expression):
    """`and`, `or`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not(Expression):
    """`not x`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Conditional(Expression):
    """`then if condition else otherwise`."""

    then: Expression
    condition: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Arm(Expression):
    """`a | b -> value`; the patterns are names, choice values or numbers."""

    patterns: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True)
class Match(Expression):
    """One value for each word of a choice, or for each number of a set."""

    subject: Expression
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A builtin or a `def`, by name; lowered, only builtins are left, and `sum`, `min`, `max` take any number of terms.

    `written` holds the author's text where lowering spelled the terms out.
    """

    function: str
    arguments: tuple[Expression, ...]
    written: str = field(default="", compare=False)


_PAIRS = (Binary, Compare, Logical)  # most of a graph
_READING = (Reference, Given)
_LEAVES = frozenset((Reference, Given, Number, ChoiceValue, FlagValue, Infinity))


@cache
def _parts(kind: type[Expression]) -> tuple[str, ...]:
    """The fields of a kind that may hold parts."""
    return tuple(each.name for each in fields(kind) if each.name != "span" and each.type not in _PLAIN)


@cache
def _fields(kind: type[Expression]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def children(expression: Expression) -> list[Expression]:
    """The direct parts of an expression, in the author's order."""
    if isinstance(expression, _PAIRS):
        return [expression.left, expression.right]
    if type(expression) in _LEAVES:
        return []
    found: list[Expression] = []
    for name in _parts(type(expression)):  # type: ignore[arg-type]  # classes are hashable, whatever their instances
        value = getattr(expression, name)
        if isinstance(value, Expression):
            found.append(value)
        elif isinstance(value, tuple):
            found += [part for part in value if isinstance(part, Expression)]
    return found


def rebuild(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with `change` applied to each direct part; parts that stay are shared, not copied."""
    if type(expression) in _LEAVES:
        return expression
    if isinstance(expression, _PAIRS):
        left, right = change(expression.left), change(expression.right)
        if left is expression.left and right is expression.right:
            return expression
        return type(expression)(expression.operator, left, right, span=expression.span)
    changed: dict[str, object] = {}
    for name in _parts(type(expression)):  # type: ignore[arg-type]  # classes are hashable, whatever their instances
        value = getattr(expression, name)
        if isinstance(value, Expression):
            new = change(value)
            if new is not value:
                changed[name] = new
        elif isinstance(value, tuple) and value and isinstance(value[0], Expression):
            parts = tuple(change(part) for part in value)
            if any(part is not old for part, old in zip(parts, value, strict=True)):
                changed[name] = parts
    if not changed:
        return expression
    # `dataclasses.replace` takes ten times as long, and a graph has half a million parts.
    names = _fields(type(expression))  # type: ignore[arg-type]  # as above
    made: Callable[..., Expression] = type(expression)
    return made(**{name: changed[name] if name in changed else getattr(expression, name) for name in names})


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all its parts, from the outside in."""
    pending = [expression]
    while pending:
        each = pending.pop()
        yield each
        pending += reversed(children(each))


def references(expression: Expression) -> list[str]:
    """The names of the nodes that a lowered expression reads, with repetition, in the author's order."""
    pending, found = [expression], []
    while pending:
        each = pending.pop()
        if isinstance(each, _READING):
            found.append(each.node)
        elif isinstance(each, _PAIRS):
            pending += (each.right, each.left)
        elif isinstance(each, Call):
            pending += each.arguments[::-1]
        elif type(each) not in _LEAVES:
            pending += reversed(children(each))
    return found
