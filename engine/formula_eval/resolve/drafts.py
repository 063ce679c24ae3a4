"""Scope to draft nodes: every input, formula, cell and check with its elaborated expression."""

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from formula_eval.core import declaration as d
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice
from formula_eval.core.type import Flag
from formula_eval.core.type import Quantity
from formula_eval.core.type import Type
from formula_eval.resolve.elaborate import Elaborator
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import FILLED
from formula_eval.resolve.tables import row_names
from formula_eval.resolve.types import type_of
from formula_eval.resolve.unrolling import fill
from formula_eval.resolve.unrolling import unrolled


@dataclass(frozen=True, slots=True)
class Function:
    """A `def`: its parameters, its elaborated body, and what it gives."""

    name: str
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
            found[symbol.name] = Function(symbol.name, declared, body, type_, unit)
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

    def bound(x: e.Expression | None) -> float | None:
        if x is None:
            return None
        typed = elaborator.expression(x, type_)
        elaborator.check_fits(typed, type_, f"The range of `{declared.name}`", declared)
        return constant(typed[0])

    for number in declared.allowed:
        elaborator.check_fits(elaborator.expression(number), type_, f"The range of `{declared.name}`", declared)
    default = None
    if declared.default is not None:
        typed = elaborator.expression(declared.default, type_)
        elaborator.check_fits(typed, type_, f"`{declared.name}`", declared)
        default = unrolled(typed[0], scope)
    return Node(
        symbol.name,
        "input",
        type_,
        unit,
        default,
        declared,
        author=declared.default,
        supplier=declared.supplier,
        key=declared.name,
        optional=declared.optional,
        low=bound(declared.low),
        high=bound(declared.high),
        allowed=tuple(float(each.value) for each in declared.allowed),
    )


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
    if (isinstance(type_, Quantity) and not type_.whole and isinstance(typed[1], Quantity)) or (
        isinstance(type_, Quantity) and isinstance(typed[1], Quantity)
    ):
        type_ = Quantity(type_.dimension, whole=typed[1].whole)
    expression = unrolled(typed[0], scope)
    return Node(symbol.name, "formula", type_, unit, expression, declared, author=declared.expression)


def _cells(scope: Scope, symbol: Symbol, table: d.TableDeclaration) -> Iterator[Node]:
    types = {column.name: type_of(column.type, scope, symbol.namespace) for column in table.columns}
    elaborator = Elaborator(scope, symbol.namespace, {name: type_ for name, (type_, _) in types.items()})
    computed = {}
    for column in table.columns:
        if column.expression is not None:
            computed[column.name] = _elaborated(elaborator, column.expression, types[column.name][0], column)
    if table.supplier:
        yield from _record_rows(symbol, table, types, computed, scope)
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
            name = f"{symbol.name}.{row.name}.{column.name}"
            lowered = unrolled(fill(expression, places), scope)
            declared = _cell_declaration(column, row, author)
            yield Node(name, "cell", type_, unit, lowered, declared, author=author)


def _cell_declaration(
    column: d.ColumnDeclaration, row: d.RowDeclaration, author: e.Expression | None
) -> d.ColumnDeclaration:
    sentence = column.notes.sentence or row.notes.sentence
    span = author.span if author is not None else column.span
    notes = d.Notes(sentence, column.notes.symbol, column.notes.sources, column.notes.remarks)
    return d.ColumnDeclaration(name=column.name, type=column.type, expression=author, notes=notes, span=span)


def _elaborated(elaborator: Elaborator, x: e.Expression, type_: Type, declared: d.Declaration) -> e.Expression:
    typed = elaborator.expression(x, type_)
    elaborator.check_fits(typed, type_, f"`{declared.name}`", declared)
    return typed[0]


def _places(table: str, row: str, types: Mapping[str, object]) -> dict[str, e.Expression]:
    return {f".{name}": e.Reference(f"{table}.{row}.{name}", name) for name in types}


def _record_rows(
    symbol: Symbol,
    table: d.TableDeclaration,
    types: Mapping[str, tuple[Type, str]],
    computed: Mapping[str, e.Expression],
    scope: Scope,
) -> Iterator[Node]:
    for row in row_names(table):
        prefix = f"{symbol.name}.{row}"
        filled = e.Reference(f"{prefix}.{FILLED}", f"{row}.{FILLED}")
        off = e.FlagValue(value=False)
        yield Node(filled.node, "input", Flag(), "", off, table, supplier=table.supplier, key=f"{prefix}.{FILLED}")
        places = _places(symbol.name, row, types)
        for column in table.columns:
            type_, unit = types[column.name]
            name = f"{prefix}.{column.name}"
            if column.name in computed:
                lowered = unrolled(fill(computed[column.name], places), scope)
                yield Node(name, "cell", type_, unit, lowered, column, author=column.expression, guard=filled)
            else:
                zero = _nothing(type_)
                yield Node(name, "input", type_, unit, zero, column, supplier=table.supplier, key=name)


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
    yield Node(symbol.name, "check", Flag(), "", lowered, declared, author=declared.condition)
    for number, part in enumerate(declared.message):
        if not isinstance(part, str):
            expression, type_ = elaborator.expression(part)
            unit = _unit_of(expression, type_, scope)
            lowered = unrolled(expression, scope)
            yield Node(f"{symbol.name}.{number}", "message", type_, unit, lowered, declared, author=part)


def _unit_of(x: e.Expression, type_: Type, scope: Scope) -> str:
    if isinstance(x, e.Reference) and x.node in scope.symbols:
        declared = scope.symbols[x.node].declaration
        if isinstance(declared, d.InputDeclaration | d.FormulaDeclaration):
            return type_of(declared.type, scope.silent(), scope.symbols[x.node].namespace)[1]
    return str(type_.dimension) if isinstance(type_, Quantity) and type_.dimension.exponents else ""
