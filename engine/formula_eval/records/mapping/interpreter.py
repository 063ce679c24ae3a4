"""Evaluates an expression over a config's own names: how a family table reads a Hugging Face config."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.records.mapping.functions import ARITHMETIC, FUNCTIONS, LIST_FUNCTIONS


class Reading(NamedTuple):
    """What an expression is read in: the config, and the words of the choice that its value is one of, if it is."""

    config: Mapping[str, Any]
    words: tuple[str, ...] = ()

    def value(self, x: e.Expression) -> Any:  # noqa: ANN401, C901, PLR0911 - a config holds anything
        """The value; branches are lazy, so that the other one may name what the config lacks. Raises FormulaError."""
        match x:
            case e.Number(value=value):
                return int(value) if value.denominator == 1 else float(value)
            case e.FlagValue(value):
                return value
            case e.ChoiceValue(text):
                return text
            case e.Name(path):
                return self._looked_up(path)
            case e.Negate(operand):
                return -_number(self.value(operand), operand)
            case e.Binary(operator, left, right):
                a, b = self.value(left), self.value(right)
                return ARITHMETIC[operator](_number(a, left), _number(b, right))
            case e.Compare(operator, left, right):
                return self._compared(operator, left, right)
            case e.Logical(operator, left, right):
                decided = self.condition(left)
                return decided if decided == (operator == "or") else self.condition(right)
            case e.Not(operand):
                return not self.condition(operand)
            case e.Conditional(then, condition, otherwise):
                return self.value(then if self.condition(condition) else otherwise)
            case e.Call(function, arguments):
                return self._called(function, arguments)
        raise refuse("bad-family", "A family table uses arithmetic, conditions and a few functions alone", x.span)

    def names_read(self, x: e.Expression) -> Iterator[str]:
        """The names whose values make up that of an expression, none of a branch that is not taken."""
        match x:
            case e.Name(path):
                yield ".".join(path)
            case e.Conditional(then, condition, otherwise):
                try:
                    taken = then if self.condition(condition) else otherwise
                except (FormulaError, ArithmeticError):
                    taken = condition
                yield from self.names_read(taken)
            case _:
                for child in e.children(x):
                    yield from self.names_read(child)

    def condition(self, x: e.Expression) -> bool:
        """Whether it holds; it must be a flag."""
        value = self.value(x)
        if not isinstance(value, bool):
            raise refuse("bad-value", f"{_named(x)} is {described(value)}, which is neither true nor false")
        return value

    def _compared(self, operator: str, left: e.Expression, right: e.Expression) -> bool:
        b = self.value(right)
        a = self._any_number(left) if isinstance(right, e.Negate) else self.value(left)
        if operator not in ("==", "!="):
            a, b = _number(a, left), _number(b, right)
        return bool(ARITHMETIC[operator](a, b))

    def _called(self, function: str, arguments: tuple[e.Expression, ...]) -> Any:  # noqa: ANN401 - as above
        if function == "given" and len(arguments) == 1 and isinstance(arguments[0], e.Name):
            return held(arguments[0].path, self.config) is not None
        if function == "one_if" and len(arguments) == 1:
            return int(self.condition(arguments[0]))
        if function in LIST_FUNCTIONS:
            return LIST_FUNCTIONS[function](*map(self.value, arguments))
        if function not in FUNCTIONS:
            known = ", ".join(
                f"`{list_function}`" for list_function in ("given", "one_if", *LIST_FUNCTIONS, *FUNCTIONS)
            )
            raise refuse("bad-family", f"A family table has no function `{function}`", help=f"It has {known}.")
        value = self._any_number if function == "max" else self.value
        return FUNCTIONS[function](*(_number(value(argument), argument) for argument in arguments))

    def _any_number(self, x: e.Expression) -> Any:  # noqa: ANN401 - as above
        """The value where its family knows that it may be below 0, such as -1 for what has no end."""
        found = held(x.path, self.config) if isinstance(x, e.Name) else None
        return self.value(x) if found is None else found

    def _looked_up(self, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - as above
        found = held(path, self.config)
        if isinstance(found, int | float) and found < 0:
            name = ".".join(path)
            raise refuse(
                "bad-value", f"`{name}` is {shortened(found)}, but counts and sizes are not negative", subject=name
            )
        if found is not None:
            return found
        if len(path) == 1 and path[0] in self.words:
            return path[0]
        name = ".".join(path)
        said = len(path) == 1 and name in self.config
        raise refuse("missing-value", f"`{name}` is null" if said else f"the config lacks `{name}`", subject=name)


def held(path: tuple[str, ...], config: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
    """What the config says under this name; None if nothing."""
    value: Any = config
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def _number(value: Any, x: e.Expression) -> float:  # noqa: ANN401 - as above
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise refuse("bad-value", f"{_named(x)} is {described(value)}, which is not a number")
    return value


def _named(x: e.Expression) -> str:
    return f"`{'.'.join(x.path)}`" if isinstance(x, e.Name) else "a part of its expression"


def described(value: object) -> str:
    """What a config says, as a message names it."""
    kinds = {list: "a list", dict: "an object", bool: str(value).lower()}
    return kinds.get(type(value)) or shortened(f'"{value}"' if isinstance(value, str) else value)
