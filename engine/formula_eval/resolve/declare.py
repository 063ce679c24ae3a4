"""Declares every name of the chapters once in a scope, and reports names that hide each other."""

from collections.abc import Iterable

from formula_eval.core import declaration as d
from formula_eval.core.builtins import BUILTINS, LOWERED
from formula_eval.core.change import library_folder, library_name
from formula_eval.core.namespace import around, qualified
from formula_eval.core.type import Choice
from formula_eval.core.unit import UnitTable
from formula_eval.resolve.changes import WrittenChange, apply_changes
from formula_eval.resolve.kinds import declare_kinds, known_kinds
from formula_eval.resolve.part_statements import declare_parts
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.table_rows import take_rows
from formula_eval.resolve.table_shapes import complete_tables
from formula_eval.resolve.tables import check_table
from formula_eval.resolve.unit_statements import check_units
from formula_eval.resolve.use import check_uses, spelled_out

# Words that no statement declares; `first(... for row in table)` is told from a call of a function of that name.
TAKEN = frozenset({*BUILTINS, *LOWERED, "scenario", "flag", "whole", "date"})


def declare(
    chapters: Iterable[d.Chapter], units: UnitTable, base: Scope | None = None, before: Scope | None = None
) -> Scope:
    """The scope of all chapters, with findings for names declared twice or hidden.

    `base` is the scope of sound chapters before these; it stays as it is, as does that of these `before` an edit.
    """
    scope = Scope(units) if base is None else base.continued(units)
    chapters = [spelled_out(chapter) for chapter in chapters]
    declare_kinds(scope, chapters)
    changes = [change for chapter in chapters for change in _declare_all(scope, chapter)]
    check_units(scope, chapters, [*scope.chosen.values(), *scope.records.values()])
    for chapter in chapters:
        check_uses(scope, chapter)
    _complete_tables(scope, before)
    symbols = list(scope.symbols.values())
    apply_changes(scope, changes)
    take_rows(scope)
    for symbol in symbols:
        _check_hidden(scope, symbol)
        _check_inner_names(scope, scope.symbols[symbol.name])
    declare_parts(scope, chapters)
    for name, declaration in scope.chosen.items():
        _check_choice(scope, name, declaration)
    return scope


def _complete_tables(scope: Scope, before: Scope | None) -> None:
    for symbol in scope.symbols.values():
        if isinstance(symbol.declaration, d.TableDeclaration):
            _check_unique(scope, symbol.declaration.columns, "column")
    is_like = before is not None and (before.units.units, before.choices) == (scope.units.units, scope.choices)
    complete_tables(scope, before.symbols if before is not None and is_like else {})


def _declare_all(scope: Scope, chapter: d.Chapter) -> list[WrittenChange]:
    """Declare what a chapter names; what it changes of other chapters is left for later."""
    changes: list[WrittenChange] = []
    scope.namespaces.update(around(chapter.namespace)[:-1])
    scope.broken.update(qualified(chapter.namespace, name) for name in chapter.broken)
    for declaration in chapter.declarations:
        if isinstance(declaration, d.ChangeDeclaration):
            changes.append(WrittenChange(chapter.namespace, declaration))
            continue
        _check_reserved(scope, declaration)
        if isinstance(declaration, d.ChoiceDeclaration):
            _declare_choice(scope, qualified(chapter.namespace, declaration.name), declaration)
        elif not isinstance(declaration, d.RecordDeclaration | d.UnitDeclaration):
            _declare(scope, chapter.namespace, declaration)
            for end in d.ends_of(declaration):
                _declare(scope, chapter.namespace, end, of=qualified(chapter.namespace, declaration.name))
    return changes


def _check_reserved(scope: Scope, declaration: d.Declaration) -> None:
    message = ""
    if declaration.name in TAKEN:
        message = f"`{declaration.name}` is a word of the language"
    elif declaration.name in scope.kinds and not isinstance(declaration, d.RecordDeclaration):
        message = f"`{declaration.name}` is a kind of records ({scope.kinds[declaration.name].place})"
    if message:
        scope.find("reserved-name", message, declaration.span, help="Choose another name.")


def _declare(scope: Scope, namespace: str, declaration: d.Declaration, of: str = "") -> None:
    name = qualified(namespace, declaration.name)
    before = scope.symbols.get(name)
    if before is not None:
        first = (before.declaration.span, "declared here first")
        help_ = "Rename one of them."
        if library_name(declaration.span.file) != library_name(before.declaration.span.file):
            help_ = (
                f"Rename one of them; to change the other one, write `extend {name} + ...` or `replace {name} = ...`."
            )
        scope.find("declared-twice", f"`{name}` is declared twice", declaration.span, first, help=help_)
        return
    scope.symbols[name] = Symbol(name, namespace, declaration, of=of)


def _declare_choice(scope: Scope, name: str, declaration: d.ChoiceDeclaration) -> None:
    if name in scope.chosen:
        first = (scope.chosen[name].span, "declared here first")
        message = f"The choice `{name}` is declared twice"
        scope.find("declared-twice", message, declaration.span, first, help="Rename one of them.")
        return
    scope.chosen[name] = declaration
    scope.choices[name] = Choice(declaration.values, name)


def _check_choice(scope: Scope, name: str, declaration: d.Declaration) -> None:
    if declaration.name != name and declaration.name in scope.choices:
        message = f"The choice `{name}` would hide `{declaration.name}` of the root"
        scope.find("hidden-name", message, declaration.span, help="Give it a name of its own.")


def _check_hidden(scope: Scope, symbol: Symbol) -> None:
    short = symbol.declaration.name
    outer = [qualified(space, short) for space in around(symbol.namespace)[1:]]
    hidden = next((scope.symbols[name] for name in outer if name in scope.symbols), None)
    if hidden is not None and not _may_hide(scope, symbol, hidden):
        where = f"of `{hidden.namespace}`" if hidden.namespace else "of the root"
        message = f"`{symbol.name}` would hide `{short}` {where}"
        place = "declared there" if hidden.namespace else "declared in the root here"
        other = (hidden.declaration.span, place)
        scope.find("hidden-name", message, symbol.declaration.span, other, help="Give it a name of its own.")
    if symbol.name in scope.namespaces:
        message = f"`{symbol.name}` is also a folder of formulas"
        scope.find("hidden-name", message, symbol.declaration.span, help="Rename one of them.")
    if isinstance(symbol.declaration, d.InputDeclaration) and symbol.declaration.supplier not in ("", *scope.kinds):
        message = f"No records supply `{symbol.declaration.supplier}`"
        scope.find(
            "unknown-supplier",
            message,
            symbol.declaration.span,
            help=known_kinds(scope, symbol.declaration.supplier, "Inputs"),
        )


def _may_hide(scope: Scope, symbol: Symbol, hidden: Symbol) -> bool:
    """Whether a library's own name goes before one of another library, which nobody else can mean in its folder."""
    own, space = library_folder(symbol.declaration.span.file), symbol.namespace
    if hidden.namespace or library_folder(hidden.declaration.span.file) == own:
        return False
    files = (
        each.declaration.span.file for each in scope.symbols.values() if f"{each.namespace}.".startswith(f"{space}.")
    )
    return all(library_folder(file) == own for file in files)


def _check_inner_names(scope: Scope, symbol: Symbol) -> None:
    declaration = symbol.declaration
    if isinstance(declaration, d.FunctionDeclaration):
        _check_unique(scope, declaration.parameters, "parameter")
        for parameter in declaration.parameters:
            hidden = scope.lookup((parameter.name,), symbol.namespace)
            if hidden is not None and hidden[0].namespace:
                message = f"The parameter `{parameter.name}` would hide `{hidden[0].name}`"
                other = (hidden[0].declaration.span, "declared here")
                scope.find("hidden-name", message, parameter.span, other, help="Give the parameter a name of its own.")
    elif isinstance(declaration, d.TableDeclaration):
        _check_unique(scope, declaration.rows, "row")
        check_table(scope, symbol, declaration)


def _check_unique(scope: Scope, declarations: Iterable[d.Declaration], kind: str) -> None:
    seen: dict[str, d.Declaration] = {}
    for declaration in declarations:
        if declaration.name in seen:
            first = (seen[declaration.name].span, "declared here first")
            message = f"The {kind} `{declaration.name}` is declared twice"
            scope.find("declared-twice", message, declaration.span, first, help="Rename one of them.")
        seen[declaration.name] = declaration
