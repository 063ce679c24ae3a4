"""Checks the `unit` statements of all chapters: a unit declared twice, a contradiction, a cycle."""

import re
from collections.abc import Iterable, Mapping, Sequence

from formula_eval.core import declaration as d
from formula_eval.core.closure import circle
from formula_eval.core.span import Span
from formula_eval.core.unit import UnknownUnitError
from formula_eval.core.unit_meaning import CENTS, PREFIXES, UnitMeaning, unit_of
from formula_eval.core.unit_words import spoken_help
from formula_eval.resolve.scope import Scope

_NAME = re.compile("[A-Za-z]+")
_NAMES = "Choose another name, for example its plural."


def check_units(scope: Scope, chapters: Sequence[d.Chapter], choices: Iterable[d.Declaration]) -> None:
    """Find what contradicts the table of units, and names that units bear too."""
    declared = [
        declaration
        for chapter in chapters
        for declaration in chapter.declarations
        if isinstance(declaration, d.UnitDeclaration)
    ]
    meanings = {declaration.name: declaration.meaning for declaration in reversed(declared)}
    first: dict[str, d.UnitDeclaration] = {}
    circular: set[str] = set()
    for declaration in declared:
        if declaration.name in first and first[declaration.name].span.file == declaration.span.file:
            before = first[declaration.name].span, "declared here first"
            message = f"The unit `{declaration.name}` is declared twice"
            scope.find("declared-twice", message, declaration.span, before, help="Keep one of them.")
        elif declaration.name not in circular:
            circular.update(_check_statement(scope, declaration, first, meanings))
        first.setdefault(declaration.name, declaration)
    places = {chapter.file: place for place, chapter in enumerate(chapters)}
    for named in [*(symbol.declaration for symbol in scope.symbols.values()), *choices]:
        if named.name in scope.units.units and not _are_apart(named, first.get(named.name), places):
            _bears_unit(scope, named, first.get(named.name))


def _are_apart(named: d.Declaration, unit: d.UnitDeclaration | None, places: Mapping[str, int]) -> bool:
    """Whether a library's unit bears the name of a quantity of one before: a unit stands behind a number or as a type.

    `places` says of files where they come among those that are looked at; all others come before.
    """
    if unit is None or not isinstance(named, d.InputDeclaration | d.FormulaDeclaration):
        return False
    is_later = places.get(named.span.file, -1) < places[unit.span.file]
    return is_later and _library(unit.span) != _library(named.span)


def _check_statement(
    scope: Scope,
    declaration: d.UnitDeclaration,
    first: Mapping[str, d.UnitDeclaration],
    meanings: Mapping[str, UnitMeaning],
) -> Sequence[str]:
    """Find prefixes or a unit that nobody knows, a cycle, another meaning; gives the units of the cycle."""
    unknown = next((form for form in declaration.meaning.forms if form not in (*PREFIXES, CENTS)), None)
    if unknown is not None:
        help_ = f"Known are {', '.join(f'`{form}`' for form in (*PREFIXES, CENTS))}."
        scope.find("unknown-prefix", f"No prefixes are called `{unknown}`", declaration.span, help=help_)
        return ()
    chain: Sequence[str] = ()
    if declaration.name not in scope.units.units:
        chain = circle(
            declaration.name, lambda name: [part for part in _NAME.findall(meanings[name].of) if part in meanings]
        )
    if chain:
        path = " -> ".join(f"`{name}`" for name in chain)
        help_ = "Say one of them by a unit that is none of these, or declare it `base`."
        scope.find(
            "cycle", f"The unit `{declaration.name}` is a multiple of itself: {path}", declaration.span, help=help_
        )
        return chain
    try:
        _check_meaning(scope, declaration, first)
    except UnknownUnitError as error:
        if str(error) == declaration.name:
            help_ = "Say it as a multiple of a unit that is nearer to it."
            scope.find(
                "bad-unit", f"The unit `{declaration.name}` is beyond what a number holds", declaration.span, help=help_
            )
            return ()
        near = spoken_help(str(error), scope.units) or scope.nearest(str(error), scope.units.units)
        help_ = near or f"Declare it: `unit {error} base`."
        scope.find("unknown-unit", f"Unknown unit `{error}`", declaration.span, help=help_)
    return ()


def _check_meaning(scope: Scope, declaration: d.UnitDeclaration, first: Mapping[str, d.UnitDeclaration]) -> None:
    """Find a unit, or one of its prefixes, that means something else already."""
    own = unit_of(declaration.meaning, scope.units)
    prefixed = declaration.meaning.prefixed
    others = [(name, own._replace(text=name, scale=scale * own.scale)) for name, scale in prefixed]
    for name, unit in [(declaration.name, own), *others]:
        known = scope.units.units.get(name)
        if known is None:
            raise UnknownUnitError(declaration.name)
        if (known.scale, known.dimension, known.is_count) == (unit.scale, unit.dimension, unit.is_count):
            continue
        message = f"The unit `{name}` means {known.meaning} already, and here {unit.meaning}"
        help_ = "A unit means the same everywhere: choose another name."
        before = [(first[name].span, "declared here first")] if name in first else []
        scope.find("other-unit", message, declaration.span, *before, help=help_)
        return


def _bears_unit(scope: Scope, declared: d.Declaration, unit: d.UnitDeclaration | None) -> None:
    """A name of the folders that is a unit too; where a library declares the unit and we the name, it is the unit."""
    name = declared.name
    if unit is not None and _library(unit.span) and not _library(declared.span):
        label = declared.span, "declared here"
        message = f"The name of the unit `{name}` is already taken"
        scope.find("reserved-name", message, unit.span, label, help=_NAMES)
    else:
        labels = (declared.span,) if unit is None else (declared.span, (unit.span, "declared here"))
        scope.find("reserved-name", f"`{name}` is a unit", *labels, help=_NAMES)


def _library(span: Span) -> str:
    """The folder of the library that a place lies in; our own has none."""
    return span.file.rpartition("formulas/")[0]
