"""Counts findings that only follow from a broken declaration, so that its own message is not lost among theirs."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.span import Span
from formula_eval.language.reader import Statement, declared_name, split

_WORD = re.compile(r"[A-Za-z_]\w*")
_TEXT = re.compile(r'"[^"\n]*"')
# What leaves a declaration out, and what leaves it with another meaning than its readers expect.
_UNREAD = frozenset(["bad-date", "bad-name", "bad-number", "bad-path", "bad-unit", "huge-number", "indentation"])
_UNREAD |= {"open-text", "parenthesis", "second-note", "syntax", "tab"}
_CLASHES = frozenset(["declared-twice", "hidden-name", "other-unit", "reserved-name"])
# What is found in those that read it: its name is unknown, or it is of another type.
_NAMELESS = frozenset(["bad-example", "excel-name", "missing-cell", "no-default", "no-record", "no-records"])
_NAMELESS |= {f"unknown-{each}" for each in ("choice", "column", "function", "input", "name", "quantity", "record")}
_NAMELESS |= {f"unknown-{each}" for each in ("situation", "supplier", "table", "unit", "word")}
_OF_TYPE = frozenset(["argument-count", "bad-match", "bad-pattern", "column-type", "incomplete-match", "no-condition"])
_OF_TYPE |= {"no-order", "no-quantity", "no-row", "table-name", "unit-mismatch"} | _CLASHES


class _Place(NamedTuple):
    """The statement that a finding is about: its file and first line, the name it declares, all words it holds."""

    file: str
    line: int
    name: str
    words: frozenset[str]


def first_causes(findings: Sequence[Diagnostic], text_of: Callable[[str], str | None]) -> list[Diagnostic]:
    """The findings without those that follow from another one, which says how many they are."""
    if not any(each.code in _UNREAD | _CLASHES for each in findings):
        return list(findings)
    places = _Places(text_of)
    held = [[place for label in each.labels if (place := places.at(label.span))] for each in findings]
    following: dict[int, int] = {}
    for number, cause in enumerate(findings):
        if number not in following and cause.code in _UNREAD | _CLASHES:
            codes = _NAMELESS | (_OF_TYPE if cause.code in _CLASHES else frozenset())
            others = [each for each in range(len(findings)) if each not in following and findings[each].code in codes]
            following |= dict.fromkeys(_reached(number, others, held), number)
    counts = list(following.values())
    kept = ((number, each) for number, each in enumerate(findings) if number not in following)
    return [each._replace(following=counts.count(number)) for number, each in kept]


def _reached(cause: int, others: Iterable[int], held: Sequence[Sequence[_Place]]) -> list[int]:
    """Those of the others that stand in the same statement, or read it, or read one that does."""
    names, lines = {each.name for each in held[cause]}, {each[:2] for each in held[cause]}
    found: list[int] = []
    waiting = [each for each in others if each != cause and held[each]]
    while True:
        reached = [n for n in waiting if held[n][0][:2] in lines or not names.isdisjoint(held[n][0].words)]
        if not reached:
            return found
        found += reached
        names |= {held[each][0].name for each in reached}
        waiting = [each for each in waiting if each not in reached]


class _Places:
    """Finds statements in the texts of files, each of which is split once."""

    def __init__(self, text_of: Callable[[str], str | None]) -> None:
        self._text_of = text_of
        self._files: dict[str, list[Statement]] = {}

    def at(self, span: Span) -> _Place | None:
        """The statement at a place, if its file can be read."""
        if span.file not in self._files:
            self._files[span.file] = split(self._text_of(span.file) or "")[1]
        statements = self._files[span.file]
        number = bisect_right([each.lines_before for each in statements], span.line - 1) - 1
        if number < 0:
            return None
        text, before = statements[number]
        return _Place(span.file, before, declared_name(text), frozenset(_WORD.findall(_TEXT.sub("", text))))
