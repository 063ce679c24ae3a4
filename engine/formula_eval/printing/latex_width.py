r"""Estimates how many letters wide the LaTeX of a formula is: enough to decide where a line must end."""

import re
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
    """How many letters of the formula stand side by side."""
    return _Ruler(latex).sequence()


class _Ruler:
    """Walks over parts; a fraction is as wide as its wider part, and rows as the widest of them."""

    def __init__(self, latex: str) -> None:
        self._waiting: list[str] = _PARTS.findall(latex)
        self._place = 0

    def sequence(self, *ends: str) -> float:
        """The widest of the rows up to one of these parts, or to the end."""
        widest, row = 0.0, 0.0
        while self._place < len(self._waiting):
            part = self._next()
            if part in ends:
                break
            if part == "\\\\":
                widest, row = max(widest, row), 0.0
            else:
                row += self._of(part)
        return max(widest, row)

    def _next(self) -> str:
        self._place += 1
        return self._waiting[self._place - 1]

    def _argument(self) -> float:
        if self._place >= len(self._waiting):
            return 0.0
        part = self._next()
        return self.sequence("}") if part == "{" else self._of(part)

    def _of(self, part: str) -> float:
        match part:
            case "{":
                return self.sequence("}")
            case r"\frac":
                return max(self._argument(), self._argument()) + 0.5
            case "_" | "^":
                return _SCRIPT * self._argument()
            case r"\begin":
                self._argument()
                inside = self.sequence(r"\end")
                self._argument()
                return inside + 1.0
        known = _SIGN if part in _SIGNS else _WORD if part in _WORDS else 0.0 if part in _UNSEEN else 1.0
        return _NARROW.get(part, known)
