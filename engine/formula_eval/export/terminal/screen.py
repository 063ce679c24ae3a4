"""Lays out blocks as lines that fit the width of a terminal."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from formula_eval.export.shell_text import lines_of
from formula_eval.export.terminal import bars, blocks

_WIDE = 110
_NARROWEST, _LEAST_TEXT = 60, 30
_WIDEST = 120


class Screen(NamedTuple):
    """How wide lines may be, whether blocks can be drawn, and how a style (`title`, `dim`, ...) is put on a text."""

    width: int = 80
    glyphs: bars.Glyphs = bars.UNICODE
    paint: Callable[[str, str], str] = lambda text, _: text

    def dimmed(self, texts: Iterable[str]) -> str:
        """Remarks in lesser letters, each on as many lines as it takes."""
        return "".join(f"{self.paint(line, 'dim')}\n" for text in texts for line in wrap(text, self.width))

    def hanging(self, head: str, text: str, indent: int, look: str = "", *, hyphens: bool = False) -> Iterator[str]:
        """A text behind its head, which is `indent` letters wide, its further lines beneath the first.

        Only on request does a line end behind a hyphen.
        """
        lines = wrap(text, max(self.width - indent, _LEAST_TEXT), break_on_hyphens=hyphens) or [""]
        for number, line in enumerate(lines):
            yield f"{' ' * indent if number else head}{self.paint(line, look)}"


def screen(columns: int, encoding: str, paint: Callable[[str, str], str]) -> Screen:
    """The screen of a terminal of so many columns, whose encoding may lack block characters."""
    try:
        "".join(bars.UNICODE).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        glyphs = bars.ASCII
    else:
        glyphs = bars.UNICODE
    return Screen(min(max(columns, _NARROWEST), _WIDEST), glyphs, paint)


def screen_text(answer: Sequence[blocks.Block], on: Screen) -> str:
    """All blocks, one blank line between them."""
    return "\n".join("".join(f"{line}\n" for line in _lines(block, on)) for block in answer)


def _lines(block: blocks.Block, on: Screen) -> Iterator[str]:
    match block:
        case blocks.Pairs(title, pairs, left, legend, messages, more):
            stars = "* default" if any(pair.default for pair in pairs) else ""
            yield _heading(title, "   ".join(filter(None, (legend, stars))), on)
            yield from pair_lines(pairs, on, left=left)
            yield from [f"  {on.paint(more, 'dim')}"] if more else []
            yield from _messages(messages, on)
        case blocks.CapacityBar():
            yield _heading(block.title, "", on)
            yield from bars.bar_lines(block, on.width, on.glyphs, on.paint)
            yield from pair_lines(block.pairs, on)
        case blocks.Breakdown():
            yield from bars.breakdown_lines(block, on.width, on.glyphs, on.paint)
        case blocks.TextTable():
            yield from _table(block, on)
        case blocks.Messages(title, messages):
            yield _heading(title, "", on)
            yield from _messages(messages, on)
        case blocks.Hint(title, text, good, options):
            yield from _hint(title, text, "good" if good else "bad", on)
            yield from _options(options, on)
        case blocks.Command(title, line):
            yield from _command(title, line, on)


def cut(text: str, width: int) -> str:
    """The text, or as much of it as there is room for, with three points behind it."""
    return text if len(text) <= width else f"{text[: width - 3]}..."


def padded(cells: Iterable[str], widths: Iterable[int], right: Container[int]) -> str:
    """The cells of a row, each as wide as its column; those at the places of `right` stand to the right."""
    placed = enumerate(zip(cells, widths, strict=False))
    return "  ".join(f"{cut(text, width):{'>' if place in right else '<'}{width}}" for place, (text, width) in placed)


def _heading(title: str, remark: str, on: Screen) -> str:
    gap = " " * (on.width - len(title) - len(remark)) if remark else ""
    return on.paint(title, "title") + gap + (on.paint(remark, "dim") if remark else "")


def pair_lines(pairs: Sequence[blocks.Pair], on: Screen, *, left: bool = False) -> Iterator[str]:
    """Pairs in as many columns as fit, filled downwards."""
    for count in (3, 2, 1) if on.width >= _WIDE else (2, 1):
        height = -(-len(pairs) // count)
        columns = [pairs[start : start + height] for start in range(0, len(pairs), max(height, 1))]
        widths = [_widths(column) for column in columns]
        free = on.width - sum(2 + sum(width) for width in widths)
        if free >= 2 * (len(columns) - 1) or count == 1:
            break
    gap = min(free // max(len(columns) - 1, 1), 6)
    for row in range(height):
        cells = [(column[row], width) for column, width in zip(columns, widths, strict=True) if row < len(column)]
        texts = [_pair(pair, width, on, left=left) for pair, width in cells]
        yield "  " + (" " * (2 + gap)).join(texts).rstrip()


def _widths(pairs: Iterable[blocks.Pair]) -> tuple[int, int, int]:
    pairs = list(pairs)
    remark = max(len(_mark(pair)) for pair in pairs)
    return (
        max(len(pair.title) for pair in pairs) + 2,
        max(len(pair.text) for pair in pairs),
        max(remark, 2 * any(pair.default for pair in pairs)),
    )


def _mark(pair: blocks.Pair) -> str:
    """The marks after a value: a star for a default, and its remark."""
    return f"{' *' if pair.default else ''}{' ' if pair.remark else ''}{pair.remark}"


def _pair(pair: blocks.Pair, widths: tuple[int, int, int], on: Screen, *, left: bool) -> str:
    title, text, remark = widths
    mark = _mark(pair)
    named = on.paint(f"{pair.title:{title}}", "dim")
    if left:
        return named + pair.text + on.paint(f"{mark:{remark + text - len(pair.text)}}", "dim")
    padded = f"{mark:>{remark}}" if pair.remark else f"{mark:{remark}}"
    return named + f"{pair.text:>{text}}" + on.paint(padded, "dim")


def _table(block: blocks.TextTable, on: Screen) -> Iterator[str]:
    """A table as it is; transposed where it is too wide; then as many columns at a time as fit."""
    lines = _aligned(((block.title, *block.columns), *block.rows), on)
    if max(map(len, lines)) > on.width:
        titles = (block.title, *(row[0] for row in block.rows))
        lines = _aligned((titles, *zip(block.columns, *(row[1:] for row in block.rows), strict=True)), on)
    if max(map(len, lines)) <= on.width or len(block.columns) == 1:
        yield on.paint(lines[0], "title")
        yield from lines[1:]
        return
    for start, end in _fitting_columns(block, on.width):
        rows = tuple((row[0], *row[1 + start : 1 + end]) for row in block.rows)
        yield from _table(blocks.TextTable(block.title, block.columns[start:end], rows), on)


def _fitting_columns(block: blocks.TextTable, width: int) -> Iterator[tuple[int, int]]:
    """Where to part the columns so that each part is no wider than this."""
    names = max(len(block.title), *(2 + len(row[0]) for row in block.rows))
    widths = [max(map(len, texts)) for texts in zip(block.columns, *(row[1:] for row in block.rows), strict=True)]
    start, used = 0, names
    for number, each in enumerate(widths):
        if number > start and used + 1 + each > width:
            yield start, number
            start, used = number, names
        used += 1 + each
    yield start, len(widths)


def _aligned(rows: Sequence[Sequence[str]], on: Screen) -> list[str]:
    (head, *columns), *rest = rows
    names = max(len(head), *(2 + len(title) for title, *_ in rest))
    widths = [max(map(len, texts)) for texts in zip(columns, *(row[1:] for row in rest), strict=True)]
    gap = min(max((on.width - names - sum(widths)) // len(widths), 1), 4)
    titles = (head, *(f"  {title}" for title, *_ in rest))
    return [
        "".join(
            (
                f"{title:{names}}",
                *(f"{'':{gap}}{text:>{width}}" for text, width in zip(texts, widths, strict=True)),
            )
        ).rstrip()
        for title, texts in zip(titles, (columns, *(row[1:] for row in rest)), strict=True)
    ]


def _messages(messages: Sequence[tuple[str, str]], on: Screen) -> Iterator[str]:
    indent = max((len(level) for level, _ in messages), default=0) + 2
    for level, text in messages:
        yield from on.hanging(f"  {on.paint(f'{level:{indent}}', level)}", text, indent + 2, hyphens=True)


def _hint(title: str, text: str, style: str, on: Screen) -> Iterator[str]:
    return on.hanging(f"{on.paint(title, 'title')}  ", text, len(title) + 2, style, hyphens=True)


def _options(options: Iterable[tuple[str, str]], on: Screen) -> Iterator[str]:
    """What each option gives beside it, or beneath one that takes more than half of the screen."""
    listed = [(f"  {option}", gives) for option, gives in options]
    width = max((len(option) for option, _ in listed if 2 * len(option) <= on.width), default=4)
    for option, gives in listed:
        is_long = len(option) > width
        if is_long:
            yield on.paint(option, "title")
        yield from _hint(" " * width if is_long else f"{option:{width}}", gives, "", on)


def _command(title: str, line: str, on: Screen) -> Iterator[str]:
    """A command line, broken so that a shell reads it as one."""
    for number, each in enumerate(lines_of(line, on.width - len(title) - 4)):
        head = f"{'':{len(title)}}" if number else on.paint(title, "title")
        yield f"{head}  {on.paint(each, 'dim')}"
