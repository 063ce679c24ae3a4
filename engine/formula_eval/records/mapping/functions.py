"""Implements what an expression over a config may call: arithmetic on its numbers, and looks into its lists."""

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from formula_eval.core.builtins import require_builtins
from formula_eval.core.diagnostic import FormulaError, refuse

ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "**": operator.pow,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _divided(a: float, b: float) -> float:
    if a % b:
        raise refuse("bad-value", f"{a:g} cannot be divided evenly by {b:g}")
    return a // b


# The builtins that a config may use: those of whole numbers, which stay whole here.
_EXACT: Mapping[str, Callable[..., Any]] = {
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "ceil": math.ceil,
    "floor": math.floor,
    "min": min,
    "max": max,
    "abs": abs,
}
require_builtins("records.mapping.functions", _EXACT)
FUNCTIONS: Mapping[str, Callable[..., Any]] = {"divided": _divided, **_EXACT}


def _wrong(function: str) -> FormulaError:
    """The error for a function of lists that was given something else; its own sentence says how it is written."""
    written, sentence = _SPELLING[function]
    return refuse("bad-value", f"`{function}` was given something else than it takes", help=f"{written}: {sentence}.")


def _items(function: str, value: Any) -> list[Any]:  # noqa: ANN401 - a config holds anything
    if not isinstance(value, list):
        raise _wrong(function)
    return value


def _length(items: Any) -> int:  # noqa: ANN401 - as above
    return len(items if isinstance(items, dict) else _items("length", items))


def _item(items: Any, n: Any) -> Any:  # noqa: ANN401 - as above
    held = _items("item", items)
    if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < len(held):
        raise _wrong("item")
    return held[n]


def _contains(items: Any, value: Any) -> bool:  # noqa: ANN401 - as above
    return value in _items("contains", items)


def _alike(value: Any) -> Any:  # noqa: ANN401 - as above
    if not isinstance(value, list):
        return value
    if not value or any(each != value[0] for each in value):
        raise refuse("unsupported-model", "a list differs from layer to layer where its family knows one value")
    return value[0]


def _count(items: Any, value: Any) -> int:  # noqa: ANN401 - as above
    return _items("count", items).count(value)


def _leads(items: Any, value: Any) -> bool:  # noqa: ANN401 - as above
    held = _items("leads", items)
    return value not in held[held.count(value) :]


def _starts(text: Any, beginning: Any) -> bool:  # noqa: ANN401 - as above
    if not isinstance(text, str):
        raise _wrong("starts")
    return text.startswith(str(beginning))


def _ends(text: Any, ending: Any) -> bool:  # noqa: ANN401 - as above
    if not isinstance(text, str):
        raise _wrong("ends")
    return text.endswith(str(ending))


def _words(function: str, value: Any) -> list[str]:  # noqa: ANN401 - as above
    """The words of a list, or of a text that parts them by commas or blanks."""
    return [
        str(each) for each in _items(function, value.replace(",", " ").split() if isinstance(value, str) else value)
    ]


def _named(items: Any, words: Any) -> int:  # noqa: ANN401 - as above
    return len({*_words("named", items)} & {*_words("named", words)})


def _besides(items: Any, words: Any) -> int:  # noqa: ANN401 - as above
    return len({*_words("besides", items)} - {*_words("besides", words)})


LIST_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "length": _length,
    "item": _item,
    "contains": _contains,
    "alike": _alike,
    "count": _count,
    "leads": _leads,
    "starts": _starts,
    "ends": _ends,
    "named": _named,
    "besides": _besides,
}
_SPELLING = {
    "length": ("`length(list)`", "how many items it has, or entries of a table"),
    "item": ("`item(list, n)`", "one item; the first is 0"),
    "contains": ("`contains(list, value)`", "whether an item is this value"),
    "alike": ("`alike(value)`", "it, or the one value that all items of a list have"),
    "count": ("`count(list, value)`", "how many items are this value"),
    "leads": ("`leads(list, value)`", "whether all items of this value come before the others"),
    "named": (
        "`named(list, words)`",
        "how many of these words a list has, or a text that parts its own by commas or blanks",
    ),
    "besides": ("`besides(list, words)`", "how many others a list has, or such a text"),
    "starts": ("`starts(text, beginning)`", "whether a text begins so"),
    "ends": ("`ends(text, ending)`", "whether a text ends so"),
}
