"""Splits a chapter's text into statements, with the names local to each: parameters, columns, rows, loop variables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from formula_eval.language.reader import split
from formula_eval.lsp.tokens import Token, tokens

# Statements that hold rows: of their own, or for another table.
WITH_ROWS = ("table", "extend")
_COLUMN_INDENT = 5  # the column, counted from 1, at which a line of one level begins


@dataclass(frozen=True, slots=True)
class LoopTokens:
    """`for row in table` within the parentheses that open and close at these tokens."""

    row: int
    table: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class StatementTokens:
    """One statement as it stands in its text; places of tokens, by number."""

    lines_before: int  # lines of the file above the statement
    tokens: tuple[Token, ...]
    kind: str = ""  # the keyword it begins with; empty for a formula
    name: int | None = None  # the first token that is a name, if any
    parameters: Mapping[str, int] = field(default_factory=dict)  # of a `def`, pieces of a `where`, unknowns, by name
    columns: Mapping[str, int] = field(default_factory=dict)  # declared in a `table`, by name
    rows: Mapping[str, int] = field(default_factory=dict)  # of a `table` or an `extend`, by name
    cells: frozenset[int] = frozenset()  # columns that lines of rows fill in
    loops: tuple[LoopTokens, ...] = ()  # each `for row in table` within an expression

    def at(self, line: int, column: int) -> int | None:
        """The word at a place of the file, or just before it."""
        line -= self.lines_before
        here = [n for n, token in enumerate(self.tokens) if token.line == line and token.column <= column <= token.end]
        words = [n for n in here if self.tokens[n].kind not in ("sign", "number", "text")]
        return next(iter([*words, *here]), None)


@lru_cache(maxsize=512)
def statements(text: str) -> tuple[StatementTokens, ...]:
    """The statements of a chapter."""
    _, found = split(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return tuple(_statement(statement.text, statement.lines_before) for statement in found)


def statement_at(text: str, line: int) -> StatementTokens | None:
    """The statement that a line, counted from 1, belongs to."""
    before = [statement for statement in statements(text) if statement.lines_before < line]
    return before[-1] if before else None


@lru_cache(maxsize=8192)
def _statement(text: str, lines_before: int) -> StatementTokens:
    found = tokens(text)
    kind = found[0].text if found and found[0].kind == "keyword" else ""
    first_name = next((n for n, token in enumerate(found) if token.kind == "name"), None)
    return StatementTokens(
        lines_before,
        found,
        kind,
        first_name,
        parameters={**(_parameters(found) if kind == "def" else {}), **_pieces(found)},
        columns=dict(_line_names(found, is_row=False)) if kind == "table" else {},
        rows=dict(_line_names(found, is_row=True)) if kind in WITH_ROWS else {},
        cells=frozenset(_cells(found)) if kind in WITH_ROWS else frozenset(),
        loops=tuple(_loops(found)),
    )


def _parameters(found: tuple[Token, ...]) -> dict[str, int]:
    """Names behind the opening parenthesis of a function or a comma in it, up to its end."""
    inside: dict[str, int] = {}
    depth = 0
    for number, token in enumerate(found):
        before = found[number - 1].text if number else ""
        if depth == 1 and token.kind == "name" and before in ("(", ","):
            inside[token.text] = number
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.text == ")":
            break
    return inside


def _pieces(found: tuple[Token, ...]) -> dict[str, int]:
    """Names behind the words `where`, `solve` and `solve largest`."""
    words = [token.text for token in found]
    named = [n for n in range(1, len(found)) if words[n - 1] in ("where", "solve") and words[n] != "largest"]
    named += [n for n in range(2, len(found)) if words[n - 2 : n] == ["solve", "largest"]]
    return {words[number]: number for number in named if found[number].kind == "name"}


def _firsts(found: tuple[Token, ...]) -> Iterator[int]:
    """The first token of each line but those within parentheses."""
    depth, line = 0, 0
    for number, token in enumerate(found):
        if token.line != line and depth == 0:
            yield number
        line = token.line
        depth += (token.text == "(") - (token.text == ")")


def _line_names(found: tuple[Token, ...], *, is_row: bool) -> Iterator[tuple[str, int]]:
    for number in _firsts(found):
        token = found[number]
        if token.column != _COLUMN_INDENT:
            continue
        if is_row and token.text == "row" and number + 1 < len(found):
            yield found[number + 1].text, number + 1
        elif not is_row and token.kind == "name":
            yield token.text, number


def _cells(found: tuple[Token, ...]) -> Iterator[int]:
    """The column that each line of a row fills in."""
    in_row = False
    for number in _firsts(found):
        token = found[number]
        if token.column == _COLUMN_INDENT:
            in_row = token.text == "row"
        elif in_row and token.kind == "name" and number + 1 < len(found) and found[number + 1].text == "=":
            yield number


def _loops(found: tuple[Token, ...]) -> Iterator[LoopTokens]:
    opened: list[int] = []
    inside: dict[int, list[int]] = {}
    closed: dict[int, int] = {}
    for number, token in enumerate(found):
        if token.text == "(":
            opened.append(number)
        elif token.text == ")" and opened:
            closed[opened.pop()] = number
        elif token.kind == "keyword" and token.text == "for":
            inside.setdefault(opened[-1] if opened else 0, []).append(number)
    for begin, numbers in inside.items():
        for number in numbers:
            rest = found[number + 1 : number + 4]
            if [each.kind for each in rest] == ["name", "keyword", "name"]:
                yield LoopTokens(number + 1, number + 3, begin, closed.get(begin, len(found)))
