"""Builds the pictures of sensitivities, of an uncertain quantity and its causes, and of a front."""

from collections.abc import Sequence

from formula_eval.analyse.sensitivity import Sensitivity
from formula_eval.analyse.uncertainty import Spread
from formula_eval.export.plot import chart_data
from formula_eval.export.plot.style import words_of
from formula_eval.library import Library


def sensitivity_picture(found: Sensitivity, library: Library, top: int) -> chart_data.Picture:
    """A bar for each of the strongest inputs: by how many percent the quantity changes for one percent more."""
    words = words_of(library, "sensitivity")
    up, down = words.palette.series(1), words.palette.series(0)
    bars = tuple(
        chart_data.Bar(
            f"{each.name} {each.value}",
            each.elasticity,
            f"{each.elasticity:+.2f}",
            up if each.elasticity > 0 else down,
            words.text("up" if each.elasticity > 0 else "down"),
        )
        for each in found.influences[:top]
    )
    title = words.text("title", quantity=found.quantity.name, value=str(found.quantity))
    return chart_data.Picture(title, "", ((chart_data.BarChart("", chart_data.Scale(words.text("axis")), bars),),))


def uncertainty_picture(found: Spread, library: Library) -> chart_data.Picture:
    """How often the quantity has which value, and the share of its variance that each input brings."""
    words = words_of(library, "uncertainty")
    texts = {"value": str(found.median), "low": str(found.low), "high": str(found.high)}
    ends = [(float(each), str(each)) for each in (found.low, found.median, found.high)]
    total = sum(found.counts)
    spread = chart_data.Histogram(
        words.text("spread"),
        chart_data.Scale(found.median.name, found.median.quantity),
        chart_data.Scale(words.text("axis")),
        found.edges,
        tuple(100 * each / total for each in found.counts),
        words.palette.series(0),
        tuple(ends),
    )
    bars = tuple(
        chart_data.Bar(
            f"{each.name} {each.text}", 100 * each.total, f"{100 * each.total:.0f} %", words.palette.series(1)
        )
        for each in found.shares
    )
    shares = chart_data.BarChart(words.text("shares"), chart_data.Scale(words.text("share")), bars)
    title = words.text("title", quantity=found.median.name, **texts)
    return chart_data.Picture(title, "", ((spread,), (shares,)))


def front_picture(  # noqa: PLR0913, PLR0917 - what a front is
    library: Library,
    title: str,
    x: chart_data.Scale,
    y: chart_data.Scale,
    points: Sequence[tuple[str, float, float]],
    front: Sequence[int],
) -> chart_data.Picture:
    """Points, each a title and a place, of which those on the front, by their numbers, are joined and named."""
    words = words_of(library, "front")
    on, other = words.palette.series(1), words.palette.state("other")
    marks = tuple(
        chart_data.Point(name, right, up, on if number in front else other, "", 0.0)
        for number, (name, right, up) in enumerate(points)
    )
    ordered = tuple(sorted(front, key=lambda number: points[number][1]))
    return chart_data.Picture(title, "", ((chart_data.Front(words.text("title"), x, y, marks, ordered, on),),))
