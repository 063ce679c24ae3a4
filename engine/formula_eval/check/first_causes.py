"""Counts findings that only follow from a broken declaration, so that its own message is not lost among theirs."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.span import Span
from formula_eval.language.reader import Statement, declared_name, split

_WORD = re.compile(r"[A-Za-z_]\w*")
_TEXT = re.compile(r'"[^"\n]*"')
_QUOTED = re.compile(r"`([^`]*)`")
# What leaves a declaration out, and what leaves it with another meaning than its readers expect.
_UNREAD = frozenset(["bad-date", "bad-name", "bad-number", "bad-path", "bad-unit", "huge-number", "indentation"])
_UNREAD |= {"open-text", "parenthesis", "second-note", "syntax", "tab"}
_CLASHES = frozenset(["declared-twice", "hidden-name", "other-unit", "reserved-name"])
# What is found in those that read it: its name is unknown and told, or it is of another type.
_NAMELESS = frozenset(["bad-example", "excel-name", "missing-cell", "no-default", "no-record", "no-records"])
_NAMELESS |= {f"unknown-{each}" for each in ("choice", "column", "function", "input", "name", "quantity", "record")}
_NAMELESS |= {f"unknown-{each}" for each in ("situation", "supplier", "table", "unit", "word")}
_OF_TYPE = frozenset(["argument-count", "bad-match", "bad-pattern", "column-type", "incomplete-match", "no-condition"])
_OF_TYPE |= {"no-order", "no-quantity", "no-record", "no-row", "table-name", "unit-mismatch"} | _CLASHES


class _Place(NamedTuple):
    """The statement that a finding is about: its file and first line, the name it declares, all words of its text."""

    file: str
    line: int
    name: str
    words: frozenset[str]


class _Held(NamedTuple):
    """A finding: its code, the words that its message repeats, and the statements that it marks."""

    code: str
    told: frozenset[str]
    places: Sequence[_Place]


def first_causes(findings: Sequence[Diagnostic], text_of: Callable[[str], str | None]) -> list[Diagnostic]:
    """The findings without those that follow from another one, which says how many they are."""
    if not any(finding.code in _UNREAD | _CLASHES for finding in findings):
        return list(findings)
    places = _Places(text_of)
    held = [
        _Held(finding.code, _told(finding), [at for label in finding.labels if (at := places.at(label.span))])
        for finding in findings
    ]
    following: dict[int, int] = {}
    for number, cause in enumerate(findings):
        if number not in following and cause.code in _UNREAD | _CLASHES:
            others = {each: held[each] for each in range(len(findings)) if each not in following and each != number}
            reached = _reached(held[number], others, of_type=cause.code in _CLASHES)
            following |= dict.fromkeys(reached, number)
    counts = Counter(following.values())
    kept = ((number, finding) for number, finding in enumerate(findings) if number not in following)
    return [diagnostic._replace(following=counts[number]) for number, diagnostic in kept]


def _told(finding: Diagnostic) -> frozenset[str]:
    """The words that a message repeats of the text."""
    return frozenset(word for each in _QUOTED.findall(finding.message) for word in _WORD.findall(each))


def _reached(cause: _Held, others: Mapping[int, _Held], *, of_type: bool) -> list[int]:
    """Those of the others that stand in the same statement, or read it, or read one that does."""
    names, lines = {each.name for each in cause.places}, {each[:2] for each in cause.places}
    found: list[int] = []
    waiting = {n: held for n, held in others.items() if held.places and held.code in _NAMELESS | _OF_TYPE}
    while True:
        reached = []
        for number, held in waiting.items():
            place = held.places[0]
            words = held.told if held.code in _NAMELESS else frozenset[str]()
            words |= place.words if of_type and held.code in _OF_TYPE else frozenset[str]()
            if not names.isdisjoint(words) or (of_type and place[:2] in lines):
                reached.append(number)
        if not reached:
            return found
        found += reached
        names |= {waiting.pop(each).places[0].name for each in reached}


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
        number = bisect_right([statement.lines_before for statement in statements], span.line - 1) - 1
        if number < 0:
            return None
        text, before = statements[number]
        return _Place(span.file, before, declared_name(text), frozenset(_WORD.findall(_TEXT.sub("", text))))
