"""Chapters to scope: every declared name once, none hidden by another."""

from collections.abc import Iterable

from formula_eval.core import declaration as d
from formula_eval.core.type import Choice
from formula_eval.core.unit import UnitTable
from formula_eval.resolve.scope import SUPPLIERS
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.scope import qualified


def declare(chapters: Iterable[d.Chapter], units: UnitTable) -> Scope:
    """The scope of all chapters, with findings for names declared twice or hidden."""
    scope = Scope(units)
    for chapter in chapters:
        parts = chapter.namespace.split(".") if chapter.namespace else []
        scope.namespaces.update(".".join(parts[: n + 1]) for n in range(len(parts)))
        for declaration in chapter.declarations:
            _declare(scope, chapter.namespace, declaration)
    for symbol in list(scope.symbols.values()):
        _check_hidden(scope, symbol)
        _check_inner_names(scope, symbol.declaration)
    return scope


def _declare(scope: Scope, namespace: str, declaration: d.Declaration) -> None:
    name = qualified(namespace, declaration.name)
    if isinstance(declaration, d.ChoiceDeclaration):
        if name in scope.choices:
            scope.find("declared-twice", f"The choice `{name}` is declared twice", declaration.span)
        scope.choices[name] = Choice(declaration.values, name)
        return
    before = scope.symbols.get(name)
    if before is not None:
        first = (before.declaration.span, "declared here first")
        help_ = "Rename one of them."
        scope.find("declared-twice", f"`{name}` is declared twice", declaration.span, first, help=help_)
        return
    scope.symbols[name] = Symbol(name, namespace, declaration)


def _check_hidden(scope: Scope, symbol: Symbol) -> None:
    short = symbol.declaration.name
    root = scope.symbols.get(short)
    if symbol.namespace and root is not None:
        message = f"`{symbol.name}` would hide `{short}` of the root"
        other = (root.declaration.span, "declared in the root here")
        scope.find("hidden-name", message, symbol.declaration.span, other, help="Give it a name of its own.")
    if symbol.name in scope.namespaces:
        message = f"`{symbol.name}` is also a folder of formulas"
        scope.find("hidden-name", message, symbol.declaration.span, help="Rename one of them.")
    if isinstance(symbol.declaration, d.InputDeclaration) and symbol.declaration.supplier not in ("", *SUPPLIERS):
        message = f"No records supply `{symbol.declaration.supplier}`"
        known = ", ".join(f"`{each}`" for each in SUPPLIERS)
        scope.find("unknown-supplier", message, symbol.declaration.span, help=f"Inputs come from {known}.")


def _check_inner_names(scope: Scope, declaration: d.Declaration) -> None:
    if isinstance(declaration, d.FunctionDeclaration):
        _check_unique(scope, declaration.parameters, "parameter")
    elif isinstance(declaration, d.TableDeclaration):
        _check_unique(scope, declaration.columns, "column")
        _check_unique(scope, declaration.rows, "row")
        _check_cells(scope, declaration)


def _check_unique(scope: Scope, declarations: Iterable[d.Declaration], kind: str) -> None:
    seen: dict[str, d.Declaration] = {}
    for each in declarations:
        if each.name in seen:
            first = (seen[each.name].span, "declared here first")
            scope.find("declared-twice", f"The {kind} `{each.name}` is declared twice", each.span, first)
        seen[each.name] = each


def _check_cells(scope: Scope, table: d.TableDeclaration) -> None:
    columns = {column.name: column for column in table.columns}
    if table.supplier and table.rows:
        message = f"The table `{table.name}` takes its rows from records and cannot have rows of its own"
        scope.find("table-rows", message, table.rows[0].span, help="Drop `from`, or the rows.")
    if not table.supplier and not table.rows:
        message = f"The table `{table.name}` has no rows"
        scope.find("table-rows", message, table.span, help='Add `row name "sentence"` with its cells beneath.')
    if table.supplier and table.supplier not in (*SUPPLIERS, "scenario"):
        known = ", ".join(f"`{each}`" for each in (*SUPPLIERS, "scenario"))
        message = f"No records supply `{table.supplier}`"
        scope.find("unknown-supplier", message, table.span, help=f"Rows come from {known}.")
    if table.supplier and not 1 <= table.at_most <= 64:  # noqa: PLR2004 - said in the message
        scope.find("table-rows", "A table takes at least 1 and at most 64 rows from a record", table.span)
    for row in table.rows:
        given = [name for name, _ in row.cells]
        for name in dict.fromkeys(given):
            if name not in columns:
                help_ = f"Its columns are {', '.join(f'`{each}`' for each in columns)}."
                scope.find("unknown-column", f"The table `{table.name}` has no column `{name}`", row.span, help=help_)
            if given.count(name) > 1:
                scope.find("declared-twice", f"The cell `{row.name}.{name}` is given twice", row.span)
        missing = [name for name, column in columns.items() if column.expression is None and name not in given]
        if missing:
            listed = ", ".join(f"`{each}`" for each in missing)
            message = f"The row `{row.name}` lacks {listed}"
            scope.find("missing-cell", message, row.span, help="What a model lacks counts 0: write the cell all the same.")
