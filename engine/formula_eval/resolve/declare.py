"""Chapters to scope: every declared name once, none hidden by another."""

from collections.abc import Iterable

from formula_eval.core import declaration as d
from formula_eval.core.builtins import BUILTINS, OVER_ROWS
from formula_eval.core.namespace import around, qualified
from formula_eval.core.type import Choice
from formula_eval.core.unit import UnitTable
from formula_eval.resolve.scope import SUPPLIERS, Scope, Symbol
from formula_eval.resolve.tables import check_table

_TAKEN = frozenset({*BUILTINS, *OVER_ROWS, *SUPPLIERS, "scenario", "flag", "whole"})


def declare(chapters: Iterable[d.Chapter], units: UnitTable) -> Scope:
    """The scope of all chapters, with findings for names declared twice or hidden."""
    scope = Scope(units)
    declared: dict[str, d.Declaration] = {}
    for chapter in chapters:
        scope.namespaces.update(around(chapter.namespace)[:-1])
        scope.broken.update(qualified(chapter.namespace, name) for name in chapter.broken)
        for declaration in chapter.declarations:
            if declaration.name in _TAKEN:
                help_ = "Choose another name."
                message = f"`{declaration.name}` is a word of the language"
                scope.find("reserved-name", message, declaration.span, help=help_)
            if isinstance(declaration, d.ChoiceDeclaration):
                _declare_choice(scope, qualified(chapter.namespace, declaration.name), declaration, declared)
            else:
                _declare(scope, chapter.namespace, declaration)
    for symbol in list(scope.symbols.values()):
        _check_hidden(scope, symbol)
        _check_inner_names(scope, symbol)
    for name in scope.choices:
        _check_choice(scope, name, declared[name])
    return scope


def _declare(scope: Scope, namespace: str, declaration: d.Declaration) -> None:
    name = qualified(namespace, declaration.name)
    before = scope.symbols.get(name)
    if before is not None:
        first = (before.declaration.span, "declared here first")
        help_ = "Rename one of them."
        scope.find("declared-twice", f"`{name}` is declared twice", declaration.span, first, help=help_)
        return
    scope.symbols[name] = Symbol(name, namespace, declaration)


def _declare_choice(
    scope: Scope, name: str, declaration: d.ChoiceDeclaration, declared: dict[str, d.Declaration]
) -> None:
    if name in declared:
        first = (declared[name].span, "declared here first")
        message = f"The choice `{name}` is declared twice"
        scope.find("declared-twice", message, declaration.span, first, help="Rename one of them.")
        return
    declared[name] = declaration
    scope.choices[name] = Choice(declaration.values, name)


def _check_choice(scope: Scope, name: str, declaration: d.Declaration) -> None:
    if declaration.name != name and declaration.name in scope.choices:
        message = f"The choice `{name}` would hide `{declaration.name}` of the root"
        scope.find("hidden-name", message, declaration.span, help="Give it a name of its own.")


def _check_hidden(scope: Scope, symbol: Symbol) -> None:
    short = symbol.declaration.name
    outer = [qualified(space, short) for space in around(symbol.namespace)[1:]]
    hidden = next((scope.symbols[name] for name in outer if name in scope.symbols), None)
    if hidden is not None:
        where = f"of `{hidden.namespace}`" if hidden.namespace else "of the root"
        message = f"`{symbol.name}` would hide `{short}` {where}"
        place = "declared there" if hidden.namespace else "declared in the root here"
        other = (hidden.declaration.span, place)
        scope.find("hidden-name", message, symbol.declaration.span, other, help="Give it a name of its own.")
    if symbol.name in scope.namespaces:
        message = f"`{symbol.name}` is also a folder of formulas"
        scope.find("hidden-name", message, symbol.declaration.span, help="Rename one of them.")
    if isinstance(symbol.declaration, d.InputDeclaration) and symbol.declaration.supplier not in ("", *SUPPLIERS):
        message = f"No records supply `{symbol.declaration.supplier}`"
        known = ", ".join(f"`{each}`" for each in SUPPLIERS)
        scope.find("unknown-supplier", message, symbol.declaration.span, help=f"Inputs come from {known}.")


def _check_inner_names(scope: Scope, symbol: Symbol) -> None:
    declaration = symbol.declaration
    if isinstance(declaration, d.FunctionDeclaration):
        _check_unique(scope, declaration.parameters, "parameter")
        for parameter in declaration.parameters:
            hidden = scope.lookup((parameter.name,), symbol.namespace)
            if hidden is not None:
                message = f"The parameter `{parameter.name}` would hide `{hidden[0].name}`"
                other = (hidden[0].declaration.span, "declared here")
                scope.find("hidden-name", message, parameter.span, other, help="Give the parameter a name of its own.")
    elif isinstance(declaration, d.TableDeclaration):
        _check_unique(scope, declaration.columns, "column")
        _check_unique(scope, declaration.rows, "row")
        check_table(scope, declaration)


def _check_unique(scope: Scope, declarations: Iterable[d.Declaration], kind: str) -> None:
    seen: dict[str, d.Declaration] = {}
    for each in declarations:
        if each.name in seen:
            first = (seen[each.name].span, "declared here first")
            message = f"The {kind} `{each.name}` is declared twice"
            scope.find("declared-twice", message, each.span, first, help="Rename one of them.")
        seen[each.name] = each
