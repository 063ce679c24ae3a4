"""Implements what an expression over a config may call: arithmetic on its numbers, and looks into its lists."""

import math
import operator
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, NamedTuple

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


class ListFunction(NamedTuple):
    """A function of lists and texts: how it is written, what it gives, what each argument may be, how it is done."""

    written: str
    gives: str
    takes: tuple[type | UnionType, ...]
    computed: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401 - a config holds anything
        """Its value; raises FormulaError for what it does not take, TypeError for more or fewer arguments."""
        if len(arguments) != len(self.takes):
            raise TypeError(self.written)
        if not all(map(isinstance, arguments, self.takes)):
            raise self._refused()
        try:
            return self.computed(*arguments)
        except IndexError as error:
            raise self._refused() from error

    def _refused(self) -> FormulaError:
        name = self.written.partition("(")[0]
        message = f"`{name}` was given something else than it takes"
        return refuse("bad-value", message, help=f"`{self.written}`: {self.gives}.")


def _item(items: list[Any], n: int) -> Any:  # noqa: ANN401 - as above
    """The item at a place from 0 on; raises IndexError for any other place."""
    if isinstance(n, bool) or n < 0:
        raise IndexError
    return items[n]


def _alike(value: Any) -> Any:  # noqa: ANN401 - as above
    if not isinstance(value, list):
        return value
    if not value or any(each != value[0] for each in value):
        raise refuse("unsupported-model", "a list differs from layer to layer where its family knows one value")
    return value[0]


def _last_share(text: str, count: float) -> float:
    """The share that the last few numbers of a text have of all; raises IndexError for what is no such text."""
    try:
        parts = [float(name) for name in text.split(",")]
        return sum(parts[-int(count) :]) / sum(parts)
    except (ValueError, ZeroDivisionError) as error:
        raise IndexError from error


def _split(first: float, count: float, second: float, others: float) -> str:
    """The text of one number and another, each so many times, with commas between them."""
    return ",".join([f"{first:.6g}"] * round(count) + [f"{second:.6g}"] * round(others))


def _words(value: str | float | list[Any]) -> set[str]:
    """The words of a list, or of a text or a number that parts them by commas or blanks."""
    return {*(map(str, value) if isinstance(value, list) else str(value).replace(",", " ").split())}


_LISTS = (
    ListFunction(
        "length(list)",
        "how many items it has, entries of a table, or parts of a text with commas between them",
        (list | dict | str,),
        lambda items: len(items.split(",") if isinstance(items, str) else items),
    ),
    ListFunction("item(list, n)", "one item; the first is 0", (list, int), _item),
    ListFunction("contains(list, value)", "whether an item is this value", (list, object), operator.contains),
    ListFunction("alike(value)", "it, or the one value that all items of a list have", (object,), _alike),
    ListFunction("count(list, value)", "how many items are this value", (list, object), list.count),
    ListFunction(
        "leads(list, value)",
        "whether all items of this value come before the others",
        (list, object),
        lambda items, value: value not in items[items.count(value) :],
    ),
    ListFunction(
        "named(list, words)",
        "how many of these words a list has, or a text that parts its own by commas or blanks",
        (list | str | int | float, list | str),
        lambda items, words: len(_words(items) & _words(words)),
    ),
    ListFunction(
        "besides(list, words)",
        "how many others a list has, or such a text",
        (list | str | int | float, list | str),
        lambda items, words: len(_words(items) - _words(words)),
    ),
    ListFunction(
        "last_share(text, n)",
        "the share that the last few of the numbers, with commas between them, have of their sum",
        (str, int | float),
        _last_share,
    ),
    ListFunction(
        "split(a, n, b, m)",
        "a text of `n` times one number and `m` times another, with commas between them",
        (int | float, int | float, int | float, int | float),
        _split,
    ),
    ListFunction(
        "starts(text, beginning)",
        "whether a text begins so",
        (str, object),
        lambda text, beginning: text.startswith(str(beginning)),
    ),
    ListFunction(
        "ends(text, ending)", "whether a text ends so", (str, object), lambda text, ending: text.endswith(str(ending))
    ),
)
LIST_FUNCTIONS = {function.written.partition("(")[0]: function for function in _LISTS}
