"""Quotes words as a shell command on one line, and breaks a command into lines between words."""

import re
import shlex
from collections.abc import Iterator, Sequence

_PIECE = re.compile(r"""(?:\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+""")
_OPTIONS_ALONE = re.compile(r"'[^'\"\\{}\[\]#`$|&;<>()]* -[^'\"\\{}\[\]#`$|&;<>()]*'")
_LAUNCH = "--from"
_ESCAPES = {"\n": "\\n", "\t": "\\t"} | {name: f"\\{name}" for name in "\\'\""}
_ASCII = 0x80
_SHORT = 0x10000


def command_of(words: Sequence[str]) -> str:
    """The shell command of these words, on one line."""
    return " ".join(map(_quoted, words))


def lines_of(command: str, width: int) -> list[str]:
    """A command in lines of about this width, each but the last ending in a backslash.

    A line ends between words; within a quoted one only where that is a launch command of plain words.
    """
    lines: list[str] = []
    for piece in _pieces(command):
        if lines and len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return [*(f"{line} \\" for line in lines[:-1]), *lines[-1:]]


def _pieces(command: str) -> Iterator[str]:
    before = ""
    for piece in _PIECE.findall(command):
        yield from piece.split(" ") if before == _LAUNCH and _OPTIONS_ALONE.fullmatch(piece) else [piece]
        before = piece


def _quoted(word: str) -> str:
    """The word as a shell reads it; as `$'...'` where it has line ends or other blanks that documents do not keep."""
    if word.isprintable() and "  " not in word and '"""' not in word:
        return shlex.quote(word)
    return f"$'{''.join(_escaped(letter, last) for last, letter in zip(('', *word), word, strict=False))}'"


def _escaped(letter: str, last: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    code = ord(letter)
    if letter.isprintable() and not (letter == " " and last in " \n\t"):
        return letter
    return f"\\x{code:02x}" if code < _ASCII else f"\\u{code:04x}" if code < _SHORT else f"\\U{code:08x}"
