"""Evaluates a part of a formula with the numbers of a whole evaluation."""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import CodeType
from typing import Any

from formula_eval.core.expression import Expression
from formula_eval.printing.python import PRELUDE, PythonPrinter


def value_of(part: Expression, numbers: Mapping[str, float], given: Mapping[str, float]) -> float:
    """The value of a lowered expression; raises ArithmeticError or ValueError as arithmetic does."""
    names = {**_prelude(), "numbers": numbers, "given": given}
    value: float = eval(_compiled(part), names)  # noqa: S307 - printed from a tree, never from text
    return value


@lru_cache(maxsize=32768)
def _compiled(part: Expression) -> CodeType:
    """Compiles a part, and caches it: an explanation asks for the terms of a sum several times."""
    return compile(PythonPrinter(lambda node: f"numbers[{node!r}]").text(part), "<part>", "eval")


@cache
def _prelude() -> Mapping[str, Any]:
    names: dict[str, Any] = {}
    exec(PRELUDE, names)  # noqa: S102 - our own constant
    return names
