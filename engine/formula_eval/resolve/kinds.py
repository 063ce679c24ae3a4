"""Declares the kinds of records that `record` statements of all chapters name, and finds what is wrong with them."""

import re
from collections.abc import Iterable, Iterator, Mapping

from formula_eval.core import declaration as d
from formula_eval.core.closure import closure
from formula_eval.core.diagnostic import listed
from formula_eval.core.option_names import OPTIONS, option_of
from formula_eval.core.record_kind import RecordKind, in_order
from formula_eval.resolve.scope import Scope

_PATH = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:/|\.toml))")


def declare_kinds(scope: Scope, chapters: Iterable[d.Chapter]) -> None:
    """Put the kinds of records of all chapters into the scope, whatever folder declares them."""
    declared = dict(scope.records)
    for statement in _statements(chapters):
        if _is_new(scope, statement, declared):
            declared[statement.name] = statement
    for declaration in declared.values():
        _check_suppliers(scope, declaration, declared)
        _check_path(scope, declaration)
    found = {name: _kind(declaration, declared) for name, declaration in declared.items()}
    circle = next((name for name in found if _is_circle(name, found)), None)
    if circle is not None:
        message = f"A record of `{circle}` would name another one of its kind, by way of those that it names"
        scope.find("record-circle", message, declared[circle].span, help="Drop a `from`.")
        found = {name: kind._replace(suppliers=()) for name, kind in found.items()}
    scope.records.update(declared)
    scope.kinds = {kind.name: kind for kind in in_order(found.values())}


def _statements(chapters: Iterable[d.Chapter]) -> Iterator[d.RecordDeclaration]:
    for chapter in chapters:
        yield from (declaration for declaration in chapter.declarations if isinstance(declaration, d.RecordDeclaration))


def _kind(declaration: d.RecordDeclaration, declared: Mapping[str, d.RecordDeclaration]) -> RecordKind:
    suppliers = tuple(name for name in declaration.suppliers if name in declared)
    place = declaration.span.place
    return RecordKind(
        declaration.name,
        declaration.path,
        declaration.default,
        suppliers,
        declaration.alias,
        declaration.notes.sentence,
        place,
    )


def _is_new(scope: Scope, declaration: d.RecordDeclaration, declared: Mapping[str, d.RecordDeclaration]) -> bool:
    """Whether its names are free; a finding says who has them."""
    words = {word: one for one in declared.values() for word in (one.name, one.alias) if word}
    taken = next((word for word in (declaration.name, declaration.alias) if word in words), None)
    if taken is not None:
        first = (words[taken].span, "declared here first")
        message = f"The kind of records `{taken}` is declared twice"
        scope.find("declared-twice", message, declaration.span, first, help="Rename one of them.")
        return False
    word = declaration.alias or declaration.name
    if word in OPTIONS:
        message = f"`{option_of(word)}` is another option already, so no kind of records can be said by it"
        name, path = declaration.name, declaration.path
        help_ = f"Give it another name, or one for its option: `record {name} in {path} as my_{name}`."
        scope.find("reserved-name", message, declaration.span, help=help_)
    return True


def _check_suppliers(
    scope: Scope, declaration: d.RecordDeclaration, declared: Mapping[str, d.RecordDeclaration]
) -> None:
    for supplier in declaration.suppliers:
        if supplier not in declared:
            help_ = scope.nearest(supplier, declared) or f"Kinds of records are {listed([*declared])}."
            scope.find("unknown-supplier", f"No records supply `{supplier}`", declaration.span, help=help_)


def _check_path(scope: Scope, declaration: d.RecordDeclaration) -> None:
    if not _PATH.fullmatch(declaration.path):
        message = f"`{declaration.path}` is neither a folder nor a TOML file within the library"
        name = declaration.name
        folder = RecordKind(name, declaration.path).plural
        help_ = f"Write `record {name} in {folder}/`, or `in {name}.toml`, as seen from the library."
        scope.find("bad-path", message, declaration.span, help=help_)


def _is_circle(name: str, kinds: Mapping[str, RecordKind]) -> bool:
    return name in closure(kinds[name].suppliers, lambda each: kinds[each].suppliers)


def known_kinds(scope: Scope, word: str, what: str, *more: str) -> str:
    """Which records inputs or rows come from, as advice, and how to declare a kind where there is none."""
    known = (*scope.kinds, *more)
    near = scope.nearest(word, known)
    return near or (
        f"{what} come from {listed(known)}." if known else f"Declare the kind: `record {word} in {word}s/`."
    )
