"""Describes where an expression stands: the names that it may use there, and the way to check its parts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from formula_eval.core import expression as e
from formula_eval.core.type import Type
from formula_eval.resolve.scope import Found, Scope, Symbol
from formula_eval.resolve.typecheck.units import Typed


@dataclass(frozen=True, slots=True)
class Context(ABC):
    """A folder, and what the place itself names: `own` columns or parameters, `rows` of the comprehensions around.

    In a column of a `sequence` a value may read the row `before` it, where another one is given for the first row;
    in one of a table that takes rows of another, that row, `taken`, where another one is given for rows of its own.
    The rule of each kind of expression takes one, and checks the parts of its expression with it.
    """

    scope: Scope  # where all other names are looked up
    namespace: str  # the folder, empty at the root
    own: Mapping[str, Type] = field(default_factory=dict)
    rows: Mapping[str, Symbol] = field(default_factory=dict)
    sequence: bool = False
    before: bool = False
    taken: str = ""

    @abstractmethod
    def check(self, x: e.Expression, expected: Type | None = None) -> Typed:
        """The checked expression and its type; words are looked up in the expected choice."""

    def lookup(self, path: tuple[str, ...]) -> Found | None:
        """What a path means here, and the rest of the path."""
        return self.scope.lookup(path, self.namespace)

    def is_broken(self, path: tuple[str, ...]) -> bool:
        """Whether a path may name a statement that could not be read."""
        return self.scope.is_broken(path, self.namespace)

    def undeclared(self, name: str, advice: str) -> str:  # noqa: ARG002 - others advise by the name
        """What to do about a name that nothing is near to: declare it, as the advice says."""
        return advice

    def within(self, row: str, table: Symbol) -> Self:
        """The context inside a comprehension over the rows of a table."""
        return replace(self, rows={**self.rows, row: table})

    def naming(self, name: str, type_: Type) -> Self:
        """The context in which a piece of this type has a name."""
        return replace(self, own={**self.own, name: type_})

    def behind(self) -> Self:
        """The context of a value that may read the row before."""
        return replace(self, before=True)

    def silent(self) -> Self:
        """The same context, which reports no findings."""
        return replace(self, scope=self.scope.silent())
