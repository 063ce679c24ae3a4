"""Renders a picture as a figure of matplotlib in which no label hides another, and as the bytes of a file."""

import io
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from formula_eval.export.plot import chart_data
from formula_eval.export.plot.draw import chart_kinds
from formula_eval.export.plot.draw.labels import Drawn, place_names, thin_labels
from formula_eval.export.plot.style import Look

_WIDTH, _GAP = 10.0, 0.7  # inches
# Letters in a line of the whole picture, what a colour of a legend takes of them, and letters of the title of a chart.
_LETTERS, _SWATCH, _TITLE = 92, 8, 36
_DRAW: Mapping[type, Any] = {
    chart_data.LineChart: chart_kinds.draw_lines,
    chart_data.HeatMap: chart_kinds.draw_heat_map,
    chart_data.BarChart: chart_kinds.draw_bars,
    chart_data.StackedBar: chart_kinds.draw_stack,
    chart_data.Roofline: chart_kinds.draw_roofline,
    chart_data.Histogram: chart_kinds.draw_histogram,
    chart_data.Front: chart_kinds.draw_front,
}


def rendered(picture: chart_data.Picture, look: Look, kind: str) -> bytes:
    """The figure as SVG or PNG, the same bytes each time."""
    with rc_context(_settings(look)):
        held = io.BytesIO()
        # Without a date the same picture is the same file.
        metadata = {"Date": None, "Title": picture.title} if kind == "svg" else {"Title": picture.title}
        figure_of(picture, look).savefig(held, format=kind, metadata=metadata)
        return held.getvalue()


def figure_of(picture: chart_data.Picture, look: Look) -> Figure:
    """The figure with its labels where they do not hide each other."""
    heights = [max(_height(front) for front in row) for row in picture.rows]
    columns = max(map(len, picture.rows))
    with rc_context(_settings(look)):
        figure = Figure(figsize=(_WIDTH, sum(heights) + _GAP), layout="constrained", dpi=144)
        FigureCanvasAgg(figure)
        text = "\n".join(fill(each, _LETTERS) for each in (picture.title, picture.subtitle) if each)
        figure.suptitle(text, x=0.012, ha="left", fontsize=12, fontweight="bold")
        parts = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        drawn = []
        for part, row in zip(parts, picture.rows, strict=True):
            alone = isinstance(row[0], chart_data.StackedBar | chart_data.BarChart) and len(row) == 1
            places = part.subplots(1, 1 if alone else columns, squeeze=False)[0]
            drawn += [_draw(chart, axes, look) for chart, axes in zip(row, places, strict=False)]
            for axes in places[len(row) :]:
                axes.set_axis_off()
        _legend(figure, drawn)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for each in drawn:
            place_names(each, look)
        thin_labels(figure)
    return figure


def _draw(chart: chart_data.Chart, axes: Axes, look: Look) -> Drawn:
    axes.set_title(fill(chart.title, _TITLE, break_on_hyphens=False), loc="left", fontsize=10, fontweight="bold")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    found: Drawn = _DRAW[type(chart)](chart, axes, look)
    return found


def _legend(figure: Figure, drawn: Sequence[Drawn]) -> None:
    """What colours mean, once for all charts, beneath them."""
    handles = {str(handle.get_label()): handle for each in drawn for handle in each.handles}
    if len(handles) > 1:
        longest = max(map(len, handles))
        columns = min(len(handles), max(1, int(_LETTERS / (longest + _SWATCH))))
        figure.legend(handles=list(handles.values()), loc="outside lower left", ncols=columns)


def _height(chart: chart_data.Chart) -> float:
    """How many inches a chart needs."""
    match chart:
        case chart_data.StackedBar(parts=parts):
            return 0.95 + 0.2 * -(-len(parts) // chart_kinds.COLUMNS)
        case chart_data.BarChart(bars=bars):
            return 0.9 + 0.24 * max(len(bars), 2)
        case chart_data.Roofline() | chart_data.Front():
            return 4.2
    return 3.0


def _settings(look: Look) -> Any:  # noqa: ANN401 - matplotlib lists every key as a type
    return {
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "text.color": look.ink,
        "text.parse_math": False,
        "figure.facecolor": look.ground,
        "savefig.facecolor": look.ground,
        "axes.facecolor": look.ground,
        "axes.edgecolor": look.soft,
        "axes.labelcolor": look.soft,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.unicode_minus": False,
        "axes.titlepad": 8,
        "figure.constrained_layout.h_pad": 0.1,
        "figure.constrained_layout.w_pad": 0.12,
        "grid.color": look.grid,
        "grid.linewidth": 0.8,
        "xtick.color": look.soft,
        "ytick.color": look.soft,
        "xtick.minor.bottom": False,
        "ytick.minor.left": False,
        "legend.frameon": False,
        "legend.fontsize": 8.5,
        "svg.hashsalt": f"formula-eval {look.name}",
        "svg.fonttype": "path",
    }
