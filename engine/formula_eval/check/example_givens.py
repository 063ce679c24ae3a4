"""Finds the givens of an example, those of its situations too, and checks their names, words and units."""

from collections.abc import Collection, Iterable, Iterator

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, Label, listed
from formula_eval.core.namespace import around, qualified
from formula_eval.core.notes import Example
from formula_eval.core.record_kind import kind_called
from formula_eval.core.span import Span
from formula_eval.core.table import FILLED
from formula_eval.core.type import Choice, Date, Flag, Quantity, Record, Type
from formula_eval.core.unit import Unit
from formula_eval.printing.text import expression_text
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import columns_of
from formula_eval.resolve.typecheck import column_type, described, type_of

_GIVEN = d.InputDeclaration | d.FormulaDeclaration
Given = tuple[str, str | e.Expression]
_LITERAL = (e.Number, e.Negate, e.Infinity, e.FlagValue, e.Name)


class Situations:
    """Holds all situations and all inputs by their full names."""

    def __init__(self, declarations: Iterable[tuple[str, d.Declaration]]) -> None:
        """Collect the situations and inputs among these declarations, each with its folder."""
        self._declared: dict[str, tuple[str, d.SituationDeclaration]] = {}
        self._inputs: set[str] = set()
        for namespace, declared in declarations:
            name = qualified(namespace, declared.name)
            if isinstance(declared, d.SituationDeclaration) and not isinstance(declared, d.PartDeclaration):
                self._declared[name] = namespace, declared
            elif isinstance(declared, d.InputDeclaration):
                self._inputs.add(name)

    def find(self, name: str, namespace: str) -> tuple[str, d.SituationDeclaration] | None:
        """Looks up a situation from a folder; returns its own folder and declaration."""
        names = (qualified(space, name) for space in around(namespace))
        return next((self._declared[each] for each in names if each in self._declared), None)

    def givens(self, example: Example, namespace: str) -> tuple[Given, ...]:
        """All givens of an example: those of its situations in order, then its own; later ones win."""
        found: dict[str, str | e.Expression] = {}
        for name in example.situations:
            where, declared = self.find(name, namespace) or ("", None)
            for binding in _bindings(declared) if declared else ():
                value = ".".join(binding.value.path) if isinstance(binding.value, e.Name) else binding.value
                found[self._full(".".join(binding.name.path), where)] = value
        return tuple({**found, **dict(example.givens)}.items())

    def _full(self, name: str, namespace: str) -> str:
        names = (qualified(space, name) for space in around(namespace))
        return next((each for each in names if each in self._inputs), name)


def without_literal(declared: d.SituationDeclaration) -> list[str]:
    """The inputs whose values are computed, so that an example cannot give them."""
    return [".".join(binding.name.path) for binding in _bindings(declared) if not isinstance(binding.value, _LITERAL)]


def _bindings(declared: d.SituationDeclaration) -> Iterator[e.Binding]:
    return (binding for binding in declared.bindings if isinstance(binding, e.Binding))


def wrong_examples(
    declared: d.Declaration, scope: Scope, namespace: str, mismatched: Collection[Span] = ()
) -> Iterator[Diagnostic]:
    """Find givens that nothing is named, and values that do not fit their input or the formula's unit.

    A declared unit that is among the places of `mismatched` units is wrong itself, so no result is held against it.
    """
    if not isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
        return
    parameters = declared.parameters if isinstance(declared, d.FunctionDeclaration) else ()
    own = {parameter.name: type_of(parameter.type, scope.silent(), namespace)[0] for parameter in parameters}
    result = type_of(declared.type, scope.silent(), namespace)[0]
    for example in declared.notes.examples:
        yield from _wrong_situations(example, scope, namespace)
        for name, value in example.givens:
            known = own.get(name) or _type_of(name, scope, namespace)
            if known is None:
                near = scope.nearest(name, own) or scope.nearest_input(name, namespace, _GIVEN)
                help_ = near or "An example gives inputs, parameters and quantities that the formula reads."
                message = f"The example gives `{name}`, which is neither an input nor a quantity"
                yield Diagnostic("unknown-input", message, (Label(example.span),), help_)
            elif not _fits(value, known, scope):
                message = f"The example's `{name}` is {described(scope, known)}, and its value is not"
                yield Diagnostic("bad-example", message, (Label(example.span),), _advice(known, value))
        missing = [name for name in own if name not in dict(example.givens)]
        if missing:
            message = f"The example does not give {', '.join(f'`{each}`' for each in missing)}"
            yield Diagnostic("bad-example", message, (Label(example.span),), "Give every parameter a value.")
        unit_is_wrong = declared.type is not None and declared.type.span in mismatched
        if example.expected is not None and not unit_is_wrong and not _fits(example.expected, result, scope):
            message = f"`{declared.name}` is {described(scope, result)}, and the example's result is not"
            yield Diagnostic("bad-example", message, (Label(example.expected.span),), _advice(result, example.expected))


def _wrong_situations(example: Example, scope: Scope, namespace: str) -> Iterator[Diagnostic]:
    """Find names that are not situations, and situations that compute their values."""
    for name in example.situations:
        found = scope.lookup(tuple(name.split(".")), namespace)
        is_part = found is not None and isinstance(found[0].declaration, d.PartDeclaration)
        if found is None or is_part or not isinstance(found[0].declaration, d.SituationDeclaration):
            message = f"The example names `{name}`, which is not a situation"
            help_ = scope.nearest_declared(name, namespace, d.SituationDeclaration)
            help_ = help_ or f"Write `{name} = value`, or declare it: `situation {name}: input = value`."
            yield Diagnostic("unknown-situation", message, (Label(example.span),), help_)
        elif computed := without_literal(found[0].declaration):
            listed = ", ".join(f"`{each}`" for each in computed)
            message = f"The example is in the situation `{name}`, which computes {listed}"
            help_ = "An example gives literals: numbers, words, records. Give these inputs instead of the situation."
            yield Diagnostic("bad-example", message, (Label(example.span),), help_)


def _type_of(name: str, scope: Scope, namespace: str) -> Type | None:
    """The type of an input, of a record's input, of a computed quantity, or of a cell."""
    kind = kind_called(name, scope.kinds)
    if kind is not None:
        return Record(kind.name)
    found = scope.lookup(tuple(name.split(".")), namespace)
    if found is None:
        return None
    symbol, rest = found
    if isinstance(symbol.declaration, d.TableDeclaration):
        if len(rest) > 1 and symbol.declaration.supplier and rest[-1] == FILLED:
            return Flag()
        column = columns_of(symbol).get(rest[-1]) if rest else None
        return column_type(symbol, column, scope.silent())[0] if column else None
    if not isinstance(symbol.declaration, _GIVEN):
        return None
    type_ = type_of(symbol.declaration.type, scope.silent(), symbol.namespace)[0]
    return _type_of(rest[0], scope, namespace) if rest and isinstance(type_, Record) else type_


def _fits(value: str | e.Expression, type_: Type, scope: Scope) -> bool:  # noqa: PLR0911 - one case for each kind
    match value, type_:
        case str(word), Choice(words):
            return word in words
        case ((e.Name(path=(*_, word)) | e.Number(text=word, unit="")), Choice(words)):
            return word in words
        case str(), Quantity():
            return False
        case e.Negate(operand), _:
            return _fits(operand, type_, scope)
        case e.Number(unit="date"), _:
            return isinstance(type_, Date)
        case _, Date():
            return False
        case e.Number(unit=unit, value=number), Quantity(dimension):
            return number == 0 or (scope.units.parse(unit).dimension if unit else Quantity().dimension) == dimension
        case e.Number() | e.FlagValue(), Choice() | Record():
            return False
        case e.FlagValue(), Quantity():
            return False
    return True


def _advice(type_: Type, value: str | e.Expression) -> str:
    if isinstance(type_, Choice):
        return f"Its words are {listed(type_.values)}."
    if isinstance(type_, Record):
        return f"Write the id of a {type_.supplier}, such as `{type_.supplier}-1`."
    if isinstance(type_, Date):
        return "A date is written `2026-11-22`."
    unit = type_.written.text if isinstance(type_, Quantity) and isinstance(type_.written, Unit) else ""
    shown = expression_text(e.Number(value.text if isinstance(value, e.Number) else "1", unit))
    if isinstance(value, e.Number) and not value.unit:
        return f"Write `{shown}`."
    return f"Write a number of that unit, such as `{shown}`."
