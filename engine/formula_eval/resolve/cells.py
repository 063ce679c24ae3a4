"""A table to the nodes of its cells: stated or computed row by row, or inputs where records fill the rows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node
from formula_eval.core.table import FILLED, Cell
from formula_eval.core.type import Choice, Flag, Type
from formula_eval.resolve.domains import domain_of
from formula_eval.resolve.expand_sums import fill, unrolled
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.tables import always_filled, row_names
from formula_eval.resolve.typecheck import TypeChecker, type_of


def cells_of(scope: Scope, symbol: Symbol, table: d.TableDeclaration) -> Iterator[Node]:
    """The cells of a table, row by row."""
    types = {column.name: type_of(column.type, scope, symbol.namespace) for column in table.columns}
    checker = TypeChecker(scope, symbol.namespace, {name: type_ for name, (type_, _) in types.items()})
    computed = {}
    for column in table.columns:
        if column.expression is not None:
            computed[column.name] = checker.checked(column.expression, types[column.name][0], column)[0]
    if table.supplier:
        yield from _record_rows(scope, symbol, table, types, {**computed, **_defaults(checker, table, types)})
        return
    for row in table.rows:
        places = _places(symbol.name, row.name, types)
        given = dict(row.cells)
        for column in table.columns:
            type_, unit = types[column.name]
            author = given.get(column.name, column.expression)
            if column.name in given:
                expression = checker.checked(given[column.name], type_, column)[0]
            elif column.name in computed:
                expression = computed[column.name]
            else:
                continue
            lowered = unrolled(fill(expression, places), scope)
            declared = _cell_declaration(column, row, author)
            yield _cell(symbol, row.name, Node(column.name, "cell", type_, unit, lowered, declared, author))


def _cell(symbol: Symbol, row: str, node: Node) -> Node:
    """A node that bears the name of a column, as the cell in one row."""
    cell = Cell(symbol.name, row, node.name)
    return replace(node, name=".".join(cell), namespace=symbol.namespace, cell=cell)


def _cell_declaration(
    column: d.ColumnDeclaration, row: d.RowDeclaration, author: e.Expression | None
) -> d.ColumnDeclaration:
    sentence = column.notes.sentence or row.notes.sentence
    span = author.span if author is not None else column.span
    notes = d.Notes(sentence, column.notes.symbol, column.notes.sources, column.notes.derived, column.notes.remarks)
    return d.ColumnDeclaration(name=column.name, type=column.type, expression=author, notes=notes, span=span)


def _places(table: str, row: str, types: Mapping[str, object]) -> dict[str, e.Expression]:
    return {f".{name}": e.Reference(f"{table}.{row}.{name}", name) for name in types}


def _defaults(
    checker: TypeChecker, table: d.TableDeclaration, types: Mapping[str, tuple[Type, str]]
) -> dict[str, e.Expression]:
    """The checked defaults of a table's open columns; the own name of one of them is that of something outside."""
    found = {}
    for column in table.columns:
        if column.default is not None:
            others = {name: type_ for name, type_ in checker.own.items() if name != column.name}
            outside = replace(checker, own=others)
            found[column.name] = outside.checked(column.default, types[column.name][0], column)[0]
    return found


def _record_rows(
    scope: Scope,
    symbol: Symbol,
    table: d.TableDeclaration,
    types: Mapping[str, tuple[Type, str]],
    expressions: Mapping[str, e.Expression],
) -> Iterator[Node]:
    """The cells of a table that records fill: inputs, and what is computed from them, each where its row is filled."""
    checker = TypeChecker(scope, symbol.namespace)
    columns = [each for each in table.columns if each.expression is None]
    domains = {each.name: domain_of(checker, each, types[each.name][0]) for each in columns}
    for row in row_names(table):
        filled = None
        if row not in always_filled(table):
            flag = _filled(symbol, table, row)
            filled = e.Reference(flag.name, f"{row}.{FILLED}")
            yield flag
        places = _places(symbol.name, row, types)
        for column in table.columns:
            type_, unit = types[column.name]
            expression, guard = _nothing(type_), None
            if column.name in expressions:
                expression, guard = unrolled(fill(expressions[column.name], places), scope), filled
            author = column.expression or column.default
            cell = _cell(symbol, row, Node(column.name, "cell", type_, unit, expression, column, author, guard))
            if column.expression is None:
                domain = domains[column.name]._asdict()
                cell = replace(cell, kind="input", supplier=table.supplier, key=cell.name, **domain)
            yield cell


def _filled(symbol: Symbol, table: d.TableDeclaration, row: str) -> Node:
    """The input that says whether a row is there."""
    notes = d.Notes(f"Row {row} of `{table.name}` is there")
    declared = d.ColumnDeclaration(name=FILLED, type=d.TypeText(("flag",)), notes=notes, span=table.span)
    flag = _cell(symbol, row, Node(FILLED, "input", Flag(), "", e.FlagValue(value=False), declared))
    return replace(flag, supplier=table.supplier, key=flag.name)


def _nothing(type_: Type) -> e.Expression:
    if isinstance(type_, Flag):
        return e.FlagValue(value=False)
    if isinstance(type_, Choice):
        return e.ChoiceValue(type_.values[0], 0)
    return e.Number("0", value=Fraction(0))
