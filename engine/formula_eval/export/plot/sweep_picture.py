"""Builds the picture of a sweep from all its rows: lines over one input, heat maps over two, points over records."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.grid import WordAxis, unravelled
from formula_eval.analyse.sweep.sweep_batches import Sweep
from formula_eval.analyse.sweep.sweep_frame import WholeSweep
from formula_eval.core.diagnostic import refuse
from formula_eval.core.namespace import in_words
from formula_eval.evaluate.display import shown_value
from formula_eval.export.plot import chart_data
from formula_eval.export.plot.chart_data import STYLES, asked_title
from formula_eval.export.plot.style import PlotWords, words_of
from formula_eval.records.axis import Axis

MOST = 100_000
_FACTOR = 20  # between the least and the greatest value of an axis that multiplies
_UNEVEN = 1.3  # by how much a later step may be greater than the one before on an axis that adds


class _Grid(NamedTuple):
    """The rows of a sweep by their places along each dimension that has several."""

    whole: WholeSweep
    titles: Mapping[str, str]
    words: PlotWords
    dimensions: tuple[int, ...]
    rows: Mapping[tuple[int, ...], int]
    cells: Mapping[str, Sequence[Any]]

    def size(self, number: int) -> int:
        """How many points a dimension has."""
        return self.whole.sweep.grid.dimensions[number].size

    def axis(self, number: int) -> WordAxis | Axis:
        """The axis of a dimension: a numeric one if several vary together."""
        axes = self.whole.sweep.grid.dimensions[number].axes
        return next((each for each in axes if self.is_number(each)), axes[0])

    def is_number(self, axis: WordAxis | Axis) -> bool:
        """Whether its points are numbers."""
        return isinstance(axis, Axis) and self.column(axis.name).is_number

    def column(self, name: str) -> Column:
        """The column of an input or a quantity."""
        return next(each for each in self.whole.columns if each.name == name)

    def points(self, number: int) -> tuple[float, ...]:
        """The points of a dimension that is a number."""
        axis = self.axis(number)
        return tuple(float(each) for each in axis.part(0, axis.length)) if isinstance(axis, Axis) else ()

    def text(self, number: int, place: int) -> str:
        """A point of a dimension in words: `tp 8`, `h100-sxm`."""
        found = []
        for axis in self.whole.sweep.grid.dimensions[number].axes:
            if isinstance(axis, WordAxis):
                found.append(axis.words[place])
            else:
                column = self.column(axis.name)
                value = column.words[int(axis[place])] if column.words else axis[place]
                found.append(f"{in_words(axis.name)} {shown_value(value, column.shown_as)}")
        return ", ".join(found)

    def value(self, quantity: Column, places: Mapping[int, int]) -> float | None:
        """The value of a quantity at a place along each dimension; None where there is no such row, or no number."""
        row = self.rows.get(tuple(places[number] for number in self.dimensions))
        value = None if row is None else self.cells[quantity.name][row]
        return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def refuse_more_than_seen(sweep: Sweep) -> None:
    """Raise FormulaError, before anything is computed, where there are more configurations than a picture can show."""
    if sweep.size > MOST:
        message = f"{sweep.size:,} configurations are more than a picture can show"
        raise refuse("too-many", message, help=f"Draw at most {MOST:,}, or write a file with -o.")


def sweep_picture(whole: WholeSweep, titles: Mapping[str, str]) -> chart_data.Picture:
    """The picture of a sweep, a chart for each quantity that is a number.

    Raises FormulaError for a sample, for what has no number, and for more than a picture can show.
    """
    words = words_of(whole.sweep.library, "sweep")
    grid = _grid(whole, titles, words)
    quantities = _quantities(grid)
    numeric = [dimension for dimension in grid.dimensions if grid.is_number(grid.axis(dimension))]
    numeric.sort(key=lambda number: -grid.size(number))
    least = words.data["cells"]
    if len(grid.dimensions) == len(numeric) == 2 and grid.size(numeric[1]) >= least:  # noqa: PLR2004 - two axes
        found: list[chart_data.Chart] = [_heat_map(grid, quantity, *numeric) for quantity in quantities]
    else:
        along = numeric[0] if numeric else max(grid.dimensions, key=grid.size)
        found = [_lines(grid, quantity, along) for quantity in quantities]
    first = whole.sweep.givens.first()
    varied = [axis.name for axis in whole.sweep.grid.axes]
    title = asked_title(whole.sweep.grid.question, whole.sweep.schema, first, varied)
    conditions = " and ".join(whole.sweep.asked.where)
    return chart_data.Picture(title, f"where {conditions}" if conditions else "", chart_data.paired(found))


def _grid(whole: WholeSweep, titles: Mapping[str, str], words: PlotWords) -> _Grid:
    sweep = whole.sweep
    if sweep.asked.sampled is not None:
        raise refuse("no-picture", "A sample makes no lines", help="Leave --sample out, or write a file with -o.")
    sizes = [dimension.size for dimension in sweep.grid.dimensions]
    several = tuple(number for number, size in enumerate(sizes) if size > 1)
    if not several:
        raise refuse("no-picture", "Nothing varies", help="Give an option several values, as `--batch 1..64*2`.")
    places = [unravelled(int(each), sizes) for each in whole.rows.places.tolist()]
    rows = {tuple(place[number] for number in several): row for row, place in enumerate(places)}
    return _Grid(whole, titles, words, several, rows, whole.cells())


def _quantities(grid: _Grid) -> list[Column]:
    """The columns to draw; raises FormulaError if there are none, or too many."""
    numbers = [column for column in grid.whole.columns if not column.is_axis and column.is_number]
    found = [number for number in numbers if any(value is not None for value in grid.cells[number.name])]
    most = grid.words.data["most_charts"]
    if not found:
        raise refuse("no-picture", "No configuration has a number to draw", help="Name others with --only.")
    if len(found) > most:
        help_ = f"Name at most {most} with --only."
        raise refuse("too-many", f"{len(found)} quantities do not fit a picture", help=help_)
    return found


def _heat_map(grid: _Grid, quantity: Column, along: int, up: int) -> chart_data.HeatMap:
    cells = tuple(
        tuple(grid.value(quantity, {along: x, up: y}) for x in range(grid.size(along))) for y in range(grid.size(up))
    )
    value = _scale(grid, quantity.name, [number for row in cells for number in row if number is not None])
    xs, ys = grid.points(along), grid.points(up)
    x, y = (_scale(grid, grid.axis(number).name, points) for number, points in ((along, xs), (up, ys)))
    return chart_data.HeatMap(value.title, x, y, value, xs, ys, cells)


def _lines(grid: _Grid, quantity: Column, along: int) -> chart_data.LineChart:
    """A line for each combination of what else varies; raises FormulaError where there are too many."""
    others = [dimension for dimension in grid.dimensions if dimension != along]
    count, most = math.prod(grid.size(other) for other in others), grid.words.data["most_lines"]
    if count > most:
        names = ", ".join(grid.axis(other).name for other in others)
        help_ = f"Give {names} at most {most} combinations of values."
        raise refuse("too-many", f"{count:,} lines do not fit a chart", help=help_)
    sizes = [grid.size(other) for other in others]
    combined = [dict(zip(others, unravelled(number, sizes), strict=True)) for number in range(count)]
    styled = _styled(grid, others)
    held: dict[tuple[int, ...], int] = {}
    lines = []
    for places in combined:
        ys = tuple(grid.value(quantity, {**places, along: x}) for x in range(grid.size(along)))
        title = ", ".join(grid.text(number, place) for number, place in places.items())
        coloured = tuple(place for number, place in places.items() if number != styled)
        colour = grid.words.palette.series(held.setdefault(coloured, len(held)))
        lines.append(chart_data.Curve(title, colour, ys, 0 if styled is None else places[styled]))
    axis = grid.axis(along)
    values = [number for line in lines for number in line.ys if number is not None]
    y = _scale(grid, quantity.name, values)
    if grid.is_number(axis):
        xs = grid.points(along)
        x = _scale(grid, axis.name, xs)
        limits = _limits(grid, quantity, [{along: 0, **each} for each in combined])
        return chart_data.LineChart(y.title, x, y._replace(title=""), xs, tuple(lines), limits=limits)
    words = tuple(grid.text(along, place) for place in range(grid.size(along)))
    xs = tuple(float(number) for number in range(len(words)))
    return chart_data.LineChart(
        y.title, chart_data.Scale(""), y._replace(title="", logarithmic=False), xs, tuple(lines), words
    )


def _limits(grid: _Grid, quantity: Column, combined: Sequence[Mapping[int, int]]) -> tuple[tuple[str, float], ...]:
    """What a quantity had better stay beneath in these configurations, each height once."""
    sweep = grid.whole.sweep
    name = grid.words.data["limits"].get(quantity.name)
    if name not in sweep.schema.formulas and name not in sweep.schema.inputs:
        return ()
    found: dict[float, str] = {}
    for places in combined:
        chosen = {axis.name: place for number, place in places.items() for axis in sweep.grid.dimensions[number].axes}
        question = sweep.grid.question_at(chosen, sweep.schema)
        value = sweep.evaluator.evaluate(sweep.evaluator.givens(question), [name]).numbers[name]
        found[value] = grid.words.text("limit", value=shown_value(value, quantity.shown_as))
    return tuple((text, value) for value, text in found.items())


def _styled(grid: _Grid, others: Sequence[int]) -> int | None:
    """The dimension that lines of one colour differ by: the first of words, with few of them, beside another one."""
    few = (other for other in others if not grid.is_number(grid.axis(other)) and grid.size(other) <= STYLES)
    return next(few, None) if len(others) > 1 else None


def _scale(grid: _Grid, name: str, values: Sequence[float]) -> chart_data.Scale:
    column = grid.column(name)
    title = column.title({} if column.is_axis else grid.titles)
    return chart_data.Scale(title, column.shown_as, _multiplies(values, in_order=column.is_axis))


def _multiplies(values: Sequence[float], *, in_order: bool) -> bool:
    """Whether values span so much that equal steps should multiply; of an axis also whether its own steps grow."""
    if not values or min(values) <= 0 or max(values) / min(values) < _FACTOR:
        return False
    points = sorted(set(values))
    steps = [after - before for before, after in pairwise(points)]
    return not in_order or any(after > _UNEVEN * before for before, after in pairwise(steps))
