"""Diagnostics: what is wrong, where, and what to do about it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from formula_eval.core.span import Span

_LONGEST = 60


class Label(NamedTuple):
    """A place with a few words about it."""

    span: Span
    text: str = ""


class Diagnostic(NamedTuple):
    """One finding.

    Attributes:
        code: a stable word such as `unit-mismatch`.
        message: what is wrong, in words.
        labels: where, as places of texts.
        help: what to do about it.
        subject: the name that it is about, if one.
        file: the file of data that it is about, as messages name it, if one.
        following: how many other findings follow from it, and are not told.

    """

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    subject: str = ""
    file: str = ""
    following: int = 0

    def __str__(self) -> str:
        """One line: the place, then the message."""
        return f"{self.labels[0].span}: {self.message}" if self.labels else self.message


class FormulaError(Exception):
    """Findings that stop the work; only the command line turns them into an exit code."""

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, *diagnostics: Diagnostic) -> None:
        """Carry the findings, at least one; the text of the error tells them with what to do about each."""
        super().__init__("\n".join(_with_help(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type["FormulaError"], tuple[Diagnostic, ...]]:
        """How another process rebuilds it."""
        return type(self), self.diagnostics


def _with_help(finding: Diagnostic) -> str:
    return f"{finding}\nhelp: {finding.help}" if finding.help else str(finding)


def refuse(code: str, message: str, *spans: Span, help: str = "", subject: str = "") -> FormulaError:  # noqa: A002 - the field's name
    """The error of a single finding."""
    return FormulaError(Diagnostic(code, message, tuple(Label(span) for span in spans), help, subject))


def spell_out(names: Sequence[str]) -> str:
    """'Spell out where it is: ...' with the first of these names, or nothing if there are none."""
    return f"Spell out where it is: {' or '.join(f'`{name}`' for name in names[:3])}." if names else ""


def listed(names: Sequence[str], most: int = 20) -> str:
    """The names in a row, as many as can be read."""
    return ", ".join([*(f"`{name}`" for name in names[:most]), *(["..."] if len(names) > most else [])])


def enumerated(words: Sequence[str], before_last: str = "and") -> str:
    """`a`, `a and b`, or `a, b and c`; nothing for none."""
    *first, last = words or [""]
    return f"{', '.join(first)} {before_last} {last}" if first else last


def shortened(text: object) -> str:
    """What a message repeats of somebody's text."""
    written = str(text)
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 3]}..."


def _is_slip(word: str, meant: str) -> bool:
    """Whether one holds the other, or one letter in three at most is wrong, missing, too many or swapped."""
    if word in meant or meant in word:
        return True
    before: list[int] = []
    row = list(range(len(meant) + 1))
    for number, letter in enumerate(word, 1):
        earlier, before, row = before, row, [number]
        for place, other in enumerate(meant, 1):
            steps = [before[place] + 1, row[-1] + 1, before[place - 1] + (letter != other)]
            if earlier and place > 1 and letter == meant[place - 2] and word[number - 2] == other:
                steps.append(earlier[place - 2] + 1)
            row.append(min(steps))
    return row[-1] <= max(1, max(len(word), len(meant)) // 3)


def nearest_name(word: str, known: Iterable[str]) -> str:
    """The same for names with folders before them: also those whose last part holds the word."""
    known = list(known)
    holding = [name for name in known if word and word in name.rpartition(".")[2] and "@" not in name]
    holding = [name for name in holding if not name.startswith("published.")] or holding
    return nearest(word, known) or _did_you_mean(sorted(dict.fromkeys(holding), key=len)[:3])


def nearest(word: str, known: Iterable[str]) -> str:
    """'Did you mean ...?' with the nearest known words, or nothing."""
    return _did_you_mean(_close(word, known))


def nearest_option(option: str, known: Iterable[str]) -> str:
    """The same for options: the singular or plural, those that hold every word of it, or those spelled almost so.

    Options of a namespace are meant by their last part, where no other comes near.
    """
    word = option.removeprefix("--")
    for is_inner in (False, True):
        inner = {name.removeprefix("--").rpartition(".")[2]: name for name in known if ("." in name) == is_inner}
        plural = [name for name in inner if name.removesuffix("s") == word.removesuffix("s")]
        holding = [name for name in inner if {*word.split("-")} <= {*name.split("-")}]
        holding.sort(key=lambda name: (not name.startswith(word), len(name)))
        if found := (plural or holding or _close(word, inner))[:3]:
            return _did_you_mean([inner[name] for name in found])
    return ""


def _close(word: str, known: Iterable[str]) -> list[str]:
    """Up to three known words that differ by capitals or a slip, the nearest first."""
    from difflib import get_close_matches  # noqa: PLC0415 - only when something is wrong

    known = list(dict.fromkeys(known))
    close = [
        close_match
        for close_match in get_close_matches(word, known, n=3, cutoff=0.6)
        if _is_slip(word.lower(), close_match.lower())
    ]
    folded = [name for name in known if name.lower() == word.lower() and name not in close]
    return [*folded, *close][:3]


def nearest_unit(word: str, known: Iterable[str]) -> str:
    """The same for units, of which people write the first letter: `h` is an hour, and not nearly `Wh`."""
    known = list(known)
    begun = [name for name in known if len(word) == 1 and len(name) > 2 and name.startswith(word)]  # noqa: PLR2004 - a word
    return _did_you_mean(sorted(begun, key=len)[:3]) or nearest(word, known)


def _did_you_mean(found: Sequence[str]) -> str:
    return f"Did you mean {enumerated([f'`{name}`' for name in found], 'or')}?" if found else ""
