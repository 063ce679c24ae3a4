"""Finds what keeps a text from being parsed at all: its size or depth, tabs, unclosed quotes and the like."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.core.span import Span
from formula_eval.language import limits

QUOTES = '"""'
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffd]")
_STRING = re.compile(r'"[^"\n]*"')
_HEAD = re.compile(r"\S+( \w+)?")


class TextPlace(NamedTuple):
    """A file, and how many of its lines stand before a text."""

    file: str
    lines_before: int

    def span(self, line: int, column: int, length: int = 1) -> Span:
        """Some characters of one line of the text; lines and columns count from 1."""
        line += self.lines_before
        return Span(self.file, line, column, line, column + length)


def unreadable_text(text: str, file: str) -> Diagnostic | None:
    """Why this is not a text that could be read at all."""
    if len(text) > limits.MOST_FILE_BYTES:
        message = f"{file} is longer than {limits.MOST_FILE_BYTES} characters"
        return Diagnostic("file-too-large", message, (Label(Span(file, 0, 0, 0, 0)),), "Split it into several files.")
    control = _CONTROL.search(text)
    if control is None:
        return None
    line = text.count("\n", 0, control.start()) + 1
    column = control.start() - text.rfind("\n", 0, control.start())
    message = f"This is not plain text: it holds the character U+{ord(control[0]):04X}"
    help_ = "Save the file as plain text in UTF-8, without control characters."
    return Diagnostic("not-text", message, (Label(TextPlace(file, 0).span(line, column)),), help_)


def wrong_docstring(text: str, file: str) -> Iterator[Diagnostic]:
    """A docstring that is never closed, or that shares its last line with a statement."""
    before = text[: len(text) - len(text.lstrip())]
    rest = text[len(before) :]
    if not rest.startswith(QUOTES):
        return
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    end = rest.find(QUOTES, len(QUOTES))
    if end < 0:
        span = TextPlace(file, 0).span(line, column, len(QUOTES))
        help_ = f"Close it with {QUOTES}."
        yield Diagnostic("open-text", f"The chapter's text opens with {QUOTES} and never closes", (Label(span),), help_)
        return
    behind = rest[end + len(QUOTES) :].partition("\n")[0]
    if behind.strip():
        line += rest.count("\n", 0, end)
        start = end + len(QUOTES) - (rest.rfind("\n", 0, end) + 1) + 1 + len(behind) - len(behind.lstrip())
        span = TextPlace(file, 0).span(line, start, len(behind.strip()))
        message = "Something follows the chapter's text on its last line"
        yield Diagnostic("syntax", message, (Label(span),), "Begin the first statement on a line of its own.")


def refused_statement(text: str, place: TextPlace) -> Diagnostic | None:
    """Why a statement is not even parsed."""
    if sum(len(line.strip()) for line in text.split("\n")) > limits.MOST_STATEMENT_CHARACTERS:
        message = f"This statement is longer than {limits.MOST_STATEMENT_CHARACTERS} characters"
        return Diagnostic("too-long", message, (Label(_head(text, place)),), "Give its parts names of their own.")
    if "\t" in text:
        line = text.count("\n", 0, text.index("\t")) + 1
        column = text.index("\t") - text.rfind("\n", 0, text.index("\t"))
        return Diagnostic("tab", "A tab stands here", (Label(place.span(line, column)),), "Indent with four spaces.")
    return too_deep(text, place) if _deepest(text) > limits.MOST_OPEN_PARENTHESES else None


def stray(text: str, place: TextPlace) -> Diagnostic:
    """An indented line with no statement above it."""
    first = text.partition("\n")[0]
    span = place.span(1, len(first) - len(first.lstrip()) + 1, len(first.strip()))
    help_ = "A statement begins at the left margin; notes stand beneath the statement they belong to."
    return Diagnostic("indentation", "This line is indented, but no statement stands above it", (Label(span),), help_)


def too_deep(text: str, place: TextPlace) -> Diagnostic:
    """More operations or parentheses within each other than anyone could read."""
    message = f"This nests more than {limits.MOST_DEPTH} operations within each other"
    help_ = "Give its parts names of their own; many alike terms are the rows of a table."
    return Diagnostic("too-deep", message, (Label(_head(text, place)),), help_)


def too_many(place: TextPlace) -> Diagnostic:
    """The finding that reading stops here, because more of them would help nobody."""
    message = "The rest of this file was not read: too much of it is wrong"
    help_ = "Is it a file of formulas? If so, mend the first findings."
    return Diagnostic("too-many", message, (Label(place.span(1, 1)),), help_)


def _head(text: str, place: TextPlace) -> Span:
    head = _HEAD.search(text)
    return place.span(1, head.start() + 1 if head else 1, min(len(head[0]), 40) if head else 1)


def _deepest(text: str) -> int:
    depth = deepest = 0
    for character in _STRING.sub("", text):
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest


def open_text(text: str, place: TextPlace) -> Diagnostic | None:
    """A text in quotes that does not close on its line."""
    for number, line in enumerate(text.split("\n"), 1):
        rest = _STRING.sub(lambda quoted: " " * len(quoted[0]), line)
        if '"' in rest:
            column = rest.index('"') + 1
            span = place.span(number, column, len(line) - column + 1)
            return Diagnostic(
                "open-text", "This text never closes", (Label(span),), 'End it with `"` on the same line.'
            )
    return None


def unbalanced(text: str, place: TextPlace) -> Diagnostic | None:
    """A parenthesis without its partner."""
    blank = _STRING.sub(lambda quoted: " " * len(quoted[0]), text)
    stack: list[tuple[int, int]] = []
    for number, line in enumerate(blank.split("\n"), 1):
        for column, character in enumerate(line, 1):
            if character == "(":
                stack.append((number, column))
            elif character == ")" and not stack:
                label = Label(place.span(number, column))
                return Diagnostic("parenthesis", "This `)` closes nothing", (label,), "Remove it, or open its `(`.")
            elif character == ")":
                stack.pop()
    if not stack:
        return None
    return Diagnostic("parenthesis", "This `(` is never closed", (Label(place.span(*stack[-1])),), "Add its `)`.")
