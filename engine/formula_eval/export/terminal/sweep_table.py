"""Renders a sweep as a table for a terminal: columns that fit, first rows, extent of each column, and counts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from textwrap import wrap
from typing import Any

from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_batches import Batch, Sweep
from formula_eval.analyse.sweep.sweep_frame import Extents
from formula_eval.evaluate.display import counted, shown_value, takes_prefix
from formula_eval.evaluate.required_choices import reasons
from formula_eval.export.terminal.screen import Screen, padded

_ROWS = 24
_GAP = 2
_NARROWEST = 5
_WIDEST = 28
_HEAD = 10


class SweepTable:
    """Keeps what a terminal shows of the batches of a sweep, however many there are."""

    def __init__(self, sweep: Sweep, titles: Mapping[str, str]) -> None:
        """Head columns with these titles, those without one with their names."""
        self._sweep = sweep
        self._titles = titles
        self._extents = Extents(sweep.columns, _ROWS)
        self.tally = Tally()

    def add(self, batch: Batch) -> None:
        """See a further batch."""
        self._extents.add(batch)
        self.tally.add(batch.tally)

    def lines(self, on: Screen) -> Iterator[str]:
        """The table and what is to be said of it."""
        rows = [self._texts(row) for row in self._extents.rows]
        if rows:
            yield from self._table(rows, on)
            yield ""
        yield summary(self.tally, self._sweep)
        yield from tally_lines(self.tally, self._sweep.demand_of, on)
        for reason in reasons(self._sweep.lacks):
            yield from wrap(f"note: {reason}", on.width)

    def _texts(self, row: Sequence[Any]) -> list[str]:
        return [_text(value, column) for value, column in zip(row, self._sweep.columns, strict=True)]

    def _table(self, rows: list[list[str]], on: Screen) -> Iterator[str]:
        columns = self._sweep.columns
        has_ends = self.tally.kept > 1 and any(column.is_number and not column.is_axis for column in columns)
        ends = [(title, self._texts(row)) for title, row in self._extents.ends()] if has_ends else []
        heads = [self._head(column) for column in columns]
        widths = [
            max(_NARROWEST, *map(len, head), *(len(row[number]) for row in (*rows, *(texts for _, texts in ends))))
            for number, head in enumerate(heads)
        ]
        widths = [min(width, _WIDEST) for width in widths]
        shown = _fitting(widths, on.width)
        height = max(len(heads[number]) for number in range(shown))
        for row_of_heads in range(height):
            cells = [([""] * (height - len(head)) + head)[row_of_heads] for head in heads[:shown]]
            yield on.paint(_line(cells, widths, columns), "title")
        for row in rows:
            yield _line(row[:shown], widths, columns)
        more = self.tally.kept - len(rows)
        if more:
            yield on.paint(
                f"... {more:,} more row{'s' if more > 1 else ''}: -o FILE.csv or FILE.parquet has all", "dim"
            )
        if ends:
            yield on.paint("Of each column by itself:", "dim")
        for title, texts in ends:
            label = sum(widths[number] + _GAP for number, column in enumerate(columns) if column.is_axis)
            ended = _line([text.replace("-", "", text == "-") for text in texts[:shown]], widths, columns)
            yield on.paint(f"{title:{label}}{ended[label:]}", "dim")
        if shown < len(columns):
            left = ", ".join(column.title(self._titles) for column in columns[shown:])
            yield from wrap(f"No room for {left}: --only chooses columns, a file holds all.", on.width)

    def _head(self, column: Column) -> list[str]:
        """The title in lines about as wide as the values, and beneath it the unit, if all of them are in the same."""
        unit = _common_unit(column)
        return [*wrap(column.title(self._titles), _HEAD, break_long_words=False), *([unit] if unit else [])]


def summary(tally: Tally, sweep: Sweep) -> str:
    """How many configurations were computed, have an answer and meet the conditions."""
    noun = "configuration" if tally.tried == 1 else "configurations"
    text = f"{tally.tried:,} {noun}, {tally.tried - tally.unanswered:,} with an answer"
    return f"{text}, of which {tally.kept:,} meet the conditions" if sweep.asked.where else text


def _common_unit(column: Column) -> str:
    """The unit of all values of a column, which stands in its head; nothing where each has a prefix of its own."""
    quantity = column.quantity
    if not column.is_number or takes_prefix(quantity) or quantity.unit == "percent" or column.is_count:
        return ""
    return counted(quantity.unit, 0) if quantity.style == "counted" and quantity.unit else quantity.unit


def _text(value: Any, column: Column) -> str:  # noqa: ANN401 - a cell
    """A cell as people read it, without the unit that its column has."""
    if value is None:
        return "-"
    text = shown_value(value, column.shown_as)
    return text.partition(" ")[0] if _common_unit(column) else text


def _fitting(widths: Sequence[int], width: int) -> int:
    """How many columns fit, at least one."""
    return max(1, sum(used - _GAP <= width for used in accumulate(each + _GAP for each in widths)))


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    kinds = ("choice", "record", "flag")
    right = {place for place, column in enumerate(columns) if not (column.words or column.quantity.kind in kinds)}
    return padded(cells, widths, right).rstrip()


_STYLES = {"refused": "bad", "failed": "bad", "warned": "warn", "unmet": "dim"}


def tally_lines(
    tally: Tally, demand: Callable[[str], str], on: Screen, unmet: str = "unmet", condition: Callable[[str], str] = str
) -> Iterator[str]:
    """A line for each reason; `demand` says what a check demands, `unmet` what a condition is that does not hold."""
    said = [
        *((unmet, count, condition(text)) for text, count in tally.unmet.most_common()),
        *(("refused", count, f"{demand(name)} ({name})") for name, count in tally.refused.most_common()),
        *(("failed", count, why) for why, count in tally.failed.most_common()),
        *(("warned", count, f"{demand(name)} ({name})") for name, count in tally.warned.most_common()),
    ]
    width = max((len(f"{count:,}") for _, count, _ in said), default=0)
    column = max(len("refused"), len(unmet))
    for level, count, text in said:
        head = f"  {count:>{width},}  {on.paint(f'{level:{column}}', _STYLES.get(level, _STYLES['unmet']))}  "
        yield from on.hanging(head, text, width + column + 6, hyphens=True)
