"""Draws rooflines, fronts and histograms on axes of matplotlib."""

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from formula_eval.export.plot.chart_data import Front, Histogram, Roofline
from formula_eval.export.plot.draw.labels import Drawn, scaled
from formula_eval.export.plot.style import Look

_STEPS = 200  # along a roof
_SMALLEST, _LARGEST = 18.0, 260.0  # the areas of marks, in square points


def draw_roofline(chart: Roofline, axes: Axes, look: Look) -> Drawn:
    """Kernels beneath the peaks and the bandwidth, larger where they take longer; names where there is room."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    top, bandwidth = max(value for _, value in chart.peaks), chart.slope[1]
    xs = [*(each.x for each in chart.points), top / bandwidth]
    low, high = min(xs) / 2.5, max(xs) * 4
    ys = [each.y for each in chart.points]
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
    areas = [_SMALLEST + _LARGEST * each.share for each in chart.points]
    axes.scatter(
        [each.x for each in chart.points],
        ys,
        s=areas,
        c=[each.colour for each in chart.points],
        edgecolors=look.ground,
        linewidths=0.8,
        zorder=3,
    )
    meanings = {each.meaning: each.colour for each in chart.points}
    marks = [Line2D([], [], color=colour, marker="o", ls="", label=word) for word, colour in meanings.items()]
    slope = Line2D([], [], color=look.soft, linewidth=1.4, label=chart.slope[0])
    scaled(axes, "x", chart.x)
    scaled(axes, "y", chart.y)
    ordered = sorted(chart.points, key=lambda each: -each.share)
    names = [(each.title, each.x, each.y) for each in ordered]
    ridge = top / bandwidth
    steps = [low * (high / low) ** (each / _STEPS) for each in range(_STEPS)]
    roof = [(x, min(x, ridge) * bandwidth) for x in steps]
    return Drawn(axes, [slope, *marks], names, texts, roof)


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
        [each.x for each in points], [each.y for each in points], s=22, c=[each.colour for each in points], zorder=2
    )
    front = [points[number] for number in chart.front]
    axes.plot([each.x for each in front], [each.y for each in front], color=chart.colour, linewidth=1.2, zorder=1)
    axes.margins(0.12)
    scaled(axes, "x", chart.x)
    scaled(axes, "y", chart.y)
    return Drawn(axes, names=[(each.title, each.x, each.y) for each in front if each.title])
