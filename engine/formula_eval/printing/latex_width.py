r"""LaTeX of a formula to how wide it will be, in letters: enough to decide where a line must end."""

import re

_TOKENS = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s]")
_WORDS = frozenset({r"\min", r"\max", r"\ln", r"\log", r"\exp", r"\bmod"})
_SIGNS = frozenset({"+", "-", "=", "<", ">", r"\times", r"\cdot", r"\le", r"\ge", r"\ne", r"\in", r"\approx", r"\land", r"\lor"})
_NARROW = {r"\,": 0.3, r"\;": 0.5, r"\quad": 2.0, r"\left": 0.0, r"\right": 0.0, ",": 0.7, ".": 0.5, "&": 1.0, r"\displaystyle": 0.0}
_SIGN = 2.0
_SCRIPT = 0.7
_WORD = 3.5
_SPREAD = frozenset({r"\mathrm", r"\text", r"\operatorname*", r"\operatorname"})


def width(latex: str) -> float:
    """How many letters of the formula stand side by side."""
    return _Ruler(latex).sequence()


class _Ruler:
    """Walks over tokens; a fraction is as wide as its wider part, and rows as the widest of them."""

    def __init__(self, latex: str) -> None:
        self._tokens = _TOKENS.findall(latex)
        self._place = 0

    def sequence(self, *ends: str) -> float:
        """The widest of the rows up to one of these tokens, or to the end."""
        widest, row = 0.0, 0.0
        while self._place < len(self._tokens):
            token = self._next()
            if token in ends:
                break
            if token == "\\\\":
                widest, row = max(widest, row), 0.0
            else:
                row += self._of(token)
        return max(widest, row)

    def _next(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1]

    def _argument(self) -> float:
        if self._place >= len(self._tokens):
            return 0.0
        token = self._next()
        return self.sequence("}") if token == "{" else self._of(token)

    def _of(self, token: str) -> float:
        if token == "{":
            return self.sequence("}")
        if token == r"\frac":
            return max(self._argument(), self._argument()) + 0.5
        if token in {"_", "^"}:
            return _SCRIPT * self._argument()
        if token == r"\begin":
            self._argument()
            inside = self.sequence(r"\end")
            self._argument()
            return inside + 1.0
        if token in _SIGNS:
            return _SIGN
        if token in _WORDS:
            return _WORD
        return 0.0 if token in _SPREAD or token in {"}", r"\substack"} else _NARROW.get(token, 1.0)
