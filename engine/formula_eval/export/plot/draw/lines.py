"""Draws lines over one input on axes of matplotlib."""

import math

from matplotlib.axes import Axes

from formula_eval.export.plot.chart_data import LineChart
from formula_eval.export.plot.draw.labels import Drawn, scaled
from formula_eval.export.plot.style import Look

_MOST_MARKED = 40
_ASIDE = 0.08  # between the points of two lines over the same word


def draw_lines(chart: LineChart, axes: Axes, look: Look) -> Drawn:
    """Each line with its points, broken where a configuration has no value; points alone over words."""
    del look
    joined = "none" if chart.words else "-"
    marked = "o" if len(chart.xs) <= _MOST_MARKED else ""
    handles = []
    for number, line in enumerate(chart.lines):
        aside = _ASIDE * (number - (len(chart.lines) - 1) / 2) if chart.words else 0.0
        ys = [math.nan if each is None else each for each in line.ys]
        handles += axes.plot(
            [x + aside for x in chart.xs], ys, ls=joined, marker=marked, color=line.colour, label=line.title, ms=4
        )
    scaled(axes, "y", chart.y)
    scaled(axes, "x", chart.x, chart.xs if len(chart.xs) <= _MOST_MARKED else ())
    if chart.words:
        axes.set_xticks(list(chart.xs), list(chart.words))
        axes.margins(x=0.15)
    values = [each for line in chart.lines for each in line.ys if each is not None]
    if not chart.y.logarithmic and min(values) >= 0:
        axes.set_ylim(0, 1.06 * max(values) or 1.0)
    return Drawn(axes, handles if len(chart.lines) > 1 else ())
