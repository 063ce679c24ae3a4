"""Scope to nodes: every function, input, formula, cell and check with its checked expression."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Flag, Quantity, Type
from formula_eval.resolve.cells import cells_of
from formula_eval.resolve.domains import domain_of
from formula_eval.resolve.expand_sums import unrolled
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.typecheck import TypeChecker, type_of


@dataclass(frozen=True, slots=True)
class Function:
    """A `def`: its parameters, its checked body, and what it gives."""

    name: str
    namespace: str
    declaration: d.FunctionDeclaration
    body: e.Expression
    type: Type
    unit: str


def functions_of(scope: Scope) -> dict[str, Function]:
    """All `def`s with their bodies checked."""
    found = {}
    for symbol in scope.symbols.values():
        declared = symbol.declaration
        if isinstance(declared, d.FunctionDeclaration):
            own = {each.name: type_of(each.type, scope, symbol.namespace)[0] for each in declared.parameters}
            type_, unit = type_of(declared.type, scope, symbol.namespace)
            checker = TypeChecker(scope, symbol.namespace, own)
            body = unrolled(checker.checked(declared.expression, type_, declared)[0], scope)
            found[symbol.name] = Function(symbol.name, symbol.namespace, declared, body, type_, unit)
    return found


def nodes_of(scope: Scope) -> Iterator[Node]:
    """All other declarations as nodes, in their order."""
    for symbol in scope.symbols.values():
        declared = symbol.declaration
        if isinstance(declared, d.InputDeclaration):
            yield _input(scope, symbol, declared)
        elif isinstance(declared, d.FormulaDeclaration):
            yield _formula(scope, symbol, declared)
        elif isinstance(declared, d.TableDeclaration):
            yield from cells_of(scope, symbol, declared)
        elif isinstance(declared, d.CheckDeclaration):
            yield from _check(scope, symbol, declared)


def _input(scope: Scope, symbol: Symbol, declared: d.InputDeclaration) -> Node:
    type_, unit = type_of(declared.type, scope, symbol.namespace)
    checker = TypeChecker(scope, symbol.namespace)
    default = None
    if declared.default is not None:
        default = unrolled(checker.checked(declared.default, type_, declared)[0], scope)
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
        **domain_of(checker, declared, type_)._asdict(),
    )


def _formula(scope: Scope, symbol: Symbol, declared: d.FormulaDeclaration) -> Node:
    type_, unit = type_of(declared.type, scope, symbol.namespace)
    typed = TypeChecker(scope, symbol.namespace).checked(declared.expression, type_, declared)
    if isinstance(type_, Quantity) and isinstance(typed[1], Quantity):
        type_ = Quantity(type_.dimension, whole=typed[1].whole)
    expression = unrolled(typed[0], scope)
    space = symbol.namespace
    return Node(symbol.name, "formula", type_, unit, expression, declared, declared.expression, namespace=space)


def _check(scope: Scope, symbol: Symbol, declared: d.CheckDeclaration) -> Iterator[Node]:
    checker = TypeChecker(scope, symbol.namespace)
    lowered = unrolled(checker.checked(declared.condition, Flag(), declared)[0], scope)
    space = symbol.namespace
    yield Node(symbol.name, "check", Flag(), "", lowered, declared, declared.condition, namespace=space)
    for number, part in enumerate(declared.message):
        if not isinstance(part, str):
            expression, type_ = checker.check(part)
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
