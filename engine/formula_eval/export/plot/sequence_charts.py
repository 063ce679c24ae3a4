"""Draws the sequences of an answer: lines over their index, or a map of each column over two indices."""

from collections.abc import Collection, Iterator
from itertools import islice

from formula_eval.core.namespace import in_words
from formula_eval.core.table import FILLED, TableShape
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.plot.chart_data import Chart, Curve, HeatMap, LineChart, Scale
from formula_eval.export.plot.style import PlotWords
from formula_eval.export.terminal.json_csv import finite

_PAIR = 2
_Row = tuple[str, tuple[float, ...]]  # a row, and where it stands along each index


def sequence_charts(result: Result, shown: Collection[str], evaluator: Evaluator, words: PlotWords) -> Iterator[Chart]:
    """The charts of all sequences of which an answer shows columns, at most as many as a layout says."""
    sequences = (each for each in evaluator.schema.tables.values() if each.sequence)
    charts = (chart for shape in sequences for chart in _of_sequence(shape, result, shown, evaluator, words))
    yield from islice(charts, words.data["most_charts"])


def _of_sequence(
    shape: TableShape, result: Result, shown: Collection[str], evaluator: Evaluator, words: PlotWords
) -> Iterator[Chart]:
    columns = _columns(shape, shown, evaluator)
    if not columns:
        return
    rows = [
        (row, tuple(result.numbers[shape.cell(row, index)] for index in shape.indices))
        for row in shape.rows
        if all(shape.cell(row, index) in result.numbers for index in shape.indices)
        and result.numbers.get(shape.cell(row, FILLED)) != 0
    ]
    rows = rows[:: -(-len(rows) // words.data["most_points"]) or 1] if len(shape.indices) == 1 else rows
    if len(rows) <= 1:
        return
    if len(shape.indices) == 1:
        yield from _lines(shape, rows, columns, result, evaluator, words)
    elif len(shape.indices) == _PAIR and len(rows) <= words.data["most_points"]:
        yield from (_map(shape, rows, column, result, evaluator) for column in columns)


def _columns(shape: TableShape, shown: Collection[str], evaluator: Evaluator) -> list[str]:
    """The columns of numbers that the answer shows whole, apart from those of indices."""
    quantity = evaluator.schema.quantity
    found = []
    for column in shape.columns:
        cells = list(shape.column(column))
        if column not in shape.indices and all(cell in shown for cell in cells):
            found += [column] if quantity(cells[0]).kind in {"number", "whole"} else []
    return found


def _lines(  # noqa: PLR0913, PLR0917 - a table and what is known of it
    shape: TableShape, rows: list[_Row], columns: list[str], result: Result, evaluator: Evaluator, words: PlotWords
) -> Iterator[LineChart]:
    """A chart for each unit, with a line for each of its columns."""
    first, quantity = shape.rows[0], evaluator.schema.quantity
    units = dict.fromkeys(quantity(shape.cell(first, column)) for column in columns)
    for unit in units:
        drawn = [each for each in columns if quantity(shape.cell(first, each)) == unit][: words.data["most_lines"]]
        curves = tuple(
            Curve(
                in_words(column),
                words.palette.series(number),
                tuple(finite(result.numbers[shape.cell(row, column)]) for row, _ in rows),
            )
            for number, column in enumerate(drawn)
        )
        index = Scale(in_words(shape.indices[0]), quantity(shape.cell(first, shape.indices[0])))
        title = in_words(shape.name) if len(drawn) > 1 else f"{in_words(shape.name)}: {curves[0].title}"
        yield LineChart(title, index, Scale("", unit), tuple(place for _, (place,) in rows), curves)


def _map(shape: TableShape, rows: list[_Row], column: str, result: Result, evaluator: Evaluator) -> HeatMap:
    """A column over two indices, the first one from bottom to top."""
    first, quantity = shape.rows[0], evaluator.schema.quantity
    values = {places: finite(result.numbers[shape.cell(row, column)]) for row, places in rows}
    ys, xs = (tuple(dict.fromkeys(places[axis] for _, places in rows)) for axis in (0, 1))
    y, x = (Scale(in_words(index), quantity(shape.cell(first, index))) for index in shape.indices)
    value = Scale(in_words(column), quantity(shape.cell(first, column)))
    cells = tuple(tuple(values.get((one, other)) for other in xs) for one in ys)
    return HeatMap(f"{in_words(shape.name)}: {value.title}", x, y, value, xs, ys, cells)
