"""Checks the text of a formula for what Excel refuses, although LibreOffice accepts it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

MOST_CHARACTERS = 8192
MOST_DEPTH = 64
MOST_ARGUMENTS = 255
MOST_TEXT = 255
MOST_DIGITS = 15
_OLD = (
    "ABS AND CHOOSE EXP IF IFERROR INDEX INT ISERROR ISNA ISNUMBER LN LOG LOOKUP MATCH MAX MIN MOD NA NOT OR ROUND ROW"
)
FUNCTIONS = frozenset(f"{_OLD} NOW SQRT SUM SUMPRODUCT TEXT YEAR MONTH DAY EDATE".split())
# Texts, names of sheets, names with or without the parenthesis of a call, numbers, and what parts arguments.
_PIECE = re.compile(r'"(?:[^"]|"")*"|\'[^\']*\'!|[A-Za-z_\\$][\w.$!]*\(?|[\d.]+(?:[eE][-+]?\d+)?|[(),]', re.DOTALL)


def excel_findings(formula: str) -> Iterator[str]:
    """Problems in the text of a formula; none if it is sound."""
    pieces = _PIECE.findall(formula)
    yield from _of_size(formula, pieces)
    yield from filter(None, map(_of_piece, pieces))


def too_large(formula: str) -> Iterator[str]:
    """Where the text of a formula is longer or deeper than Excel takes."""
    yield from _of_size(formula, _PIECE.findall(formula))


def _of_size(formula: str, pieces: Iterable[str]) -> Iterator[str]:
    if len(formula) > MOST_CHARACTERS:
        yield f"it has {len(formula)} characters, Excel takes {MOST_CHARACTERS}"
    if formula.count("(") <= MOST_DEPTH and formula.count(",") < MOST_ARGUMENTS:  # as in most
        return
    arguments: list[int] = []
    deepest = 0
    for piece in pieces:
        if piece[-1] == "(":
            arguments.append(1)
            deepest = max(deepest, len(arguments))
        elif piece == ")" and arguments and arguments.pop() > MOST_ARGUMENTS:
            yield f"a function has more than {MOST_ARGUMENTS} arguments"
        elif piece == "," and arguments:
            arguments[-1] += 1
    if deepest > MOST_DEPTH:
        yield f"functions are nested {deepest} deep, Excel takes {MOST_DEPTH}"


@lru_cache(maxsize=4096)
def _of_piece(piece: str) -> str:
    """The problem of a function or a literal, or nothing."""
    if piece[0] == '"':
        return f"a text in it is longer than {MOST_TEXT} characters" if len(piece) - 2 > MOST_TEXT else ""
    if piece[-1] == "(" and piece != "(" and piece[:-1].upper() not in FUNCTIONS:
        return f"{piece[:-1]} is not a function that every spreadsheet has"
    if piece[0].isdigit() and len(re.sub(r"[eE].*|\.", "", piece).strip("0")) > MOST_DIGITS:
        return f"the number {piece} has more than {MOST_DIGITS} digits"
    return ""
