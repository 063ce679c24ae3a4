"""Draws each kind of chart on axes of matplotlib: bars, lines and heat maps."""

import math

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.patches import Patch

from formula_eval.evaluate.display import shown_value
from formula_eval.export.plot.chart_data import BarChart, HeatMap, LineChart, Scale, StackedBar
from formula_eval.export.plot.draw.labels import Drawn, scaled
from formula_eval.export.plot.style import Look

_ROOM = 0.18  # beside the longest bar for its text, as a share of the axis
_WHOLE = 0.999  # from which share on a limit is the whole
COLUMNS = 4  # of the legend of a stack


def draw_bars(chart: BarChart, axes: Axes, look: Look) -> Drawn:
    """Horizontal bars, the first on top, each with its text at its end."""
    scaled(axes, "x", chart.x)
    places = range(len(chart.bars))
    values = [each.value for each in chart.bars]
    axes.barh(places, values, color=[each.colour for each in chart.bars], height=0.7)
    axes.set_yticks(places, [each.title for each in chart.bars], color=look.ink)
    axes.set_ylim(max(len(chart.bars), 2) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    low, high = min(0.0, *values), max(0.0, *values)
    room = _ROOM * ((high - low) or 1.0)
    axes.set_xlim(low - room if low < 0 else 0.0, high + room if high > 0 else 0.0)
    if low < 0:
        axes.axvline(0, color=look.soft, linewidth=0.8)
    for place, each in enumerate(chart.bars):
        side = 1 if each.value >= 0 else -1
        axes.annotate(
            each.text,
            (each.value, place),
            (4 * side, 0),
            textcoords="offset points",
            va="center",
            ha="left" if side > 0 else "right",
            fontsize=8,
        )
    meanings = {each.meaning: each.colour for each in chart.bars if each.meaning}
    return Drawn(axes, [Patch(color=colour, label=meaning) for meaning, colour in meanings.items()])


def draw_stack(chart: StackedBar, axes: Axes, look: Look) -> Drawn:
    """One bar of all parts with the line that they must not pass, and a legend of their sizes."""
    start = 0.0
    handles = []
    for each in chart.parts:
        axes.barh([0], [each.value], left=start, color=each.colour, height=1.0, edgecolor=look.ground, linewidth=1)
        handles.append(Patch(color=each.colour, label=f"{each.title} {each.text}"))
        start += each.value
    if chart.limit < start * _WHOLE:
        axes.axvline(chart.limit, color=look.ink, linewidth=1.2, linestyle=":")
    axes.set_xlim(0, max(start, chart.limit) * 1.002)
    axes.set_ylim(-0.5, 0.5)
    axes.set_axis_off()
    title = f"{chart.title}: {chart.remark}" if chart.remark else chart.title
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    figure = axes.get_figure()
    if figure is not None:
        figure.legend(handles=handles, loc="outside lower left", ncols=COLUMNS)
    return Drawn(axes)


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
