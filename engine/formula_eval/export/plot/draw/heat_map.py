"""Draws a value over two inputs as a heat map on axes of matplotlib."""

import math

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

from formula_eval.evaluate.display import shown_value
from formula_eval.export.plot.chart_data import HeatMap, Scale
from formula_eval.export.plot.draw.labels import Drawn, scaled
from formula_eval.export.plot.style import Look


def draw_heat_map(chart: HeatMap, axes: Axes, look: Look) -> Drawn:
    """A cell for each combination, all as large as each other; what has no value is empty."""
    cells = [[math.nan if each is None else each for each in row] for row in chart.cells]
    shades = LinearSegmentedColormap.from_list("heat", list(look.heat)).with_extremes(bad=look.ground)
    norm = LogNorm() if chart.value.logarithmic else Normalize()
    image = axes.imshow(cells, origin="lower", aspect="auto", cmap=shades, norm=norm)
    axes.grid(visible=False)
    _named(axes, "x", chart.x, chart.xs)
    _named(axes, "y", chart.y, chart.ys)
    figure = axes.get_figure()
    if figure is not None:
        bar = figure.colorbar(image, ax=axes, pad=0.02)
        bar.outline.set_visible(False)
        scaled(bar.ax, "y", chart.value._replace(title=""))
    return Drawn(axes)


def _named(axes: Axes, which: str, scale: Scale, points: tuple[float, ...]) -> None:
    texts = [shown_value(each, scale.quantity) for each in points]
    (axes.set_xticks if which == "x" else axes.set_yticks)(range(len(points)), texts)
    (axes.set_xlabel if which == "x" else axes.set_ylabel)(scale.title)
