"""An expression over a config's own names to its value: how a family table reads a Hugging Face config."""

import math
from collections.abc import Callable
from collections.abc import Mapping
from typing import Any

from formula_eval.core import expression as e
from formula_eval.core.diagnostic import refuse

_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "ceil": math.ceil,
    "floor": math.floor,
    "min": min,
    "max": max,
    "abs": abs,
    "one_if": int,
}


def interpret(x: e.Expression, config: Mapping[str, Any], words: frozenset[str]) -> Any:  # noqa: ANN401, C901, PLR0911 - a config holds anything
    """The value; branches are lazy, so that the other one may name what the config lacks. Raises FormulaError."""
    match x:
        case e.Number(value=value):
            return int(value) if value.denominator == 1 else float(value)
        case e.FlagValue(value):
            return value
        case e.Name(path):
            return _looked_up(path, config, words)
        case e.Negate(operand):
            return -_number(interpret(operand, config, words), operand)
        case e.Binary(operator, left, right):
            a, b = interpret(left, config, words), interpret(right, config, words)
            return _ARITHMETIC[operator](_number(a, left), _number(b, right))
        case e.Compare(operator, left, right):
            return _ARITHMETIC[operator](interpret(left, config, words), interpret(right, config, words))
        case e.Logical(operator, left, right):
            decided = bool(interpret(left, config, words))
            return decided if decided == (operator == "or") else bool(interpret(right, config, words))
        case e.Not(operand):
            return not interpret(operand, config, words)
        case e.Conditional(then, condition, otherwise):
            return interpret(then if interpret(condition, config, words) else otherwise, config, words)
        case e.Call(function, arguments):
            return _called(function, arguments, config, words)
    raise refuse("bad-family", "A family table uses arithmetic, conditions and `given` alone", x.span)


def _called(
    function: str, arguments: tuple[e.Expression, ...], config: Mapping[str, Any], words: frozenset[str]
) -> Any:  # noqa: ANN401 - as above
    if function in ("given", "count") and len(arguments) == 1 and isinstance(arguments[0], e.Name):
        held = _held(arguments[0].path, config)
        return held is not None if function == "given" else len(held or ())
    if function not in _FUNCTIONS:
        raise refuse("bad-family", f"A family table has no function `{function}`")
    return _FUNCTIONS[function](*(_number(interpret(each, config, words), each) for each in arguments))


def _held(path: tuple[str, ...], config: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
    value: Any = config
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def _looked_up(path: tuple[str, ...], config: Mapping[str, Any], words: frozenset[str]) -> Any:  # noqa: ANN401 - as above
    held = _held(path, config)
    if held is not None:
        return held
    if len(path) > 1:
        outer = _held(path[:-1], config)
        if isinstance(outer, list):
            return outer.count(path[-1])
        if isinstance(outer, str):
            return outer == path[-1]
    if len(path) == 1 and path[0] in words:
        return path[0]
    raise refuse("missing-value", f"the config lacks `{'.'.join(path)}`")


def _number(value: Any, x: e.Expression) -> float:  # noqa: ANN401 - as above
    if isinstance(value, bool) or not isinstance(value, int | float):
        named = f"`{'.'.join(x.path)}`" if isinstance(x, e.Name) else "a part of the family table"
        raise refuse("bad-value", f"{named} is {value!r}, which is no number")
    return value
