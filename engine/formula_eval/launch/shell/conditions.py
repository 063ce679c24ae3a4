"""Evaluates a test of a shell, as far as plain values tell: `[ "$GPU" = a100 ]`, `[[ ... && ... ]]`."""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from operator import ge, gt, le, lt

from formula_eval.launch.shell.expansion import Variables
from formula_eval.launch.shell.lexer import ShellOperator, Word
from formula_eval.records.open_text import is_open

TESTS = ("[", "[[", "test")
_CLOSING = ("]", "]]")
_TEXTS = {"=": True, "==": True, "!=": False}
_NUMBERS: Mapping[str, Callable[[int, int], bool]] = {
    "-gt": gt,
    "-ge": ge,
    "-lt": lt,
    "-le": le,
    "-eq": int.__eq__,
    "-ne": int.__ne__,
}
_WHOLE = re.compile(r"\s*-?\d{1,18}\s*")
_PLAIN_PATTERN = re.compile(r"[\w^$|.-]+")


class _MalformedError(Exception):
    """A test that a shell refuses, such as `[ 1 != ]`, and so counts as not holding."""


class ShellTest:
    """One test; `empty` are the variables that nothing sets, which were taken for empty texts."""

    def __init__(self, tokens: Sequence[Word | ShellOperator], known: Variables) -> None:
        """Take the words from `[` on, and the values that are known where it stands."""
        self.empty: list[str] = []
        self._known = known
        self._double = isinstance(tokens[0], Word) and tokens[0].bare == "[["
        inner = [token for token in tokens[1:] if isinstance(token, ShellOperator) or token.bare not in _CLOSING]
        self._rest: list[Word | ShellOperator] = inner

    def holds(self) -> bool | None:
        """Whether it holds; None where that is not known here."""
        try:
            found = self._either()
        except _MalformedError:
            return False
        return None if self._rest else found

    def _sign(self) -> str:
        first = self._rest[0] if self._rest else None
        return first.sign if isinstance(first, ShellOperator) else first.bare if first is not None else ""

    def _either(self) -> bool | None:
        found = self._both()
        while self._sign() in ("||", "-o"):
            self._rest.pop(0)
            found = negated(both(negated(found), negated(self._both())))
        return found

    def _both(self) -> bool | None:
        found = self._one()
        while self._sign() in ("&&", "-a"):
            self._rest.pop(0)
            found = both(found, self._one())
        return found

    def _one(self) -> bool | None:
        if self._sign() == "!":
            self._rest.pop(0)
            return negated(self._one())
        if self._sign() == "(":
            self._rest.pop(0)
            found = self._either()
            if self._sign() == ")":
                self._rest.pop(0)
            return found
        return self._plain()

    def _plain(self) -> bool | None:
        words = self._words()
        del self._rest[: len(words)]
        match words:
            case [text]:
                return negated(self._is_empty(text))
            case [sign, text] if sign.bare == "-z":
                return self._is_empty(text)
            case [sign, text] if sign.bare == "-n":
                return negated(self._is_empty(text) and not self._vanishes(text))  # `[ -n ]` holds
            case [left, sign, right]:
                return self._compared(left, sign.bare, right)
        return None

    def _words(self) -> list[Word]:
        found: list[Word] = []
        for operator in self._rest:
            if isinstance(operator, ShellOperator) or (found and operator.bare in ("-a", "-o")):
                break
            found.append(operator)
        return found

    def _is_empty(self, word: Word) -> bool | None:
        """Whether a word is an empty text; a variable alone that nothing sets counts as one."""
        text = self._known.text(word)
        if not is_open(text):
            return not text
        if self._known.is_unset(text):
            self.empty.append(text)
            return True
        return None

    def _vanishes(self, word: Word) -> bool:
        """Whether `[` does not see a word, because it is empty and not in quotes."""
        return not self._double and not any(part.quoted for part in word.parts) and not self._known.text(word)

    def _compared(self, left: Word, sign: str, right: Word) -> bool | None:
        a, b = self._known.text(left), self._known.text(right)
        if is_open(a) or is_open(b):
            return None
        if self._vanishes(left) or self._vanishes(right):
            raise _MalformedError
        if sign in _TEXTS:
            pattern = self._double and any(set("*?[") & set(part.text) and not part.quoted for part in right.parts)
            return (fnmatchcase(a, b) if pattern else a == b) == _TEXTS[sign]
        if sign in _NUMBERS and _WHOLE.fullmatch(a) and _WHOLE.fullmatch(b):
            return bool(_NUMBERS[sign](int(a), int(b)))
        if sign == "=~" and _PLAIN_PATTERN.fullmatch(b):
            return re.search(b, a) is not None
        return None


def negated(holds: bool | None) -> bool | None:  # noqa: FBT001 - a truth value of three
    """Whether it does not hold; None where that is not known."""
    return None if holds is None else not holds


def both(one: bool | None, other: bool | None) -> bool | None:  # noqa: FBT001 - a truth value of three
    """Whether both hold; None where that is not known."""
    return False if False in (one, other) else None if None in (one, other) else True
