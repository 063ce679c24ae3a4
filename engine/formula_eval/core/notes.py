"""Defines the notes beneath a statement: sentence, symbol, sources, examples, the interval of a formula."""

from dataclasses import dataclass, field

from formula_eval.core.expression import Expression
from formula_eval.core.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Source:
    """A citation: a key of sources.toml and where in it."""

    key: str
    locator: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """Situations, givens as written, and the value they lead to; a given goes before what a situation says.

    A result that is to be computed yet, written `?`, is None.
    """

    givens: tuple[tuple[str, str | Expression], ...]
    expected: Expression | None
    situations: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ExpectedRange:
    """`interval low .. high`: the ends between which a formula's value may be expected."""

    low: Expression
    high: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes beneath a statement: what it says, how it is written, where it comes from, and examples."""

    sentence: str = ""  # what the statement declares, in plain words
    symbol: str = ""  # in LaTeX; empty if the name serves
    sources: tuple[Source, ...] = ()  # the works cited, each with a place in it
    derived: str = ""  # what it follows from, where no work says it
    remarks: tuple[str, ...] = ()  # the texts of its `note` lines, in order
    examples: tuple[Example, ...] = ()
    fitted: str = ""  # the runs that its number was fitted to
    interval: ExpectedRange | None = None  # of a formula: between which values it may be expected

    @property
    def told(self) -> tuple[str, ...]:
        """What a reader should know: the runs that it was fitted to, and the texts of its `note` lines."""
        return (f"Fitted to {self.fitted}.", *self.remarks) if self.fitted else self.remarks


NO_NOTES = Notes()
