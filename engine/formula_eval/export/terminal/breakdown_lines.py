"""Lays out a breakdown of time as lines: groups side by side, shares, bars where there is room, what bounds each."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from formula_eval.export.terminal import bars
from formula_eval.export.terminal.blocks import Breakdown, TimeCell

_BOUND = "bound by"
_SHARE = 7  # a share of two digits, and the blanks around it
_LEAST_BAR, _MOST_BAR = 8, 20
_GAP = 3


class _Column(NamedTuple):
    """How wide the parts of a group are: what pads the time to stand beneath its head, the time, the bar, the bound."""

    pad: int
    time: int
    bar: int
    bound: int

    @property
    def width(self) -> int:
        return self.pad + self.time + _SHARE + (self.bar + 2 if self.bar else 0) + self.bound


def breakdown_lines(
    block: Breakdown, width: int, glyphs: bars.Glyphs, paint: Callable[[str, str], str]
) -> Iterator[str]:
    """The head, a line for each row, the totals, and the lines that lead from them to the answer."""
    heads = [f"{title} ({unit})" for title, unit in zip(block.groups, block.units, strict=True)]
    columns = [_column(block, number, head) for number, head in enumerate(heads)]
    titles = (block.title, *(f"  {title}" for title in ("total", *(each for each, _ in (*block.rows, *block.after)))))
    names = max(map(len, titles))
    with_bound = names + sum(_GAP + each.width for each in columns) <= width
    if not with_bound:
        columns = [each._replace(pad=0) for each in columns]
    spare = (width - names - sum(_GAP + each.width for each in columns)) // len(columns) - 2
    if spare >= _LEAST_BAR:
        columns = [each._replace(bar=min(spare, _MOST_BAR)) for each in columns]
    texts = (_head(head, each, with_bound) for head, each in zip(heads, columns, strict=True))
    yield f"{paint(f'{block.title:{names}}', 'title')}{paint(''.join(texts).rstrip(), 'dim')}"
    for title, cells in block.rows:
        drawn = (_cell(cell, each, glyphs, paint) for cell, each in zip(cells, columns, strict=True))
        yield f"  {title:{names - 2}}{''.join(drawn)}".rstrip()
    for title, figures in (("total", block.totals), *block.after):
        line = "".join(_figure(text, each) for text, each in zip(figures, columns, strict=True))
        yield paint(f"  {title:{names - 2}}{line}".rstrip(), "strong" if title == "total" else "dim")


def _column(block: Breakdown, number: int, head: str) -> _Column:
    cells = [cells[number] for _, cells in block.rows]
    figures: Sequence[str] = [block.totals[number], *(texts[number] for _, texts in block.after)]
    time = max(len(text) for text in (*figures, *(each.text for each in cells)))
    bound = max(len(_BOUND), *(len(each.bound) for each in cells))
    return _Column(max(0, len(head) + 1 - time - _SHARE), time, 0, bound)


def _head(head: str, column: _Column, with_bound: bool) -> str:  # noqa: FBT001 - one call
    room = column.width - column.bound
    return f"{'':{_GAP}}{head:{room}}{_BOUND:{column.bound}}" if with_bound else f"{'':{_GAP}}{head:{column.width}}"


def _figure(text: str, column: _Column) -> str:
    return f"{'':{_GAP + column.pad}}{text:>{column.time}}{'':{column.width - column.pad - column.time}}"


def _cell(cell: TimeCell, column: _Column, glyphs: bars.Glyphs, paint: Callable[[str, str], str]) -> str:
    share = "" if not cell.text else f"{100 * cell.share:.0f}%" if cell.share >= 0.005 else "<1%"  # noqa: PLR2004 - one percent, rounded
    drawn = f"  {bars.share_bar(cell.share, column.bar, glyphs):{column.bar}}" if column.bar else ""
    bound = paint(f"{cell.bound:{column.bound}}", cell.colour)
    return f"{'':{_GAP + column.pad}}{cell.text:>{column.time}} {share:>4}{paint(drawn, 'bar')}  {bound}"
