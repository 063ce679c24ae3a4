"""A comparison to lines of a terminal: the table, then why values differ and what was not answered."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from formula_eval.analyse.comparison import Comparison
from formula_eval.export.terminal.comparison_words import (
    OPEN,
    OWN,
    WHY,
    assumed,
    equation,
    readings_of,
    said,
    shown,
    times,
)
from formula_eval.export.terminal.screen import Screen

_NARROWEST = 30


def comparison_lines(found: Comparison, on: Screen) -> str:
    """All parts that have something to say, one blank line between them."""
    parts = [list(each(found, on)) for each in (_table, _why, _own, _open)]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


class _Column(NamedTuple):
    """A title, and for each row a value and its ratio."""

    title: str
    values: tuple[str, ...]
    ratios: tuple[str, ...]

    def width(self, *, beside: bool) -> int:
        """How wide it is with ratios beside values, or beneath them."""
        value, ratio = (max(map(len, texts)) for texts in (self.values, self.ratios))
        return max(len(self.title), value + (1 + ratio if ratio else 0) if beside else max(value, ratio))

    def lines(self, *, beside: bool) -> tuple[list[str], list[str]]:
        """Its values, all as wide as it is, and what stands beneath them."""
        width, ratio = self.width(beside=beside), max(map(len, self.ratios))
        if not beside or not ratio:
            return [f"{each:>{width}}" for each in self.values], [f"{each:>{width}}" for each in self.ratios]
        both = zip(self.values, self.ratios, strict=True)
        return [f"{f'{value} {times:>{ratio}}':>{width}}" for value, times in both], ["" for _ in self.values]


def _table(found: Comparison, on: Screen) -> Iterator[str]:
    """Ratios stand behind their values, or beneath where the line has no room for both."""
    titles = [f"  {row.title}" for row in found.rows]
    names = max(map(len, titles))
    columns = [_column(found, number) for number in range(len(found.columns))]
    beside = _wide(columns, beside=True) <= on.width - names
    for group in [columns] if beside else _groups(columns, on.width - names):
        heads = "".join(f"  {each.title:>{each.width(beside=beside)}}" for each in group)
        yield on.paint(f"{'':{names}}{heads}", "title")
        lines = [each.lines(beside=beside) for each in group]
        for number, title in enumerate(titles):
            yield f"{title:{names}}" + "".join(f"  {values[number]}" for values, _ in lines).rstrip()
            below = "".join(f"  {ratios[number]}" for _, ratios in lines).rstrip()
            if below:
                yield on.paint(f"{'':{names}}{below}", "dim")


def _column(found: Comparison, number: int) -> _Column:
    read = [readings_of(row, found.columns)[number] for row in found.rows]
    return _Column(found.columns[number].title, tuple(map(shown, read)), tuple(map(times, read)))


def _wide(columns: Sequence[_Column], *, beside: bool) -> int:
    return sum(2 + each.width(beside=beside) for each in columns)


def _groups(columns: Sequence[_Column], room: int) -> list[list[_Column]]:
    """The first column with as many others as there is room for, and again with the rest."""
    ours, *others = columns
    groups = [[ours]]
    for each in others:
        if len(groups[-1]) > 1 and _wide([*groups[-1], each], beside=False) > room:
            groups.append([ours])
        groups[-1].append(each)
    return groups


def _why(found: Comparison, on: Screen) -> Iterator[str]:
    rows = [row for row in found.rows if row.explanations]
    if not rows:
        return
    ours, *others = found.columns
    wide = 4 + max(len(each.title) for each in found.columns) + 2
    yield on.paint(WHY, "title")
    for row in rows:
        yield f"  {on.paint(row.title, 'strong')}"
        yield from _entry(ours.title, equation(row.readings[ours.key], row.formula, ours), wide, on)
        for column in others:
            why = row.explanations.get(column.key)
            if why is not None:
                reading = row.readings[column.key]
                yield from _entry(column.title, f"{times(reading)}  {equation(reading, why.formula, column)}", wide, on)
                for text in said(why.notes, column):
                    yield from _entry("", text, wide, on, "dim")


def _entry(title: str, text: str, wide: int, on: Screen, style: str = "") -> Iterator[str]:
    lines = wrap(text, max(on.width - wide, _NARROWEST), break_on_hyphens=False, break_long_words=False)
    for number, line in enumerate(lines):
        head = f"    {title}" if number == 0 else ""
        yield f"{head:{wide}}{on.paint(line, style) if style else line}"


def _own(found: Comparison, on: Screen) -> Iterator[str]:
    told = [(column, found.assumptions.get(column.key)) for column in found.columns]
    entries = [(column.title, assumed(each, column)) for column, each in told if each]
    yield from _paragraphs(OWN, entries, on)


def _open(found: Comparison, on: Screen) -> Iterator[str]:
    told = [(column.title, f"{reason} ({', '.join(titles)})") for column, reason, titles in found.reasons()]
    yield from _paragraphs(OPEN, told, on)


def _paragraphs(title: str, entries: Sequence[tuple[str, str]], on: Screen) -> Iterator[str]:
    if not entries:
        return
    wide = 4 + max(len(head) for head, _ in entries)
    yield on.paint(title, "title")
    for head, text in entries:
        lines = wrap(text, max(on.width - wide, _NARROWEST), break_on_hyphens=False)
        for number, line in enumerate(lines):
            yield f"{f'  {head}' if number == 0 else '':{wide}}{line}"
