"""Lays out a listing in aligned columns; sentences stand beneath their row where the line has no room for them."""

from collections.abc import Iterator
from textwrap import fill, wrap

from formula_eval.analyse.listing import Listing
from formula_eval.export.terminal.screen import Screen, padded

_NARROWEST = 24
_PROSE = 44
_INDENT = "    "


def listing_text(found: Listing, on: Screen) -> str:
    """The rows beneath the titles of the columns, with what is to be said of them."""
    if not found.rows:
        return f"{fill(found.note or 'Nothing found.', on.width)}\n"
    legend = (on.paint(text, "dim") for text in ("", *wrap(found.legend, on.width)))
    lines = (*wrap(found.note, on.width), *_lines(found, on), *(legend if found.legend else ()))
    return "".join(f"{line}\n" for line in lines)


def _lines(found: Listing, on: Screen) -> Iterator[str]:
    rows = [tuple(cell_text(each) for each in row) for row in found.rows]
    last = len(found.columns) - found.prose
    keep = [number for number in range(last) if any(row[number] for row in rows)]
    widths = {number: max(len(each[number]) for each in (found.columns, *rows)) for number in keep}
    keep = _fitted(keep, widths, on.width)
    right = {number for number in keep if all(_is_number(row[number]) for row in found.rows)}
    used = sum(widths[number] + 2 for number in keep)
    beside = found.prose and on.width - used >= _PROSE
    head = _line(found.columns, keep, widths, right)
    yield on.paint(f"{head}  {found.columns[-1]}" if beside else head.rstrip(), "dim")
    for row in rows:
        line = _line(row, keep, widths, right)
        if not found.prose:
            yield line.rstrip()
            continue
        if beside:
            yield from (name.rstrip() for name in on.hanging(f"{line}  ", row[-1], used, hyphens=True))
        else:
            yield line.rstrip()
            yield from (on.paint(f"{_INDENT}{name}", "dim") for name in wrap(row[-1], on.width - len(_INDENT)))


def _is_number(cell: object) -> bool:
    """Whether a cell stands to the right: it holds a number, or nothing."""
    return isinstance(cell, int | float) or cell == ""


def _fitted(keep: list[int], widths: dict[int, int], width: int) -> list[int]:
    """The first columns that fit, the widest of them shortened if that lets one more in."""
    keep = list(keep)
    while len(keep) > 1:
        over = sum(widths[number] + 2 for number in keep) - 2 - width
        if over <= 0:
            break
        widest = max(keep, key=widths.__getitem__)
        if widths[widest] - over >= _NARROWEST:
            widths[widest] -= over
            break
        keep.pop()
    return keep


def _line(row: tuple[str, ...], keep: list[int], widths: dict[int, int], right: set[int]) -> str:
    places = {place for place, number in enumerate(keep) if number in right}
    return padded((row[number] for number in keep), (widths[number] for number in keep), places)


def cell_text(value: object) -> str:
    """A cell as people read it: thousands separated, yes or no for a flag."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
