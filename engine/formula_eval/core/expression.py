"""Defines the expression tree, in its author's shape; every notation is printed from it.

The author's tree holds `Name`, `Comprehension`, `Lookup`, `Recurrence`, `Solve` and `With`; `resolve` replaces them by
`Reference`s to nodes of the graph, so a printer of the lowered tree meets the nodes of `lowered.py` alone.
"""

from dataclasses import dataclass, field

from formula_eval.core.lowered import (
    Arm as Arm,
    Binary as Binary,
    Call as Call,
    ChoiceValue as ChoiceValue,
    Compare as Compare,
    Conditional as Conditional,
    Expression as Expression,
    FlagValue as FlagValue,
    Given as Given,
    Infinity as Infinity,
    Logical as Logical,
    Match as Match,
    Negate as Negate,
    Not as Not,
    Number as Number,
    Reference as Reference,
    children as children,
    rebuild as rebuild,
    references as references,
    walk as walk,
)
from formula_eval.core.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written: one word or unit (`byte/token`, `flag`, a choice's name), or several words `a | b`."""

    alternatives: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """A name as written: `heads`, `params.total`, `operators.lm_head.time`, `row.count`."""

    path: tuple[str, ...]


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
