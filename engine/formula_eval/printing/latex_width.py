r"""Estimates how many letters wide the LaTeX of a formula is: enough to decide where a line must end."""

import re
from collections.abc import Iterator
from functools import lru_cache

_PARTS = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s]")
_WORDS = frozenset({r"\min", r"\max", r"\ln", r"\log", r"\exp", r"\bmod"})
_RELATIONS = (r"\le", r"\ge", r"\ne", r"\in", r"\approx", r"\iff", r"\leftarrow")
_SIGNS = frozenset(("+", "-", "=", "<", ">", r"\times", r"\cdot", r"\land", r"\lor", *_RELATIONS))
_NARROW = {r"\,": 0.3, r"\;": 0.5, r"\quad": 2.0, r"\left": 0.0, r"\right": 0.0, ",": 0.7, ".": 0.5, "&": 1.0}
_SIGN = 2.0
_SCRIPT = 0.7
_WORD = 3.5
_UNSEEN = frozenset({r"\mathrm", r"\text", r"\operatorname*", r"\operatorname", r"\substack", "}"})


@lru_cache(maxsize=50_000)
def width(latex: str) -> float:
    """How many letters of the formula stand side by side; rows are as wide as the widest of them."""
    return _of_row(iter(_PARTS.findall(latex)))


def _of_row(waiting: Iterator[str], *ends: str) -> float:
    """The widest of the rows up to one of these parts, or to the end; takes the parts away."""
    widest, row = 0.0, 0.0
    for part in waiting:
        if part in ends:
            break
        if part == "\\\\":
            widest, row = max(widest, row), 0.0
        else:
            row += _of(part, waiting)
    return max(widest, row)


def _argument(waiting: Iterator[str]) -> float:
    return _of(next(waiting, "}"), waiting)


def _of(part: str, waiting: Iterator[str]) -> float:
    """One part with what belongs to it; a fraction is as wide as its wider part."""
    match part:
        case "{":
            return _of_row(waiting, "}")
        case r"\frac":
            return max(_argument(waiting), _argument(waiting)) + 0.5
        case "_" | "^":
            return _SCRIPT * _argument(waiting)
        case r"\begin":
            _argument(waiting)
            inside = _of_row(waiting, r"\end")
            _argument(waiting)
            return inside + 1.0
    known = _SIGN if part in _SIGNS else _WORD if part in _WORDS else 0.0 if part in _UNSEEN else 1.0
    return _NARROW.get(part, known)
