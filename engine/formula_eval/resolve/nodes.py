"""Scope to draft nodes: every input, formula, cell and check with its elaborated expression."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node
from formula_eval.core.table import FILLED, Cell
from formula_eval.core.type import Choice, Flag, Quantity, Type
from formula_eval.resolve.expand_sums import fill, unrolled
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.tables import always_filled, row_names
from formula_eval.resolve.typecheck.annotations import type_of
from formula_eval.resolve.typecheck.checker import Elaborator


@dataclass(frozen=True, slots=True)
class Function:
    """A `def`: its parameters, its elaborated body, and what it gives."""

    name: str
    namespace: str
    declaration: d.FunctionDeclaration
    body: e.Expression
    type: Type
    unit: str


def functions_of(scope: Scope) -> dict[str, Function]:
    """All `def`s with their bodies elaborated."""
    found = {}
    for symbol in scope.symbols.values():
        declared = symbol.declaration
        if isinstance(declared, d.FunctionDeclaration):
            own = {each.name: type_of(each.type, scope, symbol.namespace)[0] for each in declared.parameters}
            type_, unit = type_of(declared.type, scope, symbol.namespace)
            elaborator = Elaborator(scope, symbol.namespace, own)
            typed = elaborator.expression(declared.expression, type_)
            elaborator.check_fits(typed, type_, f"`{declared.name}`", declared)
            body = unrolled(typed[0], scope)
            found[symbol.name] = Function(symbol.name, symbol.namespace, declared, body, type_, unit)
    return found


def drafts_of(scope: Scope) -> Iterator[Node]:
    """All other declarations as nodes, in their order."""
    for symbol in scope.symbols.values():
        declared = symbol.declaration
        if isinstance(declared, d.InputDeclaration):
            yield _input(scope, symbol, declared)
        elif isinstance(declared, d.FormulaDeclaration):
            yield _formula(scope, symbol, declared)
        elif isinstance(declared, d.TableDeclaration):
            yield from _cells(scope, symbol, declared)
        elif isinstance(declared, d.CheckDeclaration):
            yield from _check(scope, symbol, declared)


def _input(scope: Scope, symbol: Symbol, declared: d.InputDeclaration) -> Node:
    type_, unit = type_of(declared.type, scope, symbol.namespace)
    elaborator = Elaborator(scope, symbol.namespace)
    default = None
    if declared.default is not None:
        default = unrolled(_elaborated(elaborator, declared.default, type_, declared), scope)
    return Node(
        symbol.name,
        "input",
        type_,
        unit,
        default,
        declared,
        author=declared.default,
        namespace=symbol.namespace,
        supplier=declared.supplier,
        key=declared.name,
        optional=declared.optional,
        **_domain(elaborator, declared, type_)._asdict(),
    )


class _Domain(NamedTuple):
    """The values that an input takes."""

    low: float | None
    high: float | None
    allowed: tuple[float, ...]


def _domain(elaborator: Elaborator, declared: d.InputDeclaration | d.ColumnDeclaration, type_: Type) -> _Domain:
    def bound(x: e.Expression | None) -> float | None:
        if x is None:
            return None
        typed = elaborator.expression(x, type_)
        elaborator.check_fits(typed, type_, f"The range of `{declared.name}`", declared)
        return constant(typed[0])

    for number in declared.allowed:
        elaborator.check_fits(elaborator.expression(number), type_, f"The range of `{declared.name}`", declared)
    return _Domain(bound(declared.low), bound(declared.high), tuple(float(each.value) for each in declared.allowed))


def constant(x: e.Expression) -> float:
    """The value of a literal, its sign included."""
    if isinstance(x, e.Negate):
        return -constant(x.operand)
    return float(x.value) if isinstance(x, e.Number) else float("inf")


def _formula(scope: Scope, symbol: Symbol, declared: d.FormulaDeclaration) -> Node:
    type_, unit = type_of(declared.type, scope, symbol.namespace)
    elaborator = Elaborator(scope, symbol.namespace)
    typed = elaborator.expression(declared.expression, type_)
    elaborator.check_fits(typed, type_, f"`{declared.name}`", declared)
    if isinstance(type_, Quantity) and isinstance(typed[1], Quantity):
        type_ = Quantity(type_.dimension, whole=typed[1].whole)
    expression = unrolled(typed[0], scope)
    space = symbol.namespace
    return Node(symbol.name, "formula", type_, unit, expression, declared, declared.expression, namespace=space)


def _cells(scope: Scope, symbol: Symbol, table: d.TableDeclaration) -> Iterator[Node]:
    types = {column.name: type_of(column.type, scope, symbol.namespace) for column in table.columns}
    elaborator = Elaborator(scope, symbol.namespace, {name: type_ for name, (type_, _) in types.items()})
    computed = {}
    for column in table.columns:
        if column.expression is not None:
            computed[column.name] = _elaborated(elaborator, column.expression, types[column.name][0], column)
    if table.supplier:
        yield from _record_rows(scope, symbol, table, types, {**computed, **_defaults(elaborator, table, types)})
        return
    for row in table.rows:
        places = _places(symbol.name, row.name, types)
        given = dict(row.cells)
        for column in table.columns:
            type_, unit = types[column.name]
            author = given.get(column.name, column.expression)
            if column.name in given:
                expression = _elaborated(elaborator, given[column.name], type_, column)
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


def _elaborated(elaborator: Elaborator, x: e.Expression, type_: Type, declared: d.Declaration) -> e.Expression:
    typed = elaborator.expression(x, type_)
    elaborator.check_fits(typed, type_, f"`{declared.name}`", declared)
    return typed[0]


def _places(table: str, row: str, types: Mapping[str, object]) -> dict[str, e.Expression]:
    return {f".{name}": e.Reference(f"{table}.{row}.{name}", name) for name in types}


def _defaults(
    elaborator: Elaborator, table: d.TableDeclaration, types: Mapping[str, tuple[Type, str]]
) -> dict[str, e.Expression]:
    """The elaborated defaults of a table's open columns; the own name of one of them is that of something outside."""
    found = {}
    for column in table.columns:
        if column.default is not None:
            others = {name: type_ for name, type_ in elaborator.own.items() if name != column.name}
            place = replace(elaborator, own=others)
            found[column.name] = _elaborated(place, column.default, types[column.name][0], column)
    return found


def _record_rows(
    scope: Scope,
    symbol: Symbol,
    table: d.TableDeclaration,
    types: Mapping[str, tuple[Type, str]],
    expressions: Mapping[str, e.Expression],
) -> Iterator[Node]:
    """The cells of a table that records fill: inputs, and what is computed from them, each where its row is filled."""
    elaborator = Elaborator(scope, symbol.namespace)
    columns = [each for each in table.columns if each.expression is None]
    domains = {each.name: _domain(elaborator, each, types[each.name][0]) for each in columns}
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


def _check(scope: Scope, symbol: Symbol, declared: d.CheckDeclaration) -> Iterator[Node]:
    elaborator = Elaborator(scope, symbol.namespace)
    condition = elaborator.expression(declared.condition)
    elaborator.check_fits(condition, Flag(), f"`{declared.name}`", declared)
    lowered = unrolled(condition[0], scope)
    space = symbol.namespace
    yield Node(symbol.name, "check", Flag(), "", lowered, declared, declared.condition, namespace=space)
    for number, part in enumerate(declared.message):
        if not isinstance(part, str):
            expression, type_ = elaborator.expression(part)
            unit = _unit_of(expression, type_, scope)
            lowered = unrolled(expression, scope)
            name = f"{symbol.name}.{number}"
            message = Node(name, "message", type_, unit, lowered, declared, part, namespace=space)
            yield replace(message, owner=symbol.name)


def _unit_of(x: e.Expression, type_: Type, scope: Scope) -> str:
    if isinstance(x, e.Reference) and x.node in scope.symbols:
        declared = scope.symbols[x.node].declaration
        if isinstance(declared, d.InputDeclaration | d.FormulaDeclaration):
            return type_of(declared.type, scope.silent(), scope.symbols[x.node].namespace)[1]
    return str(type_.dimension) if isinstance(type_, Quantity) and type_.dimension.exponents else ""
