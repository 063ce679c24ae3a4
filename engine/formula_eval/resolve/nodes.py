"""Type-checks every declaration in a scope: makes functions of the `def`s and nodes of all others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import AnyQuantity, Flag, Quantity, Record, Type
from formula_eval.core.unit import NO_UNIT, Unit, UnknownUnitError
from formula_eval.core.unit_words import spoken_help
from formula_eval.resolve.cells import cells_of
from formula_eval.resolve.domains import domain_of
from formula_eval.resolve.expand_sums import unrolled
from formula_eval.resolve.other_records import is_id, literal_records, record_input, refuse_id
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.typecheck import TypeChecker, check_situation, described, type_of
from formula_eval.resolve.typecheck.units import Unknown


@dataclass(frozen=True, slots=True)
class Function:
    """A `def`: its parameters, its checked body, and what it gives."""

    name: str  # with its folders
    namespace: str  # folder whose names its body uses
    declaration: d.FunctionDeclaration  # as its author wrote it
    body: e.Expression
    type: Type  # of its value
    unit: Unit  # in which its value is declared


def functions_of(scope: Scope, symbols: Iterable[Symbol]) -> dict[str, Function]:
    """The `def`s among these symbols with their bodies checked."""
    found = {}
    for symbol in symbols:
        declared = symbol.declaration
        if isinstance(declared, d.FunctionDeclaration):
            own = {
                parameter.name: type_of(parameter.type, scope, symbol.namespace)[0] for parameter in declared.parameters
            }
            type_, unit = type_of(declared.type, scope, symbol.namespace)
            checker = TypeChecker(scope, symbol.namespace, own)
            body = unrolled(checker.checked(declared.expression, type_, declared)[0], scope)
            found[symbol.name] = Function(symbol.name, symbol.namespace, declared, body, type_, unit)
    return found


def nodes_of(
    scope: Scope, symbols: Iterable[Symbol], base: Scope, columns: Mapping[str, Collection[str]]
) -> Iterator[Node]:
    """All other declarations among these symbols as nodes, in their order; then the records that `with`s name by id.

    `base` is the scope whose nodes are there already; of some sequences only these `columns` are wanted.
    """
    for symbol in symbols:
        declared = symbol.declaration
        if isinstance(declared, d.InputDeclaration):
            yield _input(scope, symbol, declared)
        elif isinstance(declared, d.FormulaDeclaration):
            yield _formula(scope, symbol, declared)
        elif isinstance(declared, d.TableDeclaration):
            yield from cells_of(scope, symbol, declared, columns.get(symbol.name))
        elif isinstance(declared, d.CheckDeclaration):
            yield from _check(scope, symbol, declared)
        elif isinstance(declared, d.SituationDeclaration):
            check_situation(TypeChecker(scope, symbol.namespace), symbol)
        elif not isinstance(declared, d.FunctionDeclaration):
            raise TypeError(f"nodes.py lacks a case for a {declared.kind}")
    yield from literal_records(scope, base.literals)


def _input(scope: Scope, symbol: Symbol, declared: d.InputDeclaration) -> Node:
    type_, unit = type_of(declared.type, scope, symbol.namespace)
    checker = TypeChecker(scope, symbol.namespace)
    default = None
    if is_id(declared.default) and not isinstance(type_, Record) and declared.default is not None:
        refuse_id(scope, declared.name, declared.default)
    elif declared.default is not None and not isinstance(type_, Record):
        default = unrolled(checker.checked(declared.default, type_, declared)[0], scope)
    node = Node(
        symbol.name,
        "input",
        type_,
        unit,
        default,
        declared,
        author=None if default is None else declared.default,
        namespace=symbol.namespace,
        supplier=declared.supplier,
        key=symbol.name,
        optional=declared.optional,
        **domain_of(checker, declared, type_)._asdict(),
    )
    return record_input(scope, node)


def _formula(scope: Scope, symbol: Symbol, declared: d.FormulaDeclaration) -> Node:
    type_, unit = type_of(declared.type, scope, symbol.namespace)
    change = scope.changes.get(symbol.name)
    is_added = change is not None and isinstance(change.declaration, d.ExtensionDeclaration)
    what = f"What {change.told[1]} `{change.target}`" if change is not None and is_added else ""
    typed = TypeChecker(scope.reading(symbol.name), symbol.namespace).checked(
        declared.expression, type_, declared, what
    )
    if isinstance(type_, Quantity) and isinstance(typed[1], Quantity):
        type_ = Quantity(type_.dimension, whole=typed[1].whole)
    expression = unrolled(typed[0], scope)
    space = symbol.namespace
    return Node(symbol.name, "formula", type_, unit, expression, declared, declared.expression, namespace=space)


def _check(scope: Scope, symbol: Symbol, declared: d.CheckDeclaration) -> Iterator[Node]:
    checker = TypeChecker(scope, symbol.namespace)
    lowered = unrolled(checker.checked(declared.condition, Flag(), declared)[0], scope)
    space = symbol.namespace
    yield Node(symbol.name, "check", Flag(), NO_UNIT, lowered, declared, declared.condition, namespace=space)
    for number, part in enumerate(declared.message):
        if not isinstance(part, str):
            expression, type_ = checker.check(part)
            written = declared.units[number] if declared.units else None
            unit = _unit_of(expression, type_, scope) if written is None else _shown_in(written, type_, scope)
            lowered = unrolled(expression, scope)
            name = f"{symbol.name}.{number}"
            message = Node(name, "message", type_, unit, lowered, declared, part, namespace=space)
            yield replace(message, owner=symbol.name)


def _shown_in(written: e.TypeText, type_: Type, scope: Scope) -> Unit:
    """The unit that a message asks for, which what it shows must have."""
    (text,) = written.alternatives
    try:
        unit = scope.units.parse(text)
    except UnknownUnitError as unknown:
        near = spoken_help(str(unknown), scope.units) or scope.nearest(str(unknown), scope.units.units)
        help_ = near or "`formula-eval list units` shows all."
        scope.find("unknown-unit", f"Unknown unit `{unknown}`", written.span, help=help_)
        return NO_UNIT
    if isinstance(type_, Quantity) and type_.dimension != unit.dimension:
        message = f"This is {described(scope, type_)}, which is not shown in `{text}`"
        scope.find("unit-mismatch", message, written.span, help="Take a unit of what it is, or none.")
    elif not isinstance(type_, Quantity | AnyQuantity | Unknown):
        scope.find("unit-mismatch", f"This has no unit, so it is not shown in `{text}`", written.span, help="Drop it.")
    return unit if unit.style else unit._replace(style="fixed")


def _unit_of(x: e.Expression, type_: Type, scope: Scope) -> Unit:
    if isinstance(x, e.Reference) and x.node in scope.symbols:
        declared = scope.symbols[x.node].declaration
        if isinstance(declared, d.InputDeclaration | d.FormulaDeclaration):
            return type_of(declared.type, scope.silent(), scope.symbols[x.node].namespace)[1]
    if isinstance(type_, Quantity) and type_.dimension.exponents:
        return Unit(str(type_.dimension), dimension=type_.dimension)
    return NO_UNIT
