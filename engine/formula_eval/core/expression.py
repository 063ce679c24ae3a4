"""Defines the expression tree, in its author's shape; every notation is printed from it.

The author's tree holds `Name`, `Comprehension`, `Lookup`, `Recurrence`, `Solve` and `With`; `resolve` replaces them by
`Reference`s to nodes of the graph, so a printer of the lowered tree never meets them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cache

from formula_eval.core.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written: one word or unit (`byte/token`, `flag`, a choice's name), or several words `a | b`."""

    alternatives: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


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
class Name(Expression):
    """A name as written: `heads`, `params.total`, `operators.lm_head.time`, `row.count`."""

    path: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class Comprehension(Expression):
    """`sum(value for row in table if condition)`, likewise `min`, `max`, `largest`."""

    function: str
    value: Expression
    row: str
    table: Name
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class Lookup(Expression):
    """`table[row].column`: the cell of the row that a word names."""

    table: Name
    row: Expression
    column: str


@dataclass(frozen=True, slots=True)
class Recurrence(Expression):
    """`value else first`: the value reads the row before, as `previous.column`; the first row has the other one."""

    value: Expression
    first: Expression


@dataclass(frozen=True, slots=True)
class Binding(Expression):
    """`input = value` of a `with`."""

    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Situation(Expression):
    """A situation of a `with` by its name, or a row by its word; once checked, with the bindings that it stands for.

    `label` is what the names of copies say of it; a row has none, since which row it is shows only in its bindings.
    """

    name: Name
    bindings: tuple[Binding, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class With(Expression):
    """The same formula under other inputs: `(time with phase = prefill)`, `(time with rollout, batch = 4)`."""

    value: Expression
    bindings: tuple[Binding | Situation, ...]


@dataclass(frozen=True, slots=True)
class NamedPiece(Expression):
    """`name: type = value` of a `where`."""

    name: str
    value: Expression
    type: TypeText | None = None


@dataclass(frozen=True, slots=True)
class Where(Expression):
    """What a statement computes, and the pieces that it names for itself, in any order."""

    value: Expression
    pieces: tuple[NamedPiece, ...]


@dataclass(frozen=True, slots=True)
class Solve(Expression):
    """`solve n in low .. high: condition else otherwise`: the smallest `n` at which a condition holds.

    With `largest`, of a condition that holds up to there. A range has `at_most` so many whole values, or is divided
    into parts of `within` its length. Once checked, `type` is that of the unknown, and `halvings` says how often the
    range is halved.
    """

    unknown: str
    low: Expression
    high: Expression
    condition: Expression
    otherwise: Expression | None = None
    largest: bool = False
    at_most: int = 0
    within: Expression | None = None
    type: TypeText | None = None
    halvings: int = 0


_PAIRS = (Binary, Compare, Logical)  # most of a graph
_READING = (Reference, Given)


_LEAVES = frozenset((Reference, Given, Number, Name, ChoiceValue, FlagValue, Infinity))


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
    if isinstance(expression, _PAIRS):
        left, right = change(expression.left), change(expression.right)
        if left is expression.left and right is expression.right:
            return expression
        return type(expression)(expression.operator, left, right, span=expression.span)
    if type(expression) in _LEAVES:
        return expression
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
