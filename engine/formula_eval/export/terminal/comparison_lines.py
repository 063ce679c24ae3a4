"""A comparison to lines of a terminal: the table, then why values differ and what was not answered.

The texts of values, ratios, equations and notes are those of every other form too.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from formula_eval.analyse import compare
from formula_eval.analyse.correspondence import Column
from formula_eval.evaluate.display import digits, plain_number
from formula_eval.export.terminal.screen import Screen

_NARROWEST = 30
_LONGEST_TAG = 8
_LARGE = ((1e12, "T"), (1e9, "G"), (1e6, "M"))
DIFFERENCES = f"Where they differ by more than {compare.SAME_WITHIN:.0%}"
UNANSWERED = "Not answered"
ASSUMPTIONS = "What they assume by themselves"


def screen_lines(found: compare.Comparison, on: Screen, *, why: bool) -> str:
    """All parts that have something to say, one blank line between them; without `why` each reason in one line."""
    shown = (_table, _differences, _own_assumptions, _unanswered) if why else (_table, _main_reasons, _unanswered)
    parts = [list(each(found, on)) for each in shown]
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


def _table(found: compare.Comparison, on: Screen) -> Iterator[str]:
    """Ratios stand behind their values, or beneath where the line has no room for both."""
    titles = [f"  {row.title}" for row in found.rows]
    names = max(map(len, titles))
    columns = [_column(found, number) for number in range(len(found.columns))]
    beside = _width(columns, beside=True) <= on.width - names
    for group in [columns] if beside else _groups(columns, on.width - names):
        heads = "".join(f"  {each.title:>{each.width(beside=beside)}}" for each in group)
        yield on.paint(f"{'':{names}}{heads}", "title")
        lines = [each.lines(beside=beside) for each in group]
        for number, title in enumerate(titles):
            yield f"{title:{names}}" + "".join(f"  {values[number]}" for values, _ in lines).rstrip()
            below = "".join(f"  {ratios[number]}" for _, ratios in lines).rstrip()
            if below:
                yield on.paint(f"{'':{names}}{below}", "dim")


def _column(found: compare.Comparison, number: int) -> _Column:
    answers = [answers_of(row, found.columns)[number] for row in found.rows]
    return _Column(found.columns[number].title, tuple(map(value_text, answers)), tuple(map(ratio_text, answers)))


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


def _differences(found: compare.Comparison, on: Screen) -> Iterator[str]:
    rows = [row for row in found.rows if row.differences]
    if not rows:
        return
    ours, *others = found.columns
    indent = 4 + max(len(each.title) for each in found.columns) + 2
    yield on.paint(DIFFERENCES, "title")
    for row in rows:
        yield f"  {on.paint(row.title, 'strong')}"
        yield from _entry(ours.title, equation_text(row.answers[ours.key], row.formula, ours), indent, on)
        for column in others:
            why = row.differences.get(column.key)
            if why is not None:
                answer = row.answers[column.key]
                text = f"{ratio_text(answer)}  {equation_text(answer, why.formula, column)}"
                yield from _entry(column.title, text, indent, on)
                for note in notes_text(why.notes, column):
                    yield from _entry("", note, indent, on, "dim")


def _main_reasons(found: compare.Comparison, on: Screen) -> Iterator[str]:
    """For each row and column the first sentence of the weightiest note, cut to a line."""
    rows = [
        (row.title, column.title, ratio_text(row.answers[column.key]), _without_tag(why.notes[0][1]).partition(". ")[0])
        for row in found.rows
        for column in found.columns
        if (why := row.differences.get(column.key)) is not None and why.notes
    ]
    if not rows:
        return
    widths = [max(map(len, texts)) for texts in list(zip(*rows, strict=True))[:3]]
    yield on.paint(f"{DIFFERENCES}, mainly because (--why has all)", "title")
    before = ""
    for title, *others, reason in rows:
        cells = (title if title != before else "", *others)
        line = "  ".join(f"{text:{width}}" for text, width in zip(cells, widths, strict=True))
        room = on.width - len(line) - 4
        yield f"  {line}  {on.paint(shortened(reason, room), 'dim')}"
        before = title


def _without_tag(note: str) -> str:
    """A note without the number that its list gives it: `[Q8] No causal mask`."""
    tag, bracket, rest = note.partition("] ")
    return rest if bracket and tag.startswith("[") and len(tag) < _LONGEST_TAG else note


def shortened(text: str, width: int) -> str:
    """The text, or as many of its words as fit with three points behind them."""
    return text if len(text) <= width else f"{text[: max(width - 3, 1)].rpartition(' ')[0]}..."


def _entry(title: str, text: str, indent: int, on: Screen, style: str = "") -> Iterator[str]:
    lines = wrap(text, max(on.width - indent, _NARROWEST), break_on_hyphens=False, break_long_words=False)
    for number, line in enumerate(lines):
        head = f"    {title}" if number == 0 else ""
        yield f"{head:{indent}}{on.paint(line, style) if style else line}"


def _own_assumptions(found: compare.Comparison, on: Screen) -> Iterator[str]:
    by_column = [(column, found.assumptions.get(column.key)) for column in found.columns]
    entries = [(column.title, assumptions_text(each, column)) for column, each in by_column if each]
    yield from _paragraphs(ASSUMPTIONS, entries, on)


def _unanswered(found: compare.Comparison, on: Screen) -> Iterator[str]:
    entries = [(column.title, f"{reason} ({', '.join(titles)})") for column, reason, titles in found.reasons()]
    yield from _paragraphs(UNANSWERED, entries, on)


def _paragraphs(title: str, entries: Sequence[tuple[str, str]], on: Screen) -> Iterator[str]:
    if not entries:
        return
    indent = 4 + max(len(head) for head, _ in entries)
    yield on.paint(title, "title")
    for head, text in entries:
        lines = wrap(text, max(on.width - indent, _NARROWEST), break_on_hyphens=False)
        for number, line in enumerate(lines):
            yield f"{f'  {head}' if number == 0 else '':{indent}}{line}"


def value_text(answer: compare.Answer | None) -> str:
    """A value for people, without the unit of what is counted; `-` where the namespace lacks it."""
    if answer is None:
        return "-"
    if answer.value is None:
        return "refused"
    number, quantity = answer.value.value, answer.value.quantity
    if quantity.dimension or not isinstance(number, int | float) or isinstance(number, bool):
        return str(answer.value)
    scale, prefix = next((each for each in _LARGE if abs(number) >= each[0]), (1.0, ""))
    return f"{digits(number / scale)} {prefix}" if prefix else plain_number(number)


def ratio_text(answer: compare.Answer | None) -> str:
    """How many times ours it is: `x1.13`."""
    return "" if answer is None or answer.ratio is None else f"x{answer.ratio:.3g}"


def equation_text(answer: compare.Answer, formula: str, column: Column) -> str:
    """A formula as written, behind its name, and by what it was multiplied."""
    name = local_name(answer.name, column)
    text = f"{name} = {formula}" if formula else name
    return f"{text}, times {local_name(answer.factor, column)}" if answer.factor else text


def notes_text(notes: Sequence[tuple[str, str]], column: Column) -> Iterator[str]:
    """Notes, those of one formula together behind its name."""
    for name in dict.fromkeys(name for name, _ in notes):
        yield f"{local_name(name, column)}: {' '.join(text for each, text in notes if each == name)}"


def local_name(name: str, column: Column) -> str:
    """A name as seen from the namespace."""
    return name.removeprefix(f"{column.namespace}.") if column.namespace else name


def assumptions_text(assumptions: Sequence[compare.Assumption], column: Column) -> str:
    """`link_efficiency 0.9 (ours 0.7), minimum_message_time 8 us`."""
    return ", ".join(
        f"{local_name(each.name, column)} {each.value}{f' (ours {each.ours})' if each.ours is not None else ''}"
        for each in assumptions
    )


def answers_of(row: compare.ComparedQuantity, columns: Sequence[Column]) -> list[compare.Answer | None]:
    """What each namespace says of a quantity, in the order of the columns."""
    return [row.answers.get(each.key) for each in columns]
