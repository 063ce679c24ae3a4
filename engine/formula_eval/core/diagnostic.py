"""A problem as a value: what is wrong, where, and what to do about it."""

from collections.abc import Iterable
from typing import NamedTuple

from formula_eval.core.span import Span


class Label(NamedTuple):
    """A place with a few words about it."""

    span: Span
    text: str = ""


class Diagnostic(NamedTuple):
    """One finding; `code` is a stable word such as `unit-mismatch`, `subject` the name it is about, if one."""

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    subject: str = ""

    def __str__(self) -> str:
        """One line: the place, then the message."""
        return f"{self.labels[0].span}: {self.message}" if self.labels else self.message


class FormulaError(Exception):
    """Findings that stop the work; only the command line turns them into an exit code."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        """Carry the findings, at least one."""
        super().__init__("\n".join(str(each) for each in diagnostics))
        self.diagnostics = diagnostics


def refuse(code: str, message: str, *spans: Span, help: str = "", subject: str = "") -> FormulaError:  # noqa: A002 - the field's name
    """The error of a single finding."""
    return FormulaError(Diagnostic(code, message, tuple(Label(span) for span in spans), help, subject))


def elsewhere(name: str, known: Iterable[str]) -> str:
    """'Spell it out: ...' with the names of some folder that end so, or nothing."""
    found = list(dict.fromkeys(each for each in known if each.endswith(f".{name}")))[:3]
    return f"Spell out where it is: {' or '.join(f'`{each}`' for each in found)}." if found else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """'Did you mean ...?' with the nearest known words, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only when something is wrong

    known = list(dict.fromkeys(known))
    close = get_close_matches(word, known, n=3, cutoff=0.6)
    folded = [each for each in known if each.lower() == word.lower() and each not in close]
    found = [*folded, *close][:3]
    if not found:
        return ""
    *first, last = [f"`{each}`" for each in found]
    return f"Did you mean {', '.join(first) + ' or ' if first else ''}{last}?"
