"""Lays out a comparison as lines of a terminal: the table, why values differ, warnings, and what has no answer."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from formula_eval.analyse.compare.comparison import Cause, ColumnDifference, ComparedColumn, ComparedValue, Comparison
from formula_eval.export.terminal import comparison_texts as texts
from formula_eval.export.terminal.columns_of_answers import table_lines
from formula_eval.export.terminal.screen import Screen

_NARROWEST = 30
_SLIGHT = 0.01
_LONGEST_TAG = 8


def screen_lines(found: Comparison, on: Screen, *, why: bool) -> str:
    """All parts that have something to say, one blank line between them; without `why` each reason in one line."""
    main, all_of_them = (_main_causes, _causes) if found.is_of_configurations else (_main_notes, _formulas)
    reasons = (all_of_them, _own_assumptions) if why else (main,)
    shown = (table_lines, *reasons, _warnings, _unanswered)
    parts = [list(each(found, on)) for each in shown]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


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
    return [each for each in causes if each.alone is None or abs(each.alone - 1) > _SLIGHT] or causes[:1]


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
        line = "  ".join(f"{text:{width}}" for text, width in zip(cells, widths, strict=True))
        room = on.width - len(line) - 4
        yield f"  {line}  {on.paint(texts.shortened(reason, room), 'dim')}"
        before = title


def _first_sentence(note: str) -> str:
    return _without_tag(note).partition(". ")[0]


def _without_tag(note: str) -> str:
    """A note without the number that its list gives it: `[Q8] No causal mask`."""
    tag, bracket, rest = note.partition("] ")
    return rest if bracket and tag.startswith("[") and len(tag) < _LONGEST_TAG else note


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
        lines = wrap(text, max(on.width - indent, _NARROWEST), break_on_hyphens=False)
        for number, line in enumerate(lines):
            yield f"{shown if number == 0 else '':{indent}}{line}"
