"""Checks the text of a formula for what Excel refuses, although LibreOffice accepts it."""

import re
from collections.abc import Iterator

MOST_CHARACTERS = 8192
MOST_DEPTH = 64
MOST_ARGUMENTS = 255
MOST_TEXT = 255
MOST_DIGITS = 15
_OLD = (
    "ABS AND CHOOSE EXP IF IFERROR INDEX INT ISERROR ISNA ISNUMBER LN LOG LOOKUP MATCH MAX MIN MOD NA NOT OR ROUND ROW"
)
FUNCTIONS = frozenset(f"{_OLD} NOW SQRT SUM SUMPRODUCT TEXT YEAR MONTH DAY".split())
_PIECE = re.compile(
    r'"(?:[^"]|"")*"|[A-Za-z_\\][\w.]*\(|\'[^\']*\'!|[A-Za-z_\\$][\w.$!]*|[\d.]+(?:[eE][-+]?\d+)?|[(),]|.', re.DOTALL
)
_LITERAL = frozenset('"0123456789')


def excel_findings(formula: str) -> Iterator[str]:
    """Problems in the text of a formula; none if it is sound."""
    yield from too_large(formula)
    for piece in _PIECE.findall(formula):
        if piece.endswith("(") and piece != "(" and not piece.startswith('"'):
            if piece[:-1].upper() not in FUNCTIONS:
                yield f"{piece[:-1]} is not a function that every spreadsheet has"
        elif piece[0] in _LITERAL:
            yield from _of_literal(piece)


def too_large(formula: str) -> Iterator[str]:
    """Where the text of a formula is longer or deeper than Excel takes."""
    if len(formula) > MOST_CHARACTERS:
        yield f"it has {len(formula)} characters, Excel takes {MOST_CHARACTERS}"
    arguments: list[int] = []
    deepest = 0
    for piece in _PIECE.findall(formula):
        if piece.endswith("(") and not piece.startswith('"'):
            arguments.append(1)
            deepest = max(deepest, len(arguments))
        elif piece == ")" and arguments and arguments.pop() > MOST_ARGUMENTS:
            yield f"a function has more than {MOST_ARGUMENTS} arguments"
        elif piece == "," and arguments:
            arguments[-1] += 1
    if deepest > MOST_DEPTH:
        yield f"functions are nested {deepest} deep, Excel takes {MOST_DEPTH}"


def _of_literal(piece: str) -> Iterator[str]:
    if piece.startswith('"') and len(piece) - 2 > MOST_TEXT:
        yield f"a text in it is longer than {MOST_TEXT} characters"
    if piece[0].isdigit() and len(re.sub(r"[eE].*|\.", "", piece).strip("0")) > MOST_DIGITS:
        yield f"the number {piece} has more than {MOST_DIGITS} digits"
