"""Draws bars of characters: the parts of a whole with a legend, and a breakdown of time, group beside group."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from formula_eval.core.arithmetic import added
from formula_eval.export.terminal.blocks import BarPart, Breakdown, CapacityBar, TimeCell

_BOUND = "bound by"
_SHARE = 7  # a share of two digits, and the blanks around it
_LEAST_BAR, _MOST_BAR = 8, 20
_GAP = 3


class Glyphs(NamedTuple):
    """Characters for the parts in turn, for what is free, for the rest, for the mark, and for eighths of a cell."""

    parts: str
    free: str
    rest: str
    mark: str
    eighths: str


UNICODE = Glyphs("█▓▒▚▀▌▄▞▐■", "░", "·", "▲", " ▏▎▍▌▋▊▉█")
ASCII = Glyphs("#=+%*o@x&:", ".", " ", "^", " #")


def bar_lines(bar: CapacityBar, width: int, glyphs: Glyphs, paint: Callable[[str, str], str]) -> Iterator[str]:
    """The bar, a mark where it should end, its legend and the verdict."""
    cells = width - 4
    shown = [part for part in bar.parts if part.size > 0 and (bar.holds or part.kind == "part")]
    counts = _counts([part.size for part in shown], cells)
    looks = [_look(part, number, glyphs) for number, part in enumerate(shown)]
    yield "  " + "".join(paint(sign * count, style) for (sign, style), count in zip(looks, counts, strict=True))
    whole = added(part.size for part in shown)
    place = min(round(cells * bar.whole / whole), cells) if whole else 0
    if bar.verdict:
        yield paint(_marked(place, bar.verdict, width, glyphs), "good" if bar.holds else "bad")
    yield from _legend(shown, looks, width, paint)


def _look(part: BarPart, number: int, glyphs: Glyphs) -> tuple[str, str]:
    if part.kind == "free":
        return glyphs.free, "dim"
    if part.kind == "rest":
        return glyphs.rest, "dim"
    return glyphs.parts[number % len(glyphs.parts)], part.colour


def _counts(sizes: Sequence[float], cells: int) -> list[int]:
    """Cells for each size, at least one, together all of them."""
    total = added(sizes)
    counts = [max(1, round(cells * size / total)) for size in sizes] if total else []
    while counts and sum(counts) != cells:
        largest = max(range(len(counts)), key=counts.__getitem__)
        counts[largest] += 1 if sum(counts) < cells else -1
    return counts


def _marked(place: int, verdict: str, width: int, glyphs: Glyphs) -> str:
    """The mark beneath the bar with the verdict on the side where there is room."""
    left = 2 + max(place - 1, 0)
    if left - 3 >= len(verdict):
        return f"{verdict:>{left - 1}} {glyphs.mark}"
    if left + 2 + len(verdict) <= width:
        return f"{'':{left}}{glyphs.mark} {verdict}"
    return f"{'':{left}}{glyphs.mark}\n  {verdict}"


def _legend(
    parts: Sequence[BarPart], looks: Sequence[tuple[str, str]], width: int, paint: Callable[[str, str], str]
) -> Iterator[str]:
    """The meaning of each sign of the bar, as many on a line as fit."""
    line, used = "", 2
    for part, (sign, style) in zip(parts, looks, strict=True):
        length = len(f"{sign} {part.title} {part.text}")
        if line and used + 3 + length > width:
            yield f"  {line}"
            line, used = "", 2
        gap = "   " if line else ""
        line += f"{gap}{paint(sign, style)} {paint(part.title, 'dim')} {part.text}"
        used += len(gap) + length
    if line:
        yield f"  {line}"


class _Column(NamedTuple):
    """How wide the parts of a group are: what pads the time to stand beneath its head, the time, the bar, the bound."""

    pad: int
    time: int
    bar: int
    bound: int

    @property
    def width(self) -> int:
        return self.pad + self.time + _SHARE + (self.bar + 2 if self.bar else 0) + self.bound


def breakdown_lines(block: Breakdown, width: int, glyphs: Glyphs, paint: Callable[[str, str], str]) -> Iterator[str]:
    """The head, a line for each row, the totals, and the lines that lead from them to the answer."""
    heads = [f"{title} ({unit})" for title, unit in zip(block.groups, block.units, strict=True)]
    columns = [_column(block, number, head) for number, head in enumerate(heads)]
    titles = (block.title, *(f"  {title}" for title in ("total", *(name for name, _ in (*block.rows, *block.after)))))
    names = max(map(len, titles))
    with_bound = names + sum(_GAP + column.width for column in columns) <= width
    if not with_bound:
        columns = [column._replace(pad=0) for column in columns]
    spare = (width - names - sum(_GAP + column.width for column in columns)) // len(columns) - 2
    if spare >= _LEAST_BAR:
        columns = [column._replace(bar=min(spare, _MOST_BAR)) for column in columns]
    texts = (_head(head, column, with_bound) for head, column in zip(heads, columns, strict=True))
    yield f"{paint(f'{block.title:{names}}', 'title')}{paint(''.join(texts).rstrip(), 'dim')}"
    for title, cells in block.rows:
        drawn = (_cell(cell, column, glyphs, paint) for cell, column in zip(cells, columns, strict=True))
        yield f"  {title:{names - 2}}{''.join(drawn)}".rstrip()
    for title, figures in (("total", block.totals), *block.after):
        line = "".join(_figure(text, column) for text, column in zip(figures, columns, strict=True))
        yield paint(f"  {title:{names - 2}}{line}".rstrip(), "strong" if title == "total" else "dim")


def _column(block: Breakdown, number: int, head: str) -> _Column:
    cells = [cells[number] for _, cells in block.rows]
    figures: Sequence[str] = [block.totals[number], *(texts[number] for _, texts in block.after)]
    time = max(len(text) for text in (*figures, *(cell.text for cell in cells)))
    bound = max(len(_BOUND), *(len(cell.bound) for cell in cells))
    return _Column(max(0, len(head) + 1 - time - _SHARE), time, 0, bound)


def _head(head: str, column: _Column, with_bound: bool) -> str:  # noqa: FBT001 - one call
    room = column.width - column.bound
    return f"{'':{_GAP}}{head:{room}}{_BOUND:{column.bound}}" if with_bound else f"{'':{_GAP}}{head:{column.width}}"


def _figure(text: str, column: _Column) -> str:
    return f"{'':{_GAP + column.pad}}{text:>{column.time}}{'':{column.width - column.pad - column.time}}"


def _cell(cell: TimeCell, column: _Column, glyphs: Glyphs, paint: Callable[[str, str], str]) -> str:
    share = "" if not cell.text else f"{100 * cell.share:.0f}%" if cell.share >= 0.005 else "<1%"  # noqa: PLR2004 - one percent, rounded
    drawn = f"  {_share_bar(cell.share, column.bar, glyphs):{column.bar}}" if column.bar else ""
    bound = paint(f"{cell.bound:{column.bound}}", cell.colour)
    return f"{'':{_GAP + column.pad}}{cell.text:>{column.time}} {share:>4}{paint(drawn, 'bar')}  {bound}"


def _share_bar(share: float, cells: int, glyphs: Glyphs) -> str:
    """A share of 1 as a bar of at most so many cells."""
    steps = len(glyphs.eighths) - 1
    filled = round(min(max(share, 0.0), 1.0) * cells * steps)
    whole, part = divmod(filled, steps)
    return glyphs.eighths[-1] * whole + (glyphs.eighths[part] if part else "")
