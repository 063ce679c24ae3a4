"""A comparison to lines of a terminal: the table, then why values differ and what was not answered."""

from collections.abc import Iterator
from collections.abc import Sequence
from textwrap import wrap

from formula_eval.analyse.compare import Comparison
from formula_eval.export.answer.comparison_words import OPEN
from formula_eval.export.answer.comparison_words import OWN
from formula_eval.export.answer.comparison_words import WHY
from formula_eval.export.answer.comparison_words import assumed
from formula_eval.export.answer.comparison_words import equation
from formula_eval.export.answer.comparison_words import readings_of
from formula_eval.export.answer.comparison_words import said
from formula_eval.export.answer.comparison_words import short
from formula_eval.export.answer.comparison_words import shown
from formula_eval.export.answer.comparison_words import times
from formula_eval.export.answer.terminal import Screen

_NARROWEST = 30


def comparison_lines(found: Comparison, on: Screen) -> str:
    """All parts that have something to say, one blank line between them."""
    parts = [list(each(found, on)) for each in (_table, _why, _own, _open)]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


def _table(found: Comparison, on: Screen) -> Iterator[str]:
    """Ratios stand behind their values, or beneath where the line has no room for both."""
    names = max(2 + len(row.title) for row in found.rows)
    cells = [[(shown(each), times(each)) for each in readings_of(row, found.columns)] for row in found.rows]
    values = [max(len(text) for text, _ in column) for column in zip(*cells, strict=True)]
    ratios = [max(len(text) for _, text in column) for column in zip(*cells, strict=True)]
    titles = [each.title for each in found.columns]
    wide = [
        max(len(title), value + (1 + ratio if ratio else 0))
        for title, value, ratio in zip(titles, values, ratios, strict=True)
    ]
    beside = names + sum(2 + each for each in wide) <= on.width
    widths = wide if beside else [max(each) for each in zip(map(len, titles), values, ratios, strict=True)]
    yield on.paint(f"{'':{names}}" + _cells(titles, widths), "title")
    for row, texts in zip(found.rows, cells, strict=True):
        if beside:
            line = [
                f"{value}{f' {ratio_text:>{ratio}}' if ratio else ''}"
                for (value, ratio_text), ratio in zip(texts, ratios, strict=True)
            ]
            yield f"{'  ' + row.title:{names}}{_cells(line, widths)}".rstrip()
            continue
        yield f"{'  ' + row.title:{names}}{_cells([value for value, _ in texts], widths)}".rstrip()
        below = _cells([text for _, text in texts], widths)
        if below.strip():
            yield on.paint(f"{'':{names}}{below}".rstrip(), "dim")


def _cells(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {text:>{width}}" for text, width in zip(texts, widths, strict=True))


def _why(found: Comparison, on: Screen) -> Iterator[str]:
    rows = [row for row in found.rows if row.explanations]
    if not rows:
        return
    ours, *others = found.columns
    wide = 4 + max(len(each.title) for each in found.columns) + 2
    yield on.paint(WHY, "title")
    for row in rows:
        yield f"  {on.paint(row.title, 'strong')}"
        yield from _entry(ours.title, equation(row.readings[ours.key].name, row.formula), wide, on)
        for column in others:
            why = row.explanations.get(column.key)
            if why is not None:
                reading = row.readings[column.key]
                name = short(reading.name, column)
                yield from _entry(column.title, f"{times(reading)}  {equation(name, why.formula)}", wide, on)
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
