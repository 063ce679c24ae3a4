"""Looks up names: in their own folder, then in those around it up to the root; all others must be spelled out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from types import UnionType
from typing import NamedTuple

from formula_eval.core import declaration as d
from formula_eval.core.change import Change
from formula_eval.core.diagnostic import Diagnostic, Label, nearest, spell_out
from formula_eval.core.namespace import ROOT, around, qualified, readings
from formula_eval.core.record_kind import RecordKind
from formula_eval.core.span import Span
from formula_eval.core.type import Choice
from formula_eval.core.unit import UnitTable

# Names that searches for advice may look at, all findings together: with thousands of mistakes, the first have advice.
MOST_COMPARED = 100_000


class ColumnHome(NamedTuple):
    """Where a column of a table was written: the folders of its type and of its text, and the columns seen there."""

    of_type: str
    of_text: str
    columns: frozenset[str]
    inherited: bool


class Symbol(NamedTuple):
    """A declared thing: its qualified name, its namespace and what its author wrote.

    The declaration of a table is whole: `written` is as it stands in the chapter, `homes` says where each column was
    written, and `like` which tables it is like. A quantity of a part is one `of` the
    part's folder, an end of an interval one `of` its formula.
    """

    name: str
    namespace: str
    declaration: d.Declaration
    homes: Mapping[str, ColumnHome] = {}
    like: tuple[str, ...] = ()
    written: d.Declaration | None = None
    of: str = ""

    @property
    def table(self) -> d.TableDeclaration:
        """The declaration of a table."""
        assert isinstance(self.declaration, d.TableDeclaration)  # noqa: S101 - for the type checker
        return self.declaration


# A symbol that a path names, and the rest of the path: row and column of a table.
Found = tuple[Symbol, tuple[str, ...]]


@dataclass(slots=True)
class Scope:
    """All that is declared, and the findings so far; `words` are the places of words of a choice, where wanted."""

    units: UnitTable  # that types and numbers may name
    symbols: dict[str, Symbol] = field(default_factory=dict)  # by name with its folders
    choices: dict[str, Choice] = field(default_factory=dict)  # their words, by name with its folders
    chosen: dict[str, d.ChoiceDeclaration] = field(default_factory=dict)  # the declarations of these choices
    kinds: dict[str, RecordKind] = field(default_factory=dict)  # of records, by name
    records: dict[str, d.RecordDeclaration] = field(default_factory=dict)  # the declarations of these kinds
    namespaces: set[str] = field(default_factory=set)  # folders of chapters, and those around them
    broken: set[str] = field(default_factory=set)  # names whose statement could not be read
    findings: list[Diagnostic] = field(default_factory=list)
    compared: int = 0  # names that searches for advice have looked at
    words: set[Span] | None = None
    changes: dict[str, Change] = field(default_factory=dict)  # by what each brings
    totals: dict[str, str] = field(default_factory=dict)  # what all read instead of an extended input
    plain: dict[str, str] = field(default_factory=dict)  # formulas that read such an input as it was given
    redirected: dict[Span, str] = field(default_factory=dict)  # names in the text that mean such a total
    originals: dict[Span, str] = field(default_factory=dict)  # what an `original` or a limit in the text is about
    literals: dict[tuple[str, str], Span] = field(default_factory=dict)  # records that a `with` names by kind and id

    def find(self, code: str, message: str, *labels: Span | tuple[Span, str], help: str = "") -> None:  # noqa: A002 - the field's name
        """Add a finding, unless the same has been said of this place, or in these words of its line."""
        made = tuple(Label(label) if isinstance(label, Span) else Label(*label) for label in labels)
        if not any(_is_same(finding, code, message, made) for finding in self.findings):
            self.findings.append(Diagnostic(code, message, made, help))

    def nearest(self, word: str, known: Iterable[str]) -> str:
        """'Did you mean ...?' with the nearest of these names, or nothing."""
        if self.advice_exhausted:
            return ""
        names = list(known)
        self.compared += len(names)
        return nearest(word, names)

    def nearest_declared(
        self, word: str, namespace: str, kinds: type[d.Declaration] | UnionType, more: Iterable[str] = ()
    ) -> str:
        """'Did you mean ...?' with the nearest declared names of these kinds, as a folder writes them, or nothing."""
        found = self._searched(lambda name: isinstance(self.symbols[name].declaration, kinds))
        near = around(namespace)
        symbols = (self.symbols[name] for name in found)
        names = (symbol.declaration.name if symbol.namespace in near else symbol.name for symbol in symbols)
        return self.nearest(word, [*more, *names])

    def nearest_input(
        self, word: str, namespace: str, kinds: UnionType | type[d.Declaration] = d.InputDeclaration
    ) -> str:
        """The same of inputs and of kinds of records, which a question may name too; where one stands, if elsewhere."""
        elsewhere = [name for name in self.ending(word) if isinstance(self.symbols[name].declaration, kinds)]
        return spell_out(elsewhere) or self.nearest_declared(
            word, namespace, kinds, [kind.word for kind in self.kinds.values()]
        )

    def ending(self, last: str) -> list[str]:
        """The declared names of some folder that end so, for advice."""
        return self._searched(lambda name: name.endswith(f".{last}"))

    def inside(self, namespace: str) -> list[str]:
        """The declared names of a folder, for advice."""
        return self._searched(lambda name: name.startswith(f"{namespace}."))

    def _searched(self, fits: Callable[[str], bool]) -> list[str]:
        if self.advice_exhausted:
            return []
        self.compared += len(self.symbols)
        return [name for name in self.symbols if fits(name)]

    @property
    def advice_exhausted(self) -> bool:
        """Whether advice was sought so often that more of it would only take time."""
        return self.compared >= MOST_COMPARED

    def continued(self, units: UnitTable) -> "Scope":
        """A scope that knows the same, to which more can be declared; this one stays as it is."""
        found = replace(self, units=units)
        for each in fields(found):
            held = getattr(found, each.name)
            if isinstance(held, dict | set | list):
                setattr(found, each.name, held.copy())
        return found

    def silent(self) -> "Scope":
        """The scope without its findings, and so without advice: a declared type complains where it is declared."""
        return replace(self, findings=[], compared=MOST_COMPARED)

    def reading(self, name: str) -> "Scope":
        """The scope for the text of one formula: the terms of an extended input read what was given for it."""
        own = self.plain.get(name)
        return replace(self, totals={k: v for k, v in self.totals.items() if k != own}) if own else self

    def lookup(self, path: tuple[str, ...], namespace: str) -> Found | None:
        """What a path means as seen from a namespace; `root.name` is one of the root, whatever else bears that name."""
        return self._seen(path, namespace) or (self._seen(path[1:], "") if path[0] == ROOT and path[1:] else None)

    def _seen(self, path: tuple[str, ...], namespace: str) -> Found | None:
        partless: Symbol | None = None
        for space in around(namespace):
            symbol = self.symbols.get(qualified(space, path[0]))
            if symbol is not None and (len(path) == 1 or isinstance(symbol.declaration, d.TableDeclaration)):
                return symbol, path[1:]
            partless = partless or symbol
        for space in around(namespace):
            for length in range(len(path) - 1, 0, -1):
                symbol = self.symbols.get(qualified(space, ".".join(path[: length + 1])))
                if symbol is not None:
                    return symbol, path[length + 1 :]
        return None if partless is None else (partless, path[1:])

    def declared(self, path: tuple[str, ...], namespace: str, kind: type | UnionType) -> Symbol | None:
        """What a path means, if that is a statement of this kind and the path names nothing within it."""
        found = self.lookup(path, namespace)
        return found[0] if found is not None and not found[1] and isinstance(found[0].declaration, kind) else None

    def original(self, symbol: Symbol) -> Symbol:
        """What a quantity of a part is a quantity of; any other symbol itself."""
        while symbol.of:
            symbol = self.symbols[symbol.of]
        return symbol

    def folder_of_part(self, path: tuple[str, ...], namespace: str) -> str:
        """The folder that the part uses which a path names; nothing where it names no part."""
        found = self.lookup(path, namespace)
        declared = found[0].declaration if found is not None and not found[1] else None
        return ".".join(declared.folder.path) if isinstance(declared, d.PartDeclaration) else ""

    def is_broken(self, path: tuple[str, ...], namespace: str) -> bool:
        """Whether a path may name a statement that could not be read."""
        starts = {".".join(path[: length + 1]) for length in range(len(path))}
        return not self.broken.isdisjoint(starts | {qualified(space, path[0]) for space in around(namespace)})

    def choice(self, name: str, namespace: str) -> Choice | None:
        """The choice of this name as seen from a namespace."""
        found = (self.choices.get(reading) for reading in readings(name, namespace))
        return next((each for each in found if each is not None), None)

    def visible(self, namespace: str) -> Iterator[str]:
        """All names that could be written here, for the nearest one."""
        for name, symbol in self.symbols.items():
            yield name
            if symbol.namespace and symbol.namespace in around(namespace):
                yield symbol.declaration.name


def _is_same(found: Diagnostic, code: str, message: str, made: tuple[Label, ...]) -> bool:
    """Whether a finding says this already: of a value that has one wrong unit, or in the same words of its line."""
    if found.code != code or not found.labels or not made:
        return False
    one, other = found.labels[0].span, made[0].span
    return (one == other and code == "unit-mismatch") or (found.message == message and one[:2] == other[:2])
