"""Draws bars of characters: the parts of a whole with a legend, and single shares."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from formula_eval.core.arithmetic import added
from formula_eval.export.terminal.blocks import BarPart, CapacityBar


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


def share_bar(share: float, cells: int, glyphs: Glyphs) -> str:
    """A share of 1 as a bar of at most so many cells."""
    steps = len(glyphs.eighths) - 1
    filled = round(min(max(share, 0.0), 1.0) * cells * steps)
    whole, part = divmod(filled, steps)
    return glyphs.eighths[-1] * whole + (glyphs.eighths[part] if part else "")
