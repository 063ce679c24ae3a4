"""Type-checks calls: of a builtin, or of a `def` with arguments that fit its parameters."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.builtins import BUILTINS, OVER_ROWS
from formula_eval.core.diagnostic import spell_out
from formula_eval.core.type import Flag, Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.declared_types import type_of
from formula_eval.resolve.typecheck.fits import check_fits
from formula_eval.resolve.typecheck.foreign_functions import foreign_function

_DECLARE = "Declare it with `def`."


def call(context: Context, x: e.Call, _: Type | None) -> units.Typed:
    """A call of a builtin or a `def`."""
    if x.function == "given":
        return _given(context, x)
    if x.function not in BUILTINS:
        return _function_call(context, x)
    arguments = [context.check(argument) for argument in x.arguments]
    low, high = BUILTINS[x.function].arity
    if not low <= len(arguments) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        message = f"`{x.function}` takes {wanted} argument{'s' * (high > 1)}, not {len(arguments)}"
        context.scope.find("argument-count", message, x.span, help=f"It is written `{BUILTINS[x.function].written}`.")
        return units.nothing(x)
    type_ = units.call(context.scope, x.function, arguments)
    return replace(x, arguments=tuple(argument for argument, _ in arguments)), type_


def _given(context: Context, x: e.Call) -> units.Typed:
    inner = x.arguments[0] if len(x.arguments) == 1 else None
    path = inner.path if isinstance(inner, e.Name) else ()
    known = context.scope.declared(path, context.namespace, d.InputDeclaration) if path else None
    if known is not None:
        return e.Given(known.name, span=x.span), Flag()
    if not (path and context.is_broken(path)):
        near = context.scope.nearest_declared(".".join(path), context.namespace, d.InputDeclaration) if path else ""
        help_ = near or "A formula always has a value; only an input can be left out."
        context.scope.find("no-input", "`given` takes the name of one input", x.span, help=help_)
    return e.FlagValue(value=False, span=x.span), Flag()


def _function_call(context: Context, x: e.Call) -> units.Typed:
    path = tuple(x.function.split("."))
    found = context.lookup(path)
    if found is None or found[1] or not isinstance(found[0].declaration, d.FunctionDeclaration):
        if found is not None or not context.is_broken(path):
            help_ = _function_advice(context, x.function, is_name=found is not None)
            context.scope.find("unknown-function", f"Unknown function `{x.function}`", x.span, help=help_)
        return units.nothing(x)
    symbol = found[0]
    declared = symbol.declaration
    assert isinstance(declared, d.FunctionDeclaration)  # noqa: S101 - for the type checker
    type_, _ = type_of(declared.type, context.scope.silent(), symbol.namespace)
    if len(x.arguments) != len(declared.parameters):
        inside = ", ".join(declaration.name for declaration in declared.parameters)
        count = len(declared.parameters)
        message = f"`{x.function}` takes {count} argument{'s' * (count > 1)}, not {len(x.arguments)}"
        context.scope.find("argument-count", message, x.span, help=f"It is written `{x.function}({inside})`.")
        return e.Number("0", span=x.span), type_
    arguments = []
    for argument, parameter in zip(x.arguments, declared.parameters, strict=True):
        wanted, _ = type_of(parameter.type, context.scope.silent(), symbol.namespace)
        typed = context.check(argument, wanted)
        check_fits(context.scope, typed, wanted, f"`{parameter.name}` of `{x.function}`", parameter)
        arguments.append(typed[0])
    return e.Call(symbol.name, tuple(arguments), expression_text(x), span=x.span), type_


def result_type(context: Context, x: e.Call) -> Type | None:
    """What the `def` that is called gives; nothing for a builtin."""
    found = context.lookup(tuple(x.function.split(".")))
    if found is None or not isinstance(found[0].declaration, d.FunctionDeclaration):
        return None
    return type_of(found[0].declaration.type, context.scope.silent(), found[0].namespace)[0]


def _function_advice(context: Context, name: str, *, is_name: bool) -> str:
    if is_name:
        return f"`{name}` is not a function: a product is written with `*`."
    if advice := foreign_function(name):
        return advice
    if name in OVER_ROWS:
        return f"`{name}` goes over the rows of a table: `{name}(row.time for row in some_table)`."
    if context.scope.advice_exhausted:
        return context.undeclared(name, _DECLARE)
    symbols = context.scope.symbols.items()
    functions = {each: symbol for each, symbol in symbols if isinstance(symbol.declaration, d.FunctionDeclaration)}
    if elsewhere := spell_out([each for each in context.scope.ending(name) if each in functions]):
        return elsewhere
    own = [symbol.declaration.name for symbol in functions.values() if symbol.namespace == context.namespace]
    near = context.scope.nearest(name, dict.fromkeys([*BUILTINS, "sum", *own, *functions]))
    return near or context.undeclared(name, _DECLARE)
