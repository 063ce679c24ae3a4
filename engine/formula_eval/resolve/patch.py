"""Resolves a library after an edit: makes the nodes anew that the edit reaches, and keeps all others.

What the edit may do is bounded, so that whatever it does not reach is surely as it was; `patched` says None where that
does not hold, and the library is resolved as one that nobody has seen.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import Node
from formula_eval.core.notes import NO_NOTES
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable
from formula_eval.gc_pause import uncollected
from formula_eval.resolve.cycles import check_recursion
from formula_eval.resolve.declare import declare
from formula_eval.resolve.edited_columns import edited_columns, places, reaches_readers
from formula_eval.resolve.expand_calls import MOST_NODES, expand_calls
from formula_eval.resolve.mentions import EXPANDED, readers_of
from formula_eval.resolve.nodes import Function, functions_of, nodes_of
from formula_eval.resolve.other_records import literal_name
from formula_eval.resolve.patched_graph import TooFarError, patched_graph
from formula_eval.resolve.redirected import redirected
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope, Symbol

_SAME = ("choices", "kinds", "namespaces", "changes", "totals", "plain", "originals")


class Before(NamedTuple):
    """What chapters resolved to when some files were others: their graph, and what it is called in the cache."""

    resolved: Resolved
    key: str
    files: Collection[str]


def patched(before: Before, base: Resolved, chapters: Iterable[Chapter], units: UnitTable) -> Resolved | None:
    """What chapters on top of `base` resolve to; None where `before` does not help, or something is wrong."""
    try:
        with uncollected():
            scope = declare(chapters, units, base.scope, before.resolved.scope)
            return _Edit(before.resolved, before.key, before.files, base.scope, scope).resolved()
    except TooFarError:
        return None


@dataclass(slots=True)
class _Edit:
    """An edit of some files: what was there `before`, under its key, and what is declared now, on top of `base`.

    `own` are the statements that are not base, `symbols` those to make nodes of, `gone` the names that are no more, and
    `literals` the records that statements name which stay as they were. Of some tables only these `columns` are made.
    """

    before: Resolved
    key: str
    files: Collection[str]
    base: Scope
    scope: Scope
    own: list[Symbol] = field(default_factory=list)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    literals: set[tuple[str, str]] = field(default_factory=set)
    columns: dict[str, frozenset[str]] = field(default_factory=dict)

    def resolved(self) -> Resolved:
        """What there is now; raises TooFarError."""
        self._compare_declarations()
        functions, made = self._made()
        old = self._names_before()
        if len(self.before.written) + len(made) > MOST_NODES:
            raise TooFarError
        if any(name in self.before.written for name in made.keys() - old):
            raise TooFarError
        graph = patched_graph(self.before, made, old - made.keys(), self.scope)
        return replace(graph, functions=functions, patch_of=self.before.patch_of or (self.key, self.before))

    def _compare_declarations(self) -> None:
        now, old = self.scope, self.before.scope
        if (
            now.findings
            or now.broken
            or now.units.units != old.units.units
            or any(getattr(now, each) != getattr(old, each) for each in _SAME)
            or not all(
                places(change.declaration) == places(old.changes[name].declaration)
                for name, change in now.changes.items()
            )
        ):
            raise TooFarError
        for each in _SAME:
            setattr(now, each, getattr(old, each))
        self.gone = {*(old.symbols.keys() - now.symbols.keys())}
        self.own = [each for name, each in now.symbols.items() if each is not self.base.symbols.get(name)]
        for name, symbol in now.symbols.items():
            if (symbol is self.base.symbols.get(name) and name in old.symbols) or self._is_as_before(symbol):
                now.symbols[name] = old.symbols[name]
            else:
                self.symbols[name] = symbol
                columns = edited_columns(old.symbols[name], symbol) if name in old.symbols else None
                if columns is not None:
                    self.columns[name] = columns
        stays = self._stays_of()
        now.redirected = {span: name for span, name in old.redirected.items() if stays(span)}
        now.literals = {known: span for known, span in old.literals.items() if stays(span)}
        self.literals = {*now.literals}
        self._add_readers()

    def _is_as_before(self, symbol: Symbol) -> bool:
        """Whether a statement says the same as before, at the same place; an index may stand in another file."""
        old, now = self.before.scope.symbols.get(symbol.name), symbol.declaration
        if old is None or old is symbol:
            return old is symbol
        is_moved = now.span.file in self.files or isinstance(now, d.TableDeclaration)
        return old == symbol and (not is_moved or places(now) == places(old.declaration))

    def _stays_of(self) -> Callable[[Span], bool]:
        """Tells whether a place in the text before lies in a statement that stays as it was."""
        old = self.before.scope
        moved = {*self.symbols, *self.gone}
        symbols = ((symbol.declaration.span, name not in moved) for name, symbol in old.symbols.items())
        changes = ((change.declaration.span, True) for change in old.changes.values())
        starts = sorted(
            (span.file, span.line, stays) for span, stays in (*symbols, *changes) if span.file in self.files
        )

        def stays(span: Span) -> bool:
            place = bisect_right(starts, (span.file, span.line, True))
            return span.file not in self.files or (
                place > 0 and starts[place - 1][0] == span.file and starts[place - 1][2]
            )

        return stays

    def _add_readers(self) -> None:
        """Add the statements that mention one that means something else now, or whose text stands in their nodes."""
        found = {*self.gone, *(name for name, symbol in self.symbols.items() if self._concerns_readers(symbol))}
        if not found:
            return
        readers = readers_of(found, self.own, (self.scope, self.before.scope))
        self.symbols |= {name: self.scope.symbols[name] for name in readers - self.symbols.keys()}
        self.columns = {name: columns for name, columns in self.columns.items() if name not in readers}

    def _concerns_readers(self, symbol: Symbol) -> bool:
        old = self.before.scope.symbols.get(symbol.name)
        now, before = symbol.declaration, old.declaration if old else None
        if isinstance(now, d.FormulaDeclaration) and isinstance(before, d.FormulaDeclaration):
            return now.type != before.type or old is None or old.namespace != symbol.namespace
        if isinstance(now, d.CheckDeclaration):
            return False
        if old is not None and symbol.name in self.columns:
            return reaches_readers(old, symbol)
        if old is not None and _has_a_value(old) and _has_a_value(symbol):
            return _without_value(old) != _without_value(symbol)
        return isinstance(now, EXPANDED) or old is None or _wordless(old) != _wordless(symbol)

    def _made(self) -> tuple[dict[str, Function], dict[str, Node]]:
        """The functions, and the nodes of all statements that are made anew, before copies are made of them."""
        scope, kept = self.scope, self.before.functions
        symbols = [symbol for name, symbol in scope.symbols.items() if name in self.symbols]
        known = {
            name: function for name, function in kept.items() if name in scope.symbols and name not in self.symbols
        }
        functions = {**known, **functions_of(scope, symbols)}
        check_recursion(functions, scope)
        typed = list(nodes_of(scope, symbols, replace(scope, literals=dict(scope.literals)), self.columns))
        if scope.findings or scope.literals.keys() != self.before.scope.literals.keys():
            raise TooFarError
        made = expand_calls(typed, functions, scope, {})
        if scope.findings:
            raise TooFarError
        return functions, {name: redirected(node, scope) for name, node in made.items()}

    def _names_before(self) -> set[str]:
        """The nodes that these statements were."""
        concerned = {*(self.symbols.keys() - self.columns.keys()), *self.gone}
        for name, columns in self.columns.items():
            rows = self.symbols[name].table.rows
            concerned |= {f"{name}.{row.name}.{column}" for row in rows for column in columns}
        literals = {literal_name(*literal) for literal in self.before.scope.literals.keys() - self.literals}
        is_within = _Within(concerned)
        return {name for name in self.before.written if name in literals or is_within[name]}


class _Within(dict[str, bool]):
    """Whether a name, or one that it lies within, is one of some names."""

    def __init__(self, names: Collection[str]) -> None:
        """Look for these."""
        super().__init__({"": False})
        self._names = names

    def __missing__(self, name: str) -> bool:
        """The answer for a name that nobody asked about."""
        found = self[name] = name in self._names or self[name.rpartition(".")[0]]
        return found


def _wordless(symbol: Symbol) -> Symbol:
    """A symbol without what its statement says beside what it means: its sentence, sources and examples."""
    return symbol._replace(declaration=replace(symbol.declaration, notes=NO_NOTES), written=None)


def _has_a_value(symbol: Symbol) -> bool:
    """Whether it is an input with a default that no reader asks for, as it may for the record that one names."""
    declared = symbol.declaration
    return isinstance(declared, d.InputDeclaration) and not isinstance(declared.default, e.Name | None)


def _without_value(symbol: Symbol) -> Symbol:
    """What readers of an input depend on."""
    declared = symbol.declaration
    assert isinstance(declared, d.InputDeclaration)  # noqa: S101 - for the type checker
    return _wordless(symbol._replace(declaration=replace(declared, default=None)))
