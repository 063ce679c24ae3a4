"""Lays out a comparison as a table for a terminal: as many columns as fit, then the rest, the first one repeated."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.compare.comparison import Comparison
from formula_eval.export.terminal.comparison_texts import answers_of, ratio_text, value_text
from formula_eval.export.terminal.screen import Screen


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
            return [f"{each:>{width}}" for each in self.values], [f"{each:>{width}}" for each in self.ratios]
        both = zip(self.values, self.ratios, strict=True)
        return [f"{f'{value} {times:>{ratio}}':>{width}}" for value, times in both], ["" for _ in self.values]


def table_lines(found: Comparison, on: Screen) -> Iterator[str]:
    """A comparison as a table: ratios stand behind their values, or beneath where the line has no room for both."""
    titles = [f"  {row.title}" for row in found.rows]
    names = max(map(len, titles))
    columns = [_column(found, number) for number in range(len(found.columns))]
    beside = _width(columns, beside=True) <= on.width - names
    for group in [columns] if beside else _groups(columns, on.width - names):
        for number in range(max(len(each.head) for each in group)):
            heads = "".join(f"  {_at(each.head, number):>{each.width(beside=beside)}}" for each in group)
            yield on.paint(f"{'':{names}}{heads}".rstrip(), "title")
        lines = [each.lines(beside=beside) for each in group]
        for number, title in enumerate(titles):
            yield f"{title:{names}}" + "".join(f"  {values[number]}" for values, _ in lines).rstrip()
            below = "".join(f"  {ratios[number]}" for _, ratios in lines).rstrip()
            if below:
                yield on.paint(f"{'':{names}}{below}", "dim")


def _column(found: Comparison, number: int) -> _Column:
    answers = [answers_of(row, found.columns)[number] for row in found.rows]
    column = found.columns[number]
    head = tuple(text for _, text in column.varies) or (column.title,)
    ratios = ("" if column.varies and each is not None and each.ratio == 1 else ratio_text(each) for each in answers)
    return _Column(head, tuple(map(value_text, answers)), tuple(ratios))


def _at(head: Sequence[str], number: int) -> str:
    return head[number] if number < len(head) else ""


def _width(columns: Sequence[_Column], *, beside: bool) -> int:
    return sum(2 + each.width(beside=beside) for each in columns)


def _groups(columns: Sequence[_Column], room: int) -> list[list[_Column]]:
    """The first column with as many others as there is room for, and again with the rest."""
    ours, *others = columns
    groups = [[ours]]
    for each in others:
        if len(groups[-1]) > 1 and _width([*groups[-1], each], beside=False) > room:
            groups.append([ours])
        groups[-1].append(each)
    return groups
