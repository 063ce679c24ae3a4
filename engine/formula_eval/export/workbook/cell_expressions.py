"""Evaluates the marks in a user's cells: values, arithmetic and texts, and nothing that could fill the memory.

The text of a cell is untrusted. So what can be called is listed, and whatever makes a text or a list longer than what
it is made of (repetition, formats, `join`, `replace`) is measured before it is done.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from functools import lru_cache
from itertools import islice
from types import CodeType
from typing import Any
from warnings import catch_warnings, simplefilter

from jinja2 import StrictUndefined
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

MOST_LETTERS = 32_767  # of a cell, in Excel
MOST_ITEMS = 10_000
_MOST_EVALUATED = 100_000  # marks of one workbook
_MOST_POWER = 100
_LARGEST = 1e308
_WIDTH = re.compile(r"%[^a-zA-Z%]*(?:[*]|[0-9]{4})")  # of a format: at most three digits, and not left open
# fmt: off
_FILTERS = (
    "abs", "capitalize", "count", "default", "first", "float", "int", "items", "join", "last",
    "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse",
    "round", "select", "selectattr", "sort", "string", "sum", "title", "trim", "unique", "upper",
)
_METHODS = frozenset((
    "capitalize", "endswith", "get", "items", "keys", "lower", "lstrip", "rstrip", "split", "startswith",
    "strip", "title", "upper", "values",
))
# fmt: on


class CellExpressions(ImmutableSandboxedEnvironment):
    """Evaluates what stands between `{{` and `}}`; raises an exception that says what is wrong with it."""

    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})

    def __init__(self, known: Mapping[str, Any]) -> None:
        """`known` are the names that cells may use."""
        super().__init__(undefined=StrictUndefined, optimized=False)  # the optimizer of Jinja takes the square of time
        self._known = known
        self._evaluated = 0
        self.globals.clear()
        self.globals["range"] = _range
        self._callable = {id(each) for each in known.values()} | {id(_range)}
        kept: dict[str, Callable[..., Any]] = {name: self.filters[name] for name in _FILTERS}
        rounded = kept["round"]
        self.filters = kept | {
            "join": _joined,
            "replace": _replaced,
            "round": lambda value, digits=0, method="common": rounded(value, _few(digits), method),
        }
        self._compiled = lru_cache(maxsize=1000)(super().compile_expression)

    def _compile(self, source: str, filename: str) -> CodeType:
        """Its program, without what Python remarks of a cell's text."""
        with catch_warnings():
            simplefilter("ignore")
            return super()._compile(source, filename)

    def value(self, expression: str, more: Mapping[str, Any]) -> Any:  # noqa: ANN401 - what a mark gives
        """The value of an expression, in which `more` are the names of a loop."""
        self._evaluated += 1
        if self._evaluated > _MOST_EVALUATED:
            raise SecurityError(f"a workbook takes {_MOST_EVALUATED:,} marks")
        try:
            found = self._compiled(expression, False)(**self._known, **more)  # noqa: FBT003 - positional there too
            text = str(found)  # what is undefined says so here
        except RecursionError:
            raise SecurityError("it is nested too deep") from None
        except NameError as error:  # how Jinja writes 1e400 into its program
            raise SecurityError("a number beyond what a cell holds") from error
        if isinstance(found, str):
            _limit(len(text))
            if ILLEGAL_CHARACTERS_RE.search(text):
                raise SecurityError("a control character, which no cell can hold")
        return _number(found)

    def items(self, expression: str) -> list[Any]:
        """The items of the expression of a loop; raises TypeError if it cannot be iterated."""
        over = self.value(expression, {})
        if not isinstance(over, Iterable):
            raise TypeError("nothing to go through")
        items = list(islice(over, MOST_ITEMS + 1))
        if len(items) > MOST_ITEMS:
            raise SecurityError(f"a loop takes {MOST_ITEMS:,} rows")
        return items

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401 - as its parent's
        """The value of an operation whose size is known to be small."""
        sized = [len(each) for each in (left, right) if isinstance(each, Sized)]
        if operator == "*" and sized:
            raise SecurityError("only numbers are multiplied")
        if operator == "+" and sum(sized) > MOST_LETTERS:
            raise SecurityError(f"a text or a list of more than {MOST_LETTERS:,}")
        if operator == "%" and isinstance(left, str) and _WIDTH.search(left):
            raise SecurityError("a width of more than three digits")
        if operator == "**":
            _few(right)
        return _number(super().call_binop(context, operator, left, right))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:  # noqa: ANN401 - as its parent's
        """Whether a name after a dot is read: what is no method, and a few methods that only read."""
        return super().is_safe_attribute(obj, attr, value) and (not callable(value) or attr in _METHODS)

    def is_safe_callable(self, obj: Any) -> bool:  # noqa: ANN401 - as its parent's
        """Whether something is called: what cells may name, and those methods."""
        return super().is_safe_callable(obj) and (id(obj) in self._callable or obj.__name__ in _METHODS)


def _number(value: Any) -> Any:  # noqa: ANN401 - whatever an operation gives
    """The value itself; raises SecurityError for a number that no cell can hold."""
    if isinstance(value, int | float) and not (math.isfinite(value) and abs(value) <= _LARGEST):
        raise SecurityError("a number beyond what a cell holds")
    return value


def _few(number: Any) -> Any:  # noqa: ANN401 - checked here
    if not isinstance(number, int | float) or abs(number) > _MOST_POWER:
        raise SecurityError(f"a power above {_MOST_POWER}")
    return number


def _range(*ends: int) -> range:
    made = range(*ends)
    if len(made) > MOST_ITEMS:
        raise SecurityError(f"a range takes {MOST_ITEMS:,} numbers")
    return made


def _joined(value: Iterable[Any], between: str = "") -> str:
    """The filter `join`."""
    texts = [str(each) for each in value]
    _limit(sum(map(len, texts)) + len(texts) * len(str(between)))
    return str(between).join(texts)


def _replaced(value: Any, old: str, new: str) -> str:  # noqa: ANN401 - as Jinja's
    """The filter `replace`."""
    text = str(value)
    _limit(len(text) + text.count(str(old)) * len(str(new)))
    return text.replace(str(old), str(new))


def _limit(letters: int) -> None:
    if letters > MOST_LETTERS:
        raise SecurityError(f"a text of {letters:,} letters, and a cell takes {MOST_LETTERS:,}")
