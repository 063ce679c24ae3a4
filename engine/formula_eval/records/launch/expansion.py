"""A word of a script to the words that a shell makes of it, from plain assignments alone; the rest is left open."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from formula_eval.records.launch.words import Part, Scanner, Word

OPEN = "\0"
_SUBSCRIPT = re.compile(r"([A-Za-z_]\w*)\[[@*]\]")
_DEFAULTED = re.compile(r"(\w+|[@*])(:?[-=?+])(.*)", re.DOTALL)
_SUM = re.compile(r"\s*(\d+|[-+*/%()]|\$?\{?[A-Za-z_]\w*\}?)")
_FIELD = re.compile(f"(?:{OPEN}[^{OPEN}]*{OPEN}|[^\\s{OPEN}])+")
_OPENED = re.compile(f"{OPEN}[^{OPEN}]*{OPEN}")
_DEEPEST = 20


class Variables(NamedTuple):
    """What plain assignments say, by name: a text, or a list of words."""

    values: Mapping[str, str | tuple[str, ...]]
    depth: int = 0

    def expanded(self, word: Word) -> list[str]:
        """The words that this one stands for: an unquoted variable is split at its blanks, a list is many."""
        fields: list[str] = []
        current: str | None = None
        for part in word.parts:
            value = self._value(part)
            joined = part.quoted and part.text.endswith("[*]")
            pieces = list(value) if isinstance(value, tuple) and not joined else None
            value = " ".join(value) if isinstance(value, tuple) else value
            if part.kind == "variable" and not part.quoted:
                pieces = split(value)
                if not pieces:
                    continue
            if pieces is None:
                current = (current or "") + str(value)
                continue
            if not pieces:
                continue
            first, *others = pieces
            current = (current or "") + first
            for each in others:
                fields.append(current)
                current = each
        return fields if current is None else [*fields, current]

    def text(self, word: Word) -> str:
        """The word as one text, as in an assignment."""
        values = (self._value(part) for part in word.parts)
        return "".join(each if isinstance(each, str) else " ".join(each) for each in values)

    def _value(self, part: Part) -> str | tuple[str, ...]:
        match part.kind:
            case "text":
                return part.text
            case "arithmetic":
                return self._computed(part.text)
            case "variable":
                return self._variable(part.text)
            case "list":
                return ""
        return left_open(part.text)

    def _variable(self, written: str) -> str | tuple[str, ...]:
        listed = _SUBSCRIPT.fullmatch(written)
        name = listed[1] if listed else written
        if name in self.values:
            held = self.values[name]
            return held if listed or isinstance(held, str) else (held[0] if held else "")
        defaulted = _DEFAULTED.fullmatch(written)
        if defaulted is None or self.depth >= _DEEPEST:
            return "" if written in ("@", "*") else left_open(f"${written}" if name == written else f"${{{written}}}")
        name, sign, other = defaulted.groups()
        held = self.values.get(name, "")
        if sign.endswith("+"):
            return self._inner(other) if held else ""
        if held or sign.endswith("?"):
            return held or left_open(f"${{{name}}}")
        return self._inner(other)

    def _inner(self, text: str) -> str:
        """A default, which may name variables itself."""
        tokens = Scanner(text.replace(" ", "\\ ")).tokens()
        deeper = self._replace(depth=self.depth + 1)
        return "".join(deeper.text(each) if isinstance(each, Word) else each.sign for each in tokens)

    def _computed(self, text: str) -> str:
        """Whole-number arithmetic of a shell; left open where a part of it is unknown."""
        tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = _SUM.match(text, at)
            if found is None:
                return left_open(f"$(({text}))")
            token = found[1].strip("${}")
            if re.fullmatch(r"[A-Za-z_]\w*", token):
                held = self.values.get(token, "")
                if not isinstance(held, str) or not held.strip().isdecimal():
                    return left_open(f"$(({text}))")
                token = held.strip()
            tokens.append(token)
            at = found.end()
        try:
            return str(_Sum(tokens).whole())
        except (ValueError, ZeroDivisionError, IndexError):
            return left_open(f"$(({text}))")


class _Sum:
    """Reads a sum by the usual precedence."""

    def __init__(self, parts: list[str]) -> None:
        self._parts = [*parts, ""]

    def whole(self) -> int:
        value = self._terms()
        if self._parts[0]:
            raise ValueError(self._parts[0])
        return value

    def _terms(self) -> int:
        value = self._factors()
        while self._parts[0] in ("+", "-"):
            value += self._factors() if self._parts.pop(0) == "+" else -self._factors()
        return value

    def _factors(self) -> int:
        value = self._atom()
        while self._parts[0] in ("*", "/", "%"):
            sign, other = self._parts.pop(0), self._atom()
            value = value * other if sign == "*" else value // other if sign == "/" else value % other
        return value

    def _atom(self) -> int:
        part = self._parts.pop(0)
        if part == "(":
            value = self._terms()
            if self._parts.pop(0) != ")":
                raise ValueError(part)
            return value
        return int(part)


def left_open(written: str) -> str:
    """A text that stands for what is not known here, such as `$HOSTS`."""
    return f"{OPEN}{written}{OPEN}"


def is_open(text: str) -> bool:
    """Whether some of it is not known here."""
    return OPEN in text


def without_open(text: str) -> str:
    """The text but for what is not known here."""
    return _OPENED.sub("", text)


def as_written(text: str) -> str:
    """The text as its author wrote it."""
    return text.replace(OPEN, "")


def split(text: str) -> list[str]:
    """A text at its blanks, but for those in what is left open; backslashes at line ends fall away."""
    return [each for each in _FIELD.findall(text.replace("\\\n", " ")) if each != "\\"]
