"""Defines the declarations that `language` parses: one class for each kind of statement."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from formula_eval.core.data_file import DataFile
from formula_eval.core.expression import Binding, Expression, Name, Number, Situation, Solve, TypeText, Where, walk
from formula_eval.core.notes import NO_NOTES, ExpectedRange, Notes
from formula_eval.core.span import NOWHERE, Span
from formula_eval.core.unit_meaning import UnitMeaning

LEVELS = ("refuse", "warn", "note")  # what follows where a check does not hold, the worst first
PREVIOUS = "previous"  # the row before, in a column of a sequence
ORIGINAL = "original"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Any statement: its name, its notes and where it stands."""

    name: str
    notes: Notes = NO_NOTES
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def kind(self) -> str:
        """What sort of statement it is, in a word: `formula`, `input`, `table`."""
        return type(self).__name__.removesuffix("Declaration").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceDeclaration(Declaration):
    """`choice name = a | b`."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppliedDeclaration(Declaration):
    """`name: type = default from supplier in low .. high`, or `in a | b`: what a person or a record may give."""

    type: TypeText | None = None
    default: Expression | None = None
    supplier: str = ""
    low: Expression | None = None
    high: Expression | None = None
    allowed: tuple[Number, ...] = ()  # the numbers of `in a | b`; empty if not listed


@dataclass(frozen=True, slots=True, kw_only=True)
class InputDeclaration(SuppliedDeclaration):
    """`input name: type = ...`, or `optional`."""

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
class UnknownDeclaration(ParameterDeclaration):
    """The unknown of a `solve`, for the nodes that are one of its values, the answer or a trial, or places of them."""

    is_trial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDeclaration(Declaration):
    """`def name(parameters) -> type = expression`."""

    parameters: tuple[ParameterDeclaration, ...]
    type: TypeText | None = None
    expression: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDeclaration(SuppliedDeclaration):
    """`name: type` of a table, with `= expression` where it is computed."""

    expression: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDeclaration(Declaration):
    """`row name "sentence"` with `column = expression` lines."""

    cells: tuple[tuple[str, Expression], ...] = ()
    namespace: str | None = field(default=None, compare=False)  # of the chapter that adds it to another one's table


@dataclass(frozen=True, slots=True)
class Loop:
    """`for name in 1 | 2 | 4`, `for name in low .. high at most n` or `for choice`: a row for each value or word.

    Of several, `for a in 1 .. 3, b in 1 .. 4`, there is a row for each combination, the last one changing first.
    """

    variable: str
    values: tuple[Expression, ...] = ()
    high: Expression | None = None
    at_most: int = 0
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def is_bounded(self) -> bool:
        """Whether inputs say where it ends."""
        return self.high is not None and not isinstance(self.high, Number)


@dataclass(frozen=True, slots=True)
class RowsOf:
    """`for row in table if condition`: the rows of another table, all or some; what columns read of them is `row.x`."""

    row: str
    table: Name
    condition: Expression | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDeclaration(Declaration):
    """`table name`, with rows of its own, `from supplier at least m at most n`, `for` some values or rows of another.

    `like` names a table whose columns it takes; one without rows is a shape for others; others may add rows to
    one that is `open`. What `resolve` looks at has all columns and rows, those that a loop makes or that it takes.
    """

    columns: tuple[ColumnDeclaration, ...] = ()
    rows: tuple[RowDeclaration, ...] = ()
    supplier: str = ""
    at_least: int = 0  # rows that every record fills; 0 for none
    at_most: int = 0  # most rows of a record; 0 without a supplier
    like: Name | None = None
    loops: tuple[Loop, ...] = ()  # one for each index
    file: DataFile | None = None  # what gives the cells of open columns
    rows_of: RowsOf | None = None  # the table whose rows it takes
    taken: frozenset[str] = frozenset()  # the rows that it takes from there, where it is complete
    open: bool = False

    @property
    def indices(self) -> tuple[str, ...]:
        """What the rows of a sequence go through; nothing for other tables, those of a choice among them."""
        return tuple(loop.variable for loop in self.loops if loop.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDeclaration(Declaration):
    """`record name in folder/ default id from other as alias`, or `in file.toml`."""

    path: str
    default: str = ""
    suppliers: tuple[str, ...] = ()
    alias: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SituationDeclaration(Declaration):
    """`situation name: input = value, ...`."""

    bindings: tuple[Binding | Situation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDeclaration(SituationDeclaration):
    """`part name = folder with input = value, situation`: the quantities of a folder as they are then, by its name."""

    folder: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class UseDeclaration(Declaration):
    """`use folder.(name, ...)`: these names of that folder stand alone in the chapter; its own name is the folder."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDeclaration(Declaration):
    """`check name level: condition` with the message beneath; its parts are texts and the names between them.

    `units` says of each part in which unit it is shown, where its author says so: `{share in percent}`. One that tells
    what a library changed says in `change` who, what was done, and to what: `vision`, `extends`, `params.total`.
    """

    level: str
    condition: Expression
    message: tuple[str | Expression, ...] = ()
    units: tuple[TypeText | None, ...] = ()
    change: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDeclaration(Declaration):
    """`unit km = 1000 m`, `unit EUR base`, `unit pixel count`; known everywhere, whatever the folder."""

    meaning: UnitMeaning


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDeclaration(Declaration):
    """A change to what another chapter declares; its name is that of the changed thing, as written here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionDeclaration(ChangeDeclaration):
    """`extend name + term if condition`; `operator` is `+`, `*`, `and`, `or`, `at most` or `at least`."""

    term: Expression
    condition: Expression | None = None
    operator: str = "+"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedRowsDeclaration(ChangeDeclaration):
    """`extend table`, with rows for it."""

    rows: tuple[RowDeclaration, ...] = ()

    @property
    def kind(self) -> str:
        """`extension`, as that by a term."""
        return "extension"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacementDeclaration(ChangeDeclaration):
    """`replace name = expression`, in which `original` is the formula that it replaces."""

    expression: Expression

    @property
    def originals(self) -> tuple[Name, ...]:
        """Where it reads the formula that it replaces."""
        return tuple(x for x in walk(self.expression) if isinstance(x, Name) and x.path[0] == ORIGINAL)


def local_names(declared: Declaration) -> tuple[str, ...]:
    """What a statement names for itself alone: parameters of a `def`, pieces of a `where`, the unknown of a `solve`."""
    parameters = declared.parameters if isinstance(declared, FunctionDeclaration) else ()
    body = getattr(declared, "expression", None)
    pieces = body.pieces if isinstance(body, Where) else ()
    unknowns = (node.unknown for node in walk(body) if isinstance(node, Solve)) if body is not None else ()
    return (*(parameter.name for parameter in parameters), *(piece.name for piece in pieces), *unknowns)


def ends_of(declared: Declaration) -> Iterator["FormulaDeclaration"]:
    """The formulas that the interval of a formula declares: `time_low` and `time_high`."""
    interval = declared.notes.interval
    if interval is None or not isinstance(declared, FormulaDeclaration):
        return
    for end, expression in (("low", interval.low), ("high", interval.high)):
        sentence = f"{declared.notes.sentence}, {end} end of its interval"
        notes = Notes(sentence, derived=f"the interval of {declared.name}")
        name = f"{declared.name}_{end}"
        yield FormulaDeclaration(name=name, type=declared.type, expression=expression, notes=notes, span=interval.span)


def expressions_of(part: object) -> Iterator[Expression]:
    """What a statement or a part of one computes with, in order; of its notes, the interval alone."""
    if isinstance(part, Expression):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from expressions_of(each)
    elif isinstance(part, Declaration | Loop | RowsOf | ExpectedRange):
        for each in fields(part):
            yield from expressions_of(getattr(part, each.name))
    elif isinstance(part, Notes):
        yield from expressions_of(part.interval)


@dataclass(frozen=True, slots=True)
class Chapter:
    """One `.formula` file: its namespace (dotted folders, the root is empty), docstring and statements in order.

    `broken` names the statements that could not be read, so that nobody complains that they are unknown.
    """

    file: str
    namespace: str
    docstring: str
    declarations: tuple[Declaration, ...]  # all statements but `use`
    broken: tuple[str, ...] = ()
    uses: tuple[UseDeclaration, ...] = ()  # statements that let names of other folders stand alone
