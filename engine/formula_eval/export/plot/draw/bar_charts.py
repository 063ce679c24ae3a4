"""Draws bars, beside each other or stacked to a whole, on axes of matplotlib."""

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from formula_eval.export.plot.chart_data import BarChart, StackedBar
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
