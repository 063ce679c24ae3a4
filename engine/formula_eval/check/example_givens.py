"""An example as written to what is wrong with it before anyone computes it: names, words and units."""

from collections.abc import Iterator
from itertools import chain

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.core.table import FILLED
from formula_eval.core.type import Choice, Flag, Quantity, Record, Type
from formula_eval.resolve.scope import SUPPLIERS, Scope
from formula_eval.resolve.tables import columns_of
from formula_eval.resolve.typecheck import described, type_of


def wrong_examples(declared: d.Declaration, scope: Scope, namespace: str) -> Iterator[Diagnostic]:
    """Find givens that are no inputs, and values that do not fit theirs or the formula's unit."""
    if not isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
        return
    parameters = declared.parameters if isinstance(declared, d.FunctionDeclaration) else ()
    own = {each.name: type_of(each.type, scope.silent(), namespace)[0] for each in parameters}
    result = type_of(declared.type, scope.silent(), namespace)[0]
    for example in declared.notes.examples:
        for name, value in example.givens:
            known = own.get(name) or _input_type(name, scope, namespace)
            if known is None:
                inputs = (n for n, s in scope.symbols.items() if isinstance(s.declaration, d.InputDeclaration))
                help_ = scope.nearest(name, chain(own, inputs)) or "An example gives inputs and parameters."
                message = f"The example gives `{name}`, which is no input"
                yield Diagnostic("unknown-input", message, (Label(example.span),), help_)
            elif not _fits(value, known, scope):
                message = f"The example's `{name}` is {described(known)}, and its value is not"
                yield Diagnostic("bad-example", message, (Label(example.span),), _advice(known))
        missing = [name for name in own if name not in dict(example.givens)]
        if missing:
            message = f"The example does not give {', '.join(f'`{each}`' for each in missing)}"
            yield Diagnostic("bad-example", message, (Label(example.span),), "Give every parameter a value.")
        if not _fits(example.expected, result, scope):
            message = f"`{declared.name}` is {described(result)}, and the example's result is not"
            yield Diagnostic("bad-example", message, (Label(example.expected.span),), _advice(result))


def _input_type(name: str, scope: Scope, namespace: str) -> Type | None:
    """The type of an input, of a record's input, or of a cell that a record fills."""
    if name in SUPPLIERS:
        return Record(name)
    found = scope.lookup(tuple(name.split(".")), namespace)
    if found is None:
        return None
    symbol, rest = found
    if isinstance(symbol.declaration, d.TableDeclaration):
        if len(rest) > 1 and symbol.declaration.supplier and rest[-1] == FILLED:
            return Flag()
        column = columns_of(symbol).get(rest[-1]) if rest else None
        return type_of(column.type, scope.silent(), symbol.namespace)[0] if column else None
    if not isinstance(symbol.declaration, d.InputDeclaration):
        return None
    type_ = type_of(symbol.declaration.type, scope.silent(), symbol.namespace)[0]
    return _input_type(rest[0], scope, namespace) if rest and isinstance(type_, Record) else type_


def _fits(value: str | e.Expression, type_: Type, scope: Scope) -> bool:  # noqa: PLR0911 - one case for each kind
    match value, type_:
        case str(word), Choice(words):
            return word in words
        case e.Name(path), Choice(words):
            return path[-1] in words
        case str(), Quantity():
            return False
        case e.Negate(operand), _:
            return _fits(operand, type_, scope)
        case e.Number(unit=unit, value=number), Quantity(dimension):
            return number == 0 or (scope.units.parse(unit).dimension if unit else Quantity().dimension) == dimension
        case e.Number(), Choice() | Record():
            return False
        case e.FlagValue(), Quantity() | Choice() | Record():
            return False
    return True


def _advice(type_: Type) -> str:
    if isinstance(type_, Choice):
        return f"Its words are {', '.join(f'`{word}`' for word in type_.values)}."
    return "Write a number with its unit; a compound unit stands in parentheses: `(100 GB/s)`."
