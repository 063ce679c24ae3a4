"""Formats axes and places texts so that none hides another, by the boxes that the renderer gives them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator
from matplotlib.transforms import Bbox

from formula_eval.evaluate.display import shown_value
from formula_eval.export.plot.chart_data import Scale
from formula_eval.export.plot.style import Look

_TWO_DECADES = 100
_STEPS = 12  # points of a line from a mark to its name that are looked at
_MARK = 6.0  # points that a mark is wide where its chart does not say
_ROOF = 3  # pixels of a point of a line that names avoid
_LEADER = 6  # pixels from the rim of a mark from which on a line leads to its name
_APART = 2.0  # pixels between two labels
_DIRECTIONS = ((1, 0), (1, 1), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1), (-1, -1))
_DISTANCES = (4, 10, 18, 30, 45, 65, 90)  # pixels between the rim of a mark and its name


class Drawn(NamedTuple):
    """A chart on its axes: what a legend says of it, and the names of points that are still to be written.

    Names avoid the `texts` that stand already, the points of `lines`, and `marks`, each with its width in points.
    """

    axes: Axes
    handles: Sequence[Artist] = ()  # what the legend of the figure says
    names: Sequence[tuple[str, float, float]] = ()
    texts: Sequence[Text] = ()
    lines: Sequence[tuple[float, float]] = ()
    marks: Sequence[tuple[float, float, float]] = ()


def scaled(axes: Axes, which: str, scale: Scale, points: Sequence[float] = ()) -> None:
    """An axis with its title and its numbers as people read them; ticks at these points where they are given.

    What is drawn on a logarithmic axis stands there already.
    """
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xlabel if which == "x" else axes.set_ylabel)(scale.title)
    if scale.logarithmic:
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    if points:
        axis.set_ticks(list(points))
    elif not scale.logarithmic:
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    else:
        low, high = sorted(axes.get_xlim() if which == "x" else axes.get_ylim())
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < _TWO_DECADES else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: shown_value(float(value), scale.quantity)))
    axis.minorticks_off()


def thin_labels(figure: Figure) -> None:
    """Hide every label of an axis that would touch the one before it; the place of all else stays."""
    renderer = _renderer(figure)
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _thin([major_tick.label1 for major_tick in axis.get_major_ticks()], renderer)


def _thin(labels: Iterable[Text], renderer: Any) -> None:  # noqa: ANN401 - as below
    kept: list[Bbox] = []
    for label in labels:
        if label.get_visible() and label.get_text():
            box = label.get_window_extent(renderer)
            if any(_touch(box, other) for other in kept):
                label.set_visible(False)
            else:
                kept.append(box)


def _renderer(figure: Figure) -> Any:  # noqa: ANN401 - no type that matplotlib names
    canvas = figure.canvas
    figure.draw_without_rendering()
    return canvas.get_renderer() if isinstance(canvas, FigureCanvasAgg) else None  # type: ignore[no-untyped-call]


def _touch(one: Bbox, other: Bbox) -> bool:
    return bool(one.padded(_APART).overlaps(other))


def place_names(drawn: Drawn, look: Look) -> None:
    """Write each name beside its point, the first ones first, where it hides neither another nor a point.

    A name for which there is no room is left out.
    """
    axes = drawn.axes
    figure = axes.get_figure(root=True)
    if not drawn.names or figure is None:
        return
    renderer = _renderer(figure)
    inside = axes.get_window_extent(renderer)
    pixels = figure.dpi / 72
    widths = {(x, y): width * pixels for x, y, width in drawn.marks}
    marks = {place: _box(_pixels(axes, *place), width) for place, width in widths.items()}
    taken = [each.get_window_extent(renderer) for each in drawn.texts]
    taken += [_box(_pixels(axes, x, y), _ROOF) for x, y in drawn.lines]
    for name, x, y in drawn.names:
        mark, width = _pixels(axes, x, y), widths.get((x, y), _MARK * pixels)
        text = axes.annotate(name, (x, y), (0, 0), textcoords="offset points", va="bottom", fontsize=8, color=look.ink)
        size = text.get_window_extent(renderer)
        others = [*taken, *(box for place, box in marks.items() if place != (x, y))]
        free = (box for box in _around(mark, width / 2, size.width, size.height) if _within(box, inside))
        found = next((box for box in free if _is_free(box, mark, others, taken)), None)
        if found is None:
            text.remove()
            continue
        text.set_position(((found.x0 - mark[0]) / pixels, (found.y0 - mark[1]) / pixels))
        taken.append(found)
        if math.dist(_nearest(found, mark), mark) > width / 2 + _LEADER:
            axes.annotate(
                "",
                (x, y),
                _nearest(found, mark),
                xycoords="data",
                textcoords="figure pixels",
                arrowprops={"arrowstyle": "-", "color": look.soft, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3},
            )


def _is_free(box: Bbox, mark: tuple[float, float], others: Sequence[Bbox], taken: Sequence[Bbox]) -> bool:
    """Whether a box touches nothing, nor a line from it to its mark a text."""
    if any(_touch(box, other) for other in others):
        return False
    end = _nearest(box, mark)
    steps = [tuple(a + (b - a) * number / _STEPS for a, b in zip(mark, end, strict=True)) for number in range(_STEPS)]
    return not any(other.contains(*step) for other in taken if other.width > _ROOF for step in steps)


def _nearest(box: Bbox, mark: tuple[float, float]) -> tuple[float, float]:
    """The point of a box that is nearest to a mark."""
    return min(max(mark[0], box.x0), box.x1), min(max(mark[1], box.y0), box.y1)


def _pixels(axes: Axes, x: float, y: float) -> tuple[float, float]:
    """Where a point of the data stands in the picture."""
    right, up = axes.transData.transform((x, y)).tolist()
    return right, up


def _box(mark: Sequence[float], size: float) -> Bbox:
    return Bbox.from_bounds(mark[0] - size / 2, mark[1] - size / 2, size, size)


def _within(box: Bbox, inside: Bbox) -> bool:
    beside = inside.x0 <= box.x0 and box.x1 <= inside.x1
    return bool(beside and inside.y0 <= box.y0 and box.y1 <= inside.y1)


def _around(mark: tuple[float, float], rim: float, width: float, height: float) -> Iterator[Bbox]:
    """Boxes of this size beside a mark whose rim is so far from its middle, the nearest first."""
    for distance in _DISTANCES:
        for right, up in _DIRECTIONS:
            away = distance + (rim if not right * up else rim / math.sqrt(2))
            x = mark[0] + right * (away + width / 2) - width / 2
            y = mark[1] + up * (away + height / 2) - height / 2
            yield Bbox.from_bounds(x, y, width, height)
