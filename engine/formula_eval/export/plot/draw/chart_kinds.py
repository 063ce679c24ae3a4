"""Draws each kind of chart on axes of matplotlib: bars, lines, heat maps, rooflines, fronts and histograms."""

import math

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from formula_eval.evaluate.display import shown_value
from formula_eval.export.plot.chart_data import (
    BarChart,
    Curve,
    Front,
    HeatMap,
    Histogram,
    LineChart,
    Roofline,
    Scale,
    StackedBar,
)
from formula_eval.export.plot.draw.labels import Drawn, scaled
from formula_eval.export.plot.style import Look

_ROOM = 0.18  # beside the longest bar for its text, as a share of the axis
_NEAR = 2  # how many times what lines reach a limit may be for a chart to reach up to it
_WHOLE = 0.999  # from which share on a limit is the whole
COLUMNS = 4  # of the legend of a stack
_MOST_MARKED = 40
_ASIDE = 0.08  # between the points of two lines over the same word
_STEPS = 200  # along a roof
_THIN, _WIDER = 1.5, 2.5  # points of a line, and more of it for each that lies upon it
_SAME = 0.005  # by how much lines differ that look like one
# The dash of the lines of a style, their mark and its size in points: one lies visibly around another.
_LINE_STYLES = (("-", "o", 4), ("--", "s", 7), ("-.", "D", 9), (":", "^", 11))
_SMALLEST, _LARGEST = 18.0, 260.0  # the areas of marks, in square points
_POINT = 22.0  # of those of a front


def draw_bars(chart: BarChart, axes: Axes, look: Look) -> Drawn:
    """Horizontal bars, the first on top, each with its text at its end."""
    scaled(axes, "x", chart.x)
    places = range(len(chart.bars))
    values = [bar.value for bar in chart.bars]
    axes.barh(places, values, color=[bar.colour for bar in chart.bars], height=0.7)
    axes.set_yticks(places, [bar.title for bar in chart.bars], color=look.ink)
    axes.set_ylim(max(len(chart.bars), 2) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    low, high = min(0.0, *values), max(0.0, *values)
    room = _ROOM * ((high - low) or 1.0)
    axes.set_xlim(low - room if low < 0 else 0.0, high + room if high > 0 else 0.0)
    if low < 0:
        axes.axvline(0, color=look.soft, linewidth=0.8)
    for place, bar in enumerate(chart.bars):
        side = 1 if bar.value >= 0 else -1
        axes.annotate(
            bar.text,
            (bar.value, place),
            (4 * side, 0),
            textcoords="offset points",
            va="center",
            ha="left" if side > 0 else "right",
            fontsize=8,
        )
    meanings = {bar.meaning: bar.colour for bar in chart.bars if bar.meaning}
    return Drawn(axes, [Patch(color=colour, label=meaning) for meaning, colour in meanings.items()])


def draw_stack(chart: StackedBar, axes: Axes, look: Look) -> Drawn:
    """One bar of all parts with the line that they must not pass, and a legend of their sizes."""
    start = 0.0
    handles = []
    for part in chart.parts:
        axes.barh([0], [part.value], left=start, color=part.colour, height=1.0, edgecolor=look.ground, linewidth=1)
        handles.append(Patch(color=part.colour, label=f"{part.title} {part.text}"))
        start += part.value
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
    cells = [[math.nan if number is None else number for number in row] for row in chart.cells]
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
    texts = [shown_value(point, scale.quantity) for point in points]
    (axes.set_xticks if which == "x" else axes.set_yticks)(range(len(points)), texts)
    (axes.set_xlabel if which == "x" else axes.set_ylabel)(scale.title)


def draw_lines(chart: LineChart, axes: Axes, look: Look) -> Drawn:
    """Each line with its points, broken where a configuration has no value; points alone over words.

    A line that others cover is wider than these.
    """
    is_marked = len(chart.xs) <= _MOST_MARKED
    handles = []
    for number, line in enumerate(chart.lines):
        aside = _ASIDE * (number - (len(chart.lines) - 1) / 2) if chart.words else 0.0
        ys = [math.nan if each is None else each for each in line.ys]
        dash, mark, size = _LINE_STYLES[line.style]
        handles += axes.plot(
            [x + aside for x in chart.xs],
            ys,
            ls="none" if chart.words else dash,
            linewidth=_THIN + _WIDER * sum(_covers(curve, line) for curve in chart.lines[number + 1 :]),
            marker=mark if is_marked else "",
            markerfacecolor="none" if line.style else line.colour,
            color=line.colour,
            label=line.title,
            ms=size,
        )
    scaled(axes, "y", chart.y)
    scaled(axes, "x", chart.x, chart.xs if len(chart.xs) <= _MOST_MARKED else ())
    if chart.words:
        axes.set_xticks(list(chart.xs), list(chart.words))
        axes.margins(x=0.15)
    values = [each for line in chart.lines for each in line.ys if each is not None]
    if not chart.y.logarithmic and min(values) >= 0:
        near = [value for _, value in chart.limits if value < _NEAR * max(values)]
        axes.set_ylim(0, (1.12 if near else 1.06) * max([*values, *near]) or 1.0)  # room for the text of a limit
    texts = [_limit(chart, axes, text, value, look) for text, value in chart.limits]
    return Drawn(axes, handles if len(chart.lines) > 1 else (), texts=[text for text in texts if text])


def _covers(one: Curve, other: Curve) -> bool:
    """Whether a line lies upon one of another colour wherever both have a value."""
    both = [(a, b) for a, b in zip(one.ys, other.ys, strict=True) if a is not None and b is not None]
    return one.colour != other.colour and all(math.isclose(a, b, rel_tol=_SAME) for a, b in both)


def _limit(chart: LineChart, axes: Axes, text: str, value: float, look: Look) -> Text | None:
    """Draw a height that lines had better stay beneath, where it lies among them; its text where they are farther."""
    low, high = axes.get_ylim()
    if not low < value < high:
        return None
    axes.axhline(value, color=look.ink, linewidth=1, ls=":")
    half = (len(chart.xs) + 1) // 2
    left, right = (
        min((abs(y - value) for line in chart.lines for y in line.ys[part] if y is not None), default=math.inf)
        for part in (slice(half), slice(-half, None))
    )
    return axes.annotate(
        text,
        (0.99 if right > left else 0.01, value),
        (0, 2),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right" if right > left else "left",
        fontsize=8,
        color=look.ink,
    )


def draw_roofline(chart: Roofline, axes: Axes, look: Look) -> Drawn:
    """Kernels beneath the peaks and the bandwidth, larger where they take longer; names where there is room."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    top, bandwidth = max(value for _, value in chart.peaks), chart.slope[1]
    xs = [*(point.x for point in chart.points), top / bandwidth]
    low, high = min(xs) / 2.5, max(xs) * 4
    ys = [point.y for point in chart.points]
    axes.set_xlim(low, high)
    axes.set_ylim(min(*ys, top) / 2.5, top * 3)
    axes.plot([low, top / bandwidth], [low * bandwidth, top], color=look.soft, linewidth=1.4)
    texts = []
    for number, (title, value) in enumerate(chart.peaks):
        axes.plot([value / bandwidth, high], [value, value], color=look.soft, linewidth=1.4, ls="--" if number else "-")
        place, align = ((0, 4), "bottom") if number == 0 else ((0, -4), "top")
        texts.append(
            axes.annotate(title, (high, value), place, textcoords="offset points", ha="right", va=align, fontsize=8)
        )
    areas = [_SMALLEST + _LARGEST * point.share for point in chart.points]
    axes.scatter(
        [point.x for point in chart.points],
        ys,
        s=areas,
        c=[point.colour for point in chart.points],
        edgecolors=look.ground,
        linewidths=0.8,
        zorder=3,
    )
    meanings = {point.meaning: point.colour for point in chart.points}
    marks = [Line2D([], [], color=colour, marker="o", ls="", label=word) for word, colour in meanings.items()]
    slope = Line2D([], [], color=look.soft, linewidth=1.4, label=chart.slope[0])
    scaled(axes, "x", chart.x)
    scaled(axes, "y", chart.y)
    ordered = sorted(chart.points, key=lambda marker: -marker.share)
    names = [(marker.title, marker.x, marker.y) for marker in ordered]
    ridge = top / bandwidth
    steps = [low * (high / low) ** (each / _STEPS) for each in range(_STEPS)]
    roof = [(x, min(x, ridge) * bandwidth) for x in steps]
    sizes = [(point.x, point.y, math.sqrt(area)) for point, area in zip(chart.points, areas, strict=True)]
    return Drawn(axes, [slope, *marks], names, texts, roof, sizes)


def draw_histogram(chart: Histogram, axes: Axes, look: Look) -> Drawn:
    """How often each value is; the marked ones are lines with their texts above."""
    scaled(axes, "x", chart.x)
    scaled(axes, "y", chart.y)
    axes.stairs(chart.counts, chart.edges, fill=True, color=chart.colour, alpha=0.75)
    top = max(chart.counts)
    axes.set_ylim(0, top * 1.2)
    for value, _ in chart.marks:
        axes.plot([value, value], [0, top * 1.04], color=look.ink, linewidth=1, ls=":")
    return Drawn(axes, names=[(text, value, top * 1.06) for value, text in chart.marks])


def draw_front(chart: Front, axes: Axes, look: Look) -> Drawn:
    """All points, those of the front joined by steps and named where there is room."""
    del look
    points = chart.points
    axes.scatter(
        [point.x for point in points],
        [point.y for point in points],
        s=_POINT,
        c=[point.colour for point in points],
        zorder=2,
    )
    front = [points[number] for number in chart.front]
    axes.plot(
        [marker.x for marker in front], [marker.y for marker in front], color=chart.colour, linewidth=1.2, zorder=1
    )
    axes.margins(0.12)
    scaled(axes, "x", chart.x)
    scaled(axes, "y", chart.y)
    names = [(marker.title, marker.x, marker.y) for marker in reversed(front) if marker.title]
    return Drawn(axes, names=names, marks=[(point.x, point.y, math.sqrt(_POINT)) for point in points])
