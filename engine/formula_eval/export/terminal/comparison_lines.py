"""Lays out a comparison as lines of a terminal: the table, why values differ, warnings, and what has no answer."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from formula_eval.analyse.compare.comparison import (
    Cause,
    ColumnDifference,
    ComparedColumn,
    ComparedValue,
    Comparison,
    told_apart,
)
from formula_eval.export.terminal import comparison_texts as texts
from formula_eval.export.terminal.screen import Screen, padded

_NARROWEST = 30
_SLIGHT = 0.01
_TAG = re.compile(r"\A\[.{0,6}?\] ", re.DOTALL)


def screen_lines(found: Comparison, on: Screen, *, why: bool) -> str:
    """All parts that have something to say, one blank line between them; without `why` each reason in one line."""
    main, all_of_them = (_main_causes, _causes) if found.is_of_configurations else (_main_notes, _formulas)
    reasons = (all_of_them, _own_assumptions) if why else (main,)
    shown = (_table_lines, *reasons, _warnings, _unanswered)
    parts = [list(each(found, on)) for each in shown]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


class _Column(NamedTuple):
    """The lines of its head, and for each row a value and its ratio."""

    head: tuple[str, ...]
    values: tuple[str, ...]
    ratios: tuple[str, ...]

    def width(self, *, beside: bool) -> int:
        """How wide it is with ratios beside values, or beneath them."""
        value, ratio = (max(map(len, texts)) for texts in (self.values, self.ratios))
        return max(*map(len, self.head), 0, value + (1 + ratio if ratio else 0) if beside else max(value, ratio))

    def lines(self, *, beside: bool) -> tuple[list[str], list[str]]:
        """Its values, all as wide as it is, and what stands beneath them."""
        width, ratio = self.width(beside=beside), max(map(len, self.ratios))
        if not beside or not ratio:
            return [f"{value:>{width}}" for value in self.values], [f"{each:>{width}}" for each in self.ratios]
        both = zip(self.values, self.ratios, strict=True)
        return [f"{f'{value} {times:>{ratio}}':>{width}}" for value, times in both], ["" for _ in self.values]


def _table_lines(found: Comparison, on: Screen) -> Iterator[str]:
    """A comparison as a table: ratios stand behind their values, or beneath where the line has no room for both."""
    titles = [f"  {row.title}" for row in found.rows]
    names = max(map(len, titles))
    columns = [_column(found, number) for number in range(len(found.columns))]
    beside = _width(columns, beside=True) <= on.width - names
    for group in [columns] if beside else _groups(columns, on.width - names):
        widths = [column.width(beside=beside) for column in group]
        for heads in zip_longest(*(column.head for column in group), fillvalue=""):
            line = "".join(f"  {text:>{width}}" for text, width in zip(heads, widths, strict=True))
            yield on.paint(f"{'':{names}}{line}".rstrip(), "title")
        lines = [column.lines(beside=beside) for column in group]
        for number, title in enumerate(titles):
            yield f"{title:{names}}" + "".join(f"  {values[number]}" for values, _ in lines).rstrip()
            below = "".join(f"  {ratios[number]}" for _, ratios in lines).rstrip()
            if below:
                yield on.paint(f"{'':{names}}{below}", "dim")


def _column(found: Comparison, number: int) -> _Column:
    answers = [texts.answers_of(row, found.columns)[number] for row in found.rows]
    column = found.columns[number]
    head = tuple(told_apart(column.varies)) or (column.title,)
    same = [column.varies and answer is not None and answer.ratio == 1 for answer in answers]
    ratios = ("" if is_same else texts.ratio_text(answer) for answer, is_same in zip(answers, same, strict=True))
    return _Column(head, tuple(map(texts.value_text, answers)), tuple(ratios))


def _width(columns: Sequence[_Column], *, beside: bool) -> int:
    return sum(2 + column.width(beside=beside) for column in columns)


def _groups(columns: Sequence[_Column], room: int) -> list[list[_Column]]:
    """The first column with as many others as there is room for, and again with the rest."""
    ours, *others = columns
    groups = [[ours]]
    for column in others:
        if len(groups[-1]) > 1 and _width([*groups[-1], column], beside=False) > room:
            groups.append([ours])
        groups[-1].append(column)
    return groups


def _formulas(found: Comparison, on: Screen) -> Iterator[str]:
    """For each quantity that differs the formula of each namespace, and the notes that explain it."""
    rows = [row for row in found.rows if row.differences]
    if not rows:
        return
    first, *others = found.columns
    indent = 4 + max(len(each.title) for each in found.columns) + 2
    yield on.paint(texts.DIFFERENCES, "title")
    for row in rows:
        yield f"  {on.paint(row.title, 'strong')}"
        yield from _entry(first.title, texts.equation_text(row.answers[first.key], row.formula, first), indent, on)
        for column in others:
            why = row.differences.get(column.key)
            if why is not None:
                yield from _difference(row.answers[column.key], why, column, indent, on)


def _difference(
    answer: ComparedValue, why: ColumnDifference, column: ComparedColumn, indent: int, on: Screen
) -> Iterator[str]:
    """The formula of a namespace and the notes that explain it."""
    text = f"{texts.ratio_text(answer)}  {texts.equation_text(answer, why.formula, column)}"
    yield from _entry(column.title, text, indent, on)
    for note in texts.notes_text(why.notes, column):
        yield from _entry("", note, indent, on, "dim")


def _causes(found: Comparison, on: Screen) -> Iterator[str]:
    """For each configuration the inputs in which it differs, each once, with what each by itself makes of which row."""
    if not any(row.differences for row in found.rows):
        return
    yield on.paint(f"{texts.DIFFERENCES}, and what each input by itself does", "title")
    for column in found.columns[1:]:
        effects: dict[str, dict[str, list[str]]] = {}  # titles of rows by the factor, by the cause
        for row in found.rows:
            why = row.differences.get(column.key)
            for each in _weighty(why.causes) if why is not None else ():
                effects.setdefault(texts.cause_text(each), {}).setdefault(texts.alone_text(each), []).append(row.title)
        if effects:
            yield f"  {on.paint(column.title, 'strong')}"
        for cause, factors in effects.items():
            yield from _entry("", cause, 4, on)
            told = "; ".join(f"{', '.join(titles)} {factor}" for factor, titles in factors.items())
            yield from _entry("", told, 6, on, "dim")


def _weighty(causes: Sequence[Cause]) -> Sequence[Cause]:
    """Those that by themselves make more than 1% of a difference; the first of them where none does."""
    return [cause for cause in causes if cause.alone is None or abs(cause.alone - 1) > _SLIGHT] or causes[:1]


def _main_causes(found: Comparison, on: Screen) -> Iterator[str]:
    """For each configuration its weightiest causes, with what they explain."""
    entries = []
    for column in found.columns:
        explained: dict[str, list[str]] = {}
        for row in found.rows:
            why = row.differences.get(column.key)
            if why is not None and why.causes:
                explained.setdefault(texts.cause_text(why.causes[0]), []).append(row.title)
        entries += [(column.title, f"{cause}: {', '.join(titles)}") for cause, titles in explained.items()]
    yield from _paragraphs(f"{texts.DIFFERENCES}, mainly because of (--why has all)", entries, on)


def _main_notes(found: Comparison, on: Screen) -> Iterator[str]:
    """For each row and column the first sentence of the weightiest note, cut to a line."""
    rows = [
        (row.title, column.title, texts.ratio_text(row.answers[column.key]), _first_sentence(why.notes[0][1]))
        for row in found.rows
        for column in found.columns
        if (why := row.differences.get(column.key)) is not None and why.notes
    ]
    if not rows:
        return
    widths = [max(map(len, cells)) for cells in list(zip(*rows, strict=True))[:3]]
    yield on.paint(f"{texts.DIFFERENCES}, mainly because (--why has all)", "title")
    before = ""
    for title, *others, reason in rows:
        cells = (title if title != before else "", *others)
        line = padded(cells, widths, ())
        room = on.width - len(line) - 4
        yield f"  {line}  {on.paint(texts.shortened(reason, room), 'dim')}"
        before = title


def _first_sentence(note: str) -> str:
    """The first sentence of a note, without the number that its list gives it: `[Q8] No causal mask`."""
    return _TAG.sub("", note).partition(". ")[0]


def _entry(title: str, text: str, indent: int, on: Screen, style: str = "") -> Iterator[str]:
    width = max(on.width - indent, _NARROWEST)
    lines = wrap(text, width, break_on_hyphens=False, break_long_words=False)
    for number, line in enumerate(lines):
        head = f"    {title}" if number == 0 else ""
        yield f"{head:{indent}}{on.paint(line, style) if style else line}"


def _own_assumptions(found: Comparison, on: Screen) -> Iterator[str]:
    by_column = [(column, found.assumptions.get(column.key)) for column in found.columns]
    entries = [(column.title, texts.assumptions_text(each, column)) for column, each in by_column if each]
    yield from _paragraphs(texts.ASSUMPTIONS, entries, on)


def _warnings(found: Comparison, on: Screen) -> Iterator[str]:
    said: dict[str, list[str]] = {}
    for column in found.columns:
        for message in found.warnings.get(column.key, ()):
            said.setdefault(message, []).append(column.title)
    everybody = len(found.columns)
    entries = [("all" if len(who) == everybody else "; ".join(who), message) for message, who in said.items()]
    yield from _paragraphs(texts.WARNINGS, entries, on)


def _unanswered(found: Comparison, on: Screen) -> Iterator[str]:
    entries = [(column.title, f"{reason} ({', '.join(titles)})") for column, reason, titles in found.reasons()]
    yield from _paragraphs(texts.UNANSWERED, entries, on)


def _paragraphs(title: str, entries: Sequence[tuple[str, str]], on: Screen) -> Iterator[str]:
    if not entries:
        return
    indent = min(4 + max(len(head) for head, _ in entries), on.width // 3)
    yield on.paint(title, "title")
    before = ""
    for head, text in entries:
        if head != before and len(head) > indent - 4:
            yield from _entry("", head, 2, on)
        shown = "" if head == before or len(head) > indent - 4 else f"  {head}"
        before = head
        yield from on.hanging(f"{shown:{indent}}", text, indent)
