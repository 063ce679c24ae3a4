"""What an author declares, as `language` reads it: one class for each kind of statement."""

from dataclasses import dataclass, field

from formula_eval.core.expression import Expression, Number
from formula_eval.core.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written: one word or unit (`byte/token`, `flag`, a choice's name), or several words `a | b`."""

    alternatives: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Source:
    """A citation: a key of sources.toml and where in it."""

    key: str
    locator: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """Givens as written, and the value they lead to."""

    givens: tuple[tuple[str, str | Expression], ...]
    expected: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Notes:
    """What stands beneath an equation."""

    sentence: str = ""
    symbol: str = ""
    sources: tuple[Source, ...] = ()
    derived: str = ""
    remarks: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Any statement: its name, its notes and where it stands."""

    name: str
    notes: Notes = Notes()
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceDeclaration(Declaration):
    """`choice name = a | b`."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputDeclaration(Declaration):
    """`input name: type = default from supplier in low .. high`, or `in a | b`, or `optional`."""

    type: TypeText | None = None
    default: Expression | None = None
    supplier: str = ""
    low: Expression | None = None
    high: Expression | None = None
    allowed: tuple[Number, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaDeclaration(Declaration):
    """`name: type = expression`."""

    type: TypeText | None = None
    expression: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterDeclaration(Declaration):
    """`name: type` of a `def`."""

    type: TypeText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDeclaration(Declaration):
    """`def name(parameters) -> type = expression`."""

    parameters: tuple[ParameterDeclaration, ...]
    type: TypeText | None = None
    expression: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDeclaration(Declaration):
    """`name: type` of a table, with `= expression` where it is computed.

    One that a record supplies is declared as an input is, `name: type = default from supplier in low .. high`.
    """

    type: TypeText | None = None
    expression: Expression | None = None
    default: Expression | None = None
    supplier: str = ""
    low: Expression | None = None
    high: Expression | None = None
    allowed: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDeclaration(Declaration):
    """`row name "sentence"` with `column = expression` lines."""

    cells: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDeclaration(Declaration):
    """`table name`, with rows of its own or `from supplier at least m at most n`."""

    columns: tuple[ColumnDeclaration, ...] = ()
    rows: tuple[RowDeclaration, ...] = ()
    supplier: str = ""
    at_least: int = 0
    at_most: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDeclaration(Declaration):
    """`check name level: condition` with the message beneath; its parts are texts and the names between them."""

    level: str
    condition: Expression
    message: tuple[str | Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One `.formula` file: its namespace (dotted folders, the root is empty), docstring and statements in order.

    `broken` names the statements that could not be read, so that nobody complains that they are unknown.
    """

    file: str
    namespace: str
    docstring: str
    declarations: tuple[Declaration, ...]
    broken: tuple[str, ...] = ()
