"""Calls, comprehensions and `with`s as written to checked ones."""

from dataclasses import replace
from typing import TYPE_CHECKING

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.builtins import BUILTINS, OVER_ROWS
from formula_eval.core.type import Choice, Flag, Record, Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.scope import SUPPLIERS
from formula_eval.resolve.tables import row_names
from formula_eval.resolve.typecheck import units as operators
from formula_eval.resolve.typecheck.annotations import type_of

if TYPE_CHECKING:
    from formula_eval.resolve.scope import Symbol
    from formula_eval.resolve.typecheck.checker import Elaborator

_DECLARE = "Declare it with `def`."


def called(place: "Elaborator", x: e.Call) -> operators.Typed:
    """A call of a builtin or a `def`."""
    if x.function == "given":
        return _given(place, x)
    if x.function not in BUILTINS:
        return _function_call(place, x)
    arguments = [place.expression(argument) for argument in x.arguments]
    low, high = BUILTINS[x.function].arity
    if not low <= len(arguments) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        message = f"`{x.function}` takes {wanted} argument{'s' * (high > 1)}, not {len(arguments)}"
        place.scope.find("argument-count", message, x.span, help=f"It is written `{BUILTINS[x.function].written}`.")
        return operators.nothing(x)
    type_ = operators.call(place.scope, x.function, arguments)
    return replace(x, arguments=tuple(argument for argument, _ in arguments)), type_


def _given(place: "Elaborator", x: e.Call) -> operators.Typed:
    inner = x.arguments[0] if len(x.arguments) == 1 else None
    found = place.scope.lookup(inner.path, place.namespace) if isinstance(inner, e.Name) else None
    if found is None or found[1] or not isinstance(found[0].declaration, d.InputDeclaration):
        if not (isinstance(inner, e.Name) and place.scope.is_broken(inner.path, place.namespace)):
            known = place.scope.nearest(".".join(inner.path), _inputs(place)) if isinstance(inner, e.Name) else ""
            help_ = known or "A formula always has a value; only an input can be left out."
            place.scope.find("no-input", "`given` takes the name of one input", x.span, help=help_)
        return e.FlagValue(value=False, span=x.span), Flag()
    return e.Given(found[0].name, span=x.span), Flag()


def _inputs(place: "Elaborator") -> list[str]:
    return [name for name, symbol in place.scope.symbols.items() if isinstance(symbol.declaration, d.InputDeclaration)]


def _function_call(place: "Elaborator", x: e.Call) -> operators.Typed:
    path = tuple(x.function.split("."))
    found = place.scope.lookup(path, place.namespace)
    if found is None or found[1] or not isinstance(found[0].declaration, d.FunctionDeclaration):
        if found is not None or not place.scope.is_broken(path, place.namespace):
            help_ = _function_advice(place, x.function, is_name=found is not None)
            place.scope.find("unknown-function", f"Unknown function `{x.function}`", x.span, help=help_)
        return operators.nothing(x)
    symbol = found[0]
    declared = symbol.declaration
    assert isinstance(declared, d.FunctionDeclaration)  # noqa: S101 - for the type checker
    type_, _ = type_of(declared.type, place.scope.silent(), symbol.namespace)
    if len(x.arguments) != len(declared.parameters):
        inside = ", ".join(each.name for each in declared.parameters)
        count = len(declared.parameters)
        message = f"`{x.function}` takes {count} argument{'s' * (count > 1)}, not {len(x.arguments)}"
        place.scope.find("argument-count", message, x.span, help=f"It is written `{x.function}({inside})`.")
        return e.Number("0", span=x.span), type_
    arguments = []
    for argument, parameter in zip(x.arguments, declared.parameters, strict=True):
        wanted, _ = type_of(parameter.type, place.scope.silent(), symbol.namespace)
        typed = place.expression(argument, wanted)
        place.check_fits(typed, wanted, f"`{parameter.name}` of `{x.function}`", parameter)
        arguments.append(typed[0])
    return e.Call(symbol.name, tuple(arguments), expression_text(x), span=x.span), type_


def result_type(place: "Elaborator", x: e.Call) -> Type | None:
    """What the `def` that is called gives; nothing for a builtin."""
    found = place.scope.lookup(tuple(x.function.split(".")), place.namespace)
    if found is None or not isinstance(found[0].declaration, d.FunctionDeclaration):
        return None
    return type_of(found[0].declaration.type, place.scope.silent(), found[0].namespace)[0]


def _function_advice(place: "Elaborator", name: str, *, is_name: bool) -> str:
    if is_name:
        return f"`{name}` is no function: a product is written with `*`."
    if name in OVER_ROWS:
        return f"`{name}` goes over the rows of a table: `{name}(row.time for row in some_table)`."
    if place.scope.is_tired:
        return _DECLARE
    symbols = place.scope.symbols.items()
    functions = [each for each, symbol in symbols if isinstance(symbol.declaration, d.FunctionDeclaration)]
    elsewhere = [each for each in functions if each.endswith(f".{name}")]
    if elsewhere:
        return f"Spell out where it is: {' or '.join(f'`{each}`' for each in elsewhere[:3])}."
    own = [each.rpartition(".")[2] for each in functions if each.rpartition(".")[0] == place.namespace]
    return place.scope.nearest(name, dict.fromkeys([*BUILTINS, "sum", *own, *functions])) or _DECLARE


def over_rows(place: "Elaborator", x: e.Comprehension) -> operators.Typed:
    """`sum(... for row in table)` and its kin."""
    if x.function not in OVER_ROWS:
        known = ", ".join(f"`{each}`" for each in OVER_ROWS)
        place.scope.find("unknown-function", f"`{x.function}` does not go over rows", x.span, help=f"{known} do.")
        return operators.nothing(x)
    table = _table(place, x.table)
    if table is None:
        return operators.nothing(x)
    if x.row in place.own or x.row in place.rows or place.scope.lookup((x.row,), place.namespace):
        message = f"The row `{x.row}` bears the name of something else"
        place.scope.find("hidden-name", message, x.span, help="Give the row a name of its own.")
    inner = replace(place, rows={**place.rows, x.row: table})
    value = inner.expression(x.value)
    condition = inner.expression(x.condition) if x.condition is not None else None
    if condition is not None:
        operators.is_flag(place.scope, condition)
    operators.is_quantity(place.scope, value)
    built = replace(x, value=value[0], condition=condition[0] if condition else None, table=e.Name((table.name,)))
    if x.function == "largest":
        declared = table.declaration
        assert isinstance(declared, d.TableDeclaration)  # noqa: S101 - for the type checker
        return built, Choice(row_names(declared))
    return built, value[1]


def _table(place: "Elaborator", written: e.Name) -> "Symbol | None":
    found = place.scope.lookup(written.path, place.namespace)
    if found is not None and not found[1] and isinstance(found[0].declaration, d.TableDeclaration):
        return found[0]
    name = ".".join(written.path)
    if found is not None or not place.scope.is_broken(written.path, place.namespace):
        symbols = place.scope.symbols.items()
        tables = [each for each, symbol in symbols if isinstance(symbol.declaration, d.TableDeclaration)]
        help_ = (
            place.scope.nearest(name, tables) or "A row comes from a table: `sum(row.column for row in some_table)`."
        )
        place.scope.find("unknown-name", f"`{name}` is no table", written.span, help=help_)
    return None


def with_inputs(place: "Elaborator", x: e.With, expected: Type | None) -> operators.Typed:
    """`(value with input = other)`."""
    value = place.expression(x.value, expected)
    bindings: dict[str, e.Binding] = {}
    for binding in x.bindings:
        bound = _binding(place, binding)
        if bound is None:
            continue
        name = bound.name.path[0]
        if name in bindings:
            first = (bindings[name].name.span, "here first")
            message = f"`{name}` is replaced twice"
            place.scope.find("declared-twice", message, binding.name.span, first, help="Keep one of them.")
        bindings[name] = bound
    return replace(x, value=value[0], bindings=tuple(bindings.values())), value[1]


def _binding(place: "Elaborator", binding: e.Binding) -> e.Binding | None:
    name = ".".join(binding.name.path)
    found = place.scope.lookup(binding.name.path, place.namespace)
    if found is None and name in SUPPLIERS:
        return _record_binding(place, binding, name)
    if found is None or found[1] or not isinstance(found[0].declaration, d.InputDeclaration):
        if found is not None or not place.scope.is_broken(binding.name.path, place.namespace):
            help_ = "" if found else place.scope.nearest(name, _inputs(place))
            message = f"`{name}` is no input, and `with` replaces only inputs"
            help_ = help_ or "Replace the inputs that it comes from."
            place.scope.find("unknown-input", message, binding.name.span, help=help_)
        return None
    declared = found[0].declaration
    wanted, _ = type_of(declared.type, place.scope.silent(), found[0].namespace)
    value = place.expression(binding.value, wanted)
    place.check_fits(value, wanted, f"`{name}`", declared)
    return replace(binding, name=e.Name((found[0].name,), span=binding.name.span), value=value[0])


def _record_binding(place: "Elaborator", binding: e.Binding, supplier: str) -> e.Binding | None:
    value, type_ = place.expression(binding.value)
    if type_ == Record(supplier) and isinstance(value, e.Reference):
        return replace(binding, value=value)
    if not isinstance(type_, operators.Unknown):
        message = f"`{supplier}` is replaced by another {supplier} record, and this is none"
        help_ = f"Declare `input other_{supplier}: {supplier} optional` and write `with {supplier} = other_{supplier}`."
        place.scope.find("no-record", message, binding.value.span, help=help_)
    return None
