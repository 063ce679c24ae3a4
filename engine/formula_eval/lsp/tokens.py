"""Splits a statement into words, each with its sort and place; the statement need not be one that can be parsed."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from formula_eval.language.keywords import reserved_words, statement_words

Kind = Literal["name", "unit", "type", "word", "key", "supplier", "keyword", "text", "number", "sign"]

_RAW = re.compile(
    r'(?P<text>"[^"\n]*"?)'
    r"|(?P<number>[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_]\w*(?:\.\w+)*)"
    r"|(?P<sign>->|\.\.|[=!<>]=|\*\*|[^\s\w])"
)
_PART = re.compile(r"\w+")
_BRACES = re.compile(r"\{([^{}]*)\}")
# What follows `from` or a note's first word has a sort of its own.
_AFTER: dict[str, Kind] = {"source": "key", "from": "supplier"}


class Token(NamedTuple):
    """A word, number, sign or text; line and column count from 1, the line from the statement's first one.

    A name has its parts and their columns: `params.total` names a folder and a formula.
    """

    kind: Kind  # its sort, by its form and what stands before
    text: str
    line: int
    column: int
    parts: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """The column just behind it."""
        return self.column + len(self.text)

    def part_at(self, column: int) -> int | None:
        """Which of its parts stands at a column, or ends there."""
        parts = zip(self.columns, self.parts, strict=True)
        return next((number for number, (at, part) in enumerate(parts) if at <= column <= at + len(part)), None)


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    """All words of a statement, those in the braces of a check's message among them."""
    found: list[Token] = []
    sorter = _Sorter()
    is_check = text.startswith("check ")
    for number, line in enumerate(text.split("\n"), 1):
        sorter.first = None
        for raw in _raw(line, number, 0):
            token = sorter.sorted(raw)
            found.append(token)
            if token.kind == "text" and is_check:
                found += _quoted(token)
    return tuple(found)


def _raw(line: str, number: int, shift: int) -> Iterator[Token]:
    for match in _RAW.finditer(line):
        text, column = match[0], match.start() + 1 + shift
        kind: Kind = match.lastgroup  # type: ignore[assignment]  # the groups are named after kinds
        if kind != "name":
            yield Token(kind, text, number, column)
            continue
        parts = [(each[0], column + each.start()) for each in _PART.finditer(text)]
        yield Token(kind, text, number, column, *zip(*parts, strict=True))


def _quoted(token: Token) -> Iterator[Token]:
    sorter = _Sorter()
    for braces in _BRACES.finditer(token.text):
        sorter.first = token
        for raw in _raw(braces[1], token.line, token.column - 1 + braces.start(1)):
            yield sorter.sorted(raw)


class _Sorter:
    """Tells names from units, types and words by what stands before them."""

    def __init__(self) -> None:
        self.first: Token | None = None
        self._head: Token | None = None
        self._before: Token | None = None
        self._second: Token | None = None
        self._depth = 0
        self._typed = False
        self._is_left = True

    def sorted(self, raw: Token) -> Token:
        """The token with its sort."""
        token = raw._replace(kind=self._kind(raw)) if raw.kind == "name" else raw
        self._note(token)
        if self.first is None:
            self.first = token
        self._head = self._head or token
        self._second, self._before = self._before, token
        return token

    def _kind(self, raw: Token) -> Kind:
        before = self._before
        if len(raw.parts) == 1 and (
            raw.text in reserved_words() or (self._head is None and raw.text in statement_words())
        ):
            self._typed = False
            return "keyword"
        if before is not None and before.line == raw.line:
            if before.kind == "number" or self._goes_on(raw, "unit"):
                return "unit"
            if self.first is not None and before.kind == "keyword" and before.text in _AFTER:
                return _AFTER[before.text]
            if self.first is not None and self.first.text == "example" and before.text in ("=", "->"):
                return "word"
        return "type" if self._typed and (before is None or before.line == raw.line) else "name"

    def _goes_on(self, raw: Token, kind: Kind) -> bool:
        """Whether this is a further part of a compound unit, `TB/s`, which has no spaces."""
        before, second = self._before, self._second
        return (
            before is not None
            and second is not None
            and before.text in ("/", "*")
            and second.kind == kind
            and second.end == before.column
            and before.end == raw.column
        )

    def _note(self, token: Token) -> None:
        """Whether a type is what comes next: behind the colon of a declared name, or the arrow of a `def`."""
        if self.first is None and self._depth == 0:
            self._typed = False
        self._depth += (token.text == "(") - (token.text == ")")
        is_function = self._head is not None and self._head.text == "def"
        if token.text == "=" and self._depth == 0:
            self._is_left = False
        if token.text == ":":
            before = self._before
            declared = before is not None and before.kind == "name" and (before is self.first or self._is_input())
            self._typed = declared or (is_function and self._is_left)
        elif token.text == "->" and is_function and self._is_left:
            self._typed = True
        elif token.text in ("=", ",", ")") or token.kind == "keyword":
            self._typed = False

    def _is_input(self) -> bool:
        return self._second is self.first and self.first is not None and self.first.text == "input"
