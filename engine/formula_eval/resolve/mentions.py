"""Finds the names that statements mention, and which statements mean something else when some of these do."""

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.notes import Notes
from formula_eval.resolve.scope import Scope, Symbol

EXPANDED = (d.FunctionDeclaration, d.SituationDeclaration)  # what stands in the nodes of those who name it


def paths_of(part: object) -> Iterator[tuple[str, ...]]:
    """Every name in the expressions of a statement, those of functions and of types too."""
    if isinstance(part, e.Name):
        yield part.path
    elif isinstance(part, e.TypeText):
        yield from (tuple(alternative.split(".")) for alternative in part.alternatives)
    elif isinstance(part, tuple):
        for each in part:
            yield from paths_of(each)
    elif isinstance(part, Notes):
        yield from paths_of(part.interval)
    elif is_dataclass(part):
        if isinstance(part, d.ChangeDeclaration):
            yield tuple(part.name.split("."))
        if isinstance(part, e.Call):
            yield tuple(part.function.split("."))
        for field in fields(part):
            yield from paths_of(getattr(part, field.name))


def readers_of(names: Collection[str], symbols: Collection[Symbol], scopes: Collection[Scope]) -> set[str]:
    """Those of the symbols that mention one of the names, as any of the scopes understands it.

    One that mentions a reader whose text stands in its nodes, as that of a function does, is a reader too.
    """
    known = {symbol.name: symbol.declaration for symbol in symbols}
    mentioned = {symbol.name: frozenset(_mentioned(symbol, scopes)) for symbol in symbols}
    found: set[str] = set()
    waiting = names
    while waiting:
        readers = {reader for reader, read in mentioned.items() if not read.isdisjoint(waiting)} - found
        waiting = {reader for reader in readers if _hands_on(known[reader])}
        found |= readers
    return found


def _mentioned(symbol: Symbol, scopes: Collection[Scope]) -> Iterator[str]:
    for path in set(paths_of(symbol.declaration)):
        for scope in scopes:
            found = scope.lookup(path, symbol.namespace)
            if found is not None:
                yield found[0].name


def _hands_on(declared: d.Declaration) -> bool:
    """Whether what a statement mentions stands in the nodes of its readers, as words of rows do that it takes."""
    return isinstance(declared, EXPANDED) or (isinstance(declared, d.TableDeclaration) and declared.rows_of is not None)
