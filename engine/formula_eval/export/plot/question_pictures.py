"""Builds the pictures of what moves a quantity, of its spread, and of a search with its front."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.analyse.influences import Sensitivity
from formula_eval.analyse.search.outcome import Outcome
from formula_eval.analyse.sobol_indices import Spread
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep_frame import batch_rows
from formula_eval.core.diagnostic import refuse
from formula_eval.core.namespace import in_words
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plot import chart_data
from formula_eval.export.plot.style import words_of
from formula_eval.library import Library
from formula_eval.records.record import NOTHING


def sensitivity_picture(
    found: Sensitivity, library: Library, top: int, titles: Mapping[str, str] = NOTHING
) -> chart_data.Picture:
    """A bar for each of the strongest inputs: by how many percent the quantity changes for one percent more.

    `titles` are what people call quantities.
    """
    words = words_of(library, "sensitivity")
    up, down = words.palette.series(1), words.palette.series(0)
    bars = tuple(
        chart_data.Bar(
            f"{influence.name} {influence.value}",
            influence.elasticity,
            f"{influence.elasticity:+.2f}",
            up if influence.elasticity > 0 else down,
            words.text("up" if influence.elasticity > 0 else "down"),
        )
        for influence in found.influences[:top]
    )
    called = titles.get(found.quantity.name, found.quantity.name)
    title = words.text("title", quantity=called, value=str(found.quantity))
    return chart_data.Picture(title, "", ((chart_data.BarChart("", chart_data.Scale(words.text("axis")), bars),),))


def uncertainty_picture(found: Spread, library: Library) -> chart_data.Picture:
    """How often the quantity has which value, and the share of its variance that each input brings."""
    words = words_of(library, "uncertainty")
    texts = {"value": str(found.median), "low": str(found.low), "high": str(found.high)}
    ends = [(float(value), str(value)) for value in (found.low, found.median, found.high)]
    total = sum(found.counts)
    spread = chart_data.Histogram(
        words.text("spread"),
        chart_data.Scale(found.median.name, found.median.quantity),
        chart_data.Scale(words.text("axis")),
        found.edges,
        tuple(100 * count / total for count in found.counts),
        words.palette.series(0),
        tuple(ends),
    )
    bars = tuple(
        chart_data.Bar(
            f"{share.name} {share.text}", 100 * share.total, f"{100 * share.total:.0f} %", words.palette.series(1)
        )
        for share in found.shares
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
        chart_data.Marker(name, right, up, on if number in front else other, "", 0.0)
        for number, (name, right, up) in enumerate(points)
    )
    ordered = tuple(sorted(front, key=lambda number: points[number][1]))
    return chart_data.Picture(title, "", ((chart_data.Front(words.text("title"), x, y, marks, ordered, on),),))


Row = Mapping[str, Any]
_WIDE = 20
_NAMED = 8  # of the front, at most


def search_picture(found: Outcome, titles: Mapping[str, str], evaluator: Evaluator) -> chart_data.Picture:
    """The configurations by the two quantities of the front; those on it are joined, some named by what varies there.

    Raises FormulaError where there is no front: the goal has none, bounds decided, or nothing was found.
    """
    if not found.group.front or not len(found.front.places) or not found.best:
        help_ = "A front is drawn of what was computed; --where and fewer values leave less to compute."
        raise refuse("nothing-to-draw", f"This search for `{found.goal.name}` has no front to draw", help=help_)
    own = {**titles, **{shown.name: shown.title for shown in found.group.shows}}
    by_name = {column.name: column for column in found.columns}
    x, y = (by_name[goal.name] for goal in found.group.front)
    front, leaders = (batch_rows(batch, found.columns) for batch in (found.front, found.leaders))
    places = {(row[x.name], row[y.name]) for row in front}
    others = [row for row in leaders if (row[x.name], row[y.name]) not in places]
    step = -(-len(front) // _NAMED)
    varied = [
        column for column in found.columns if column.is_axis and len({row[column.name] for row in front[::step]}) > 1
    ]
    names = (_named(row, varied) if not place % step else "" for place, row in enumerate(front))
    points = [(name, row[x.name], row[y.name]) for name, row in zip(names, front, strict=True)]
    points += [("", row[x.name], row[y.name]) for row in others]
    right, up = (
        chart_data.Scale(
            own.get(column.name, column.name), column.quantity, _is_wide([float(point[place]) for point in points])
        )
        for place, column in ((1, x), (2, y))
    )
    axes = [column.name for column in found.columns if column.is_axis]
    asked = chart_data.asked_title(found.best.question, evaluator.schema, evaluator.givens(found.best.question), axes)
    sought = words_of(evaluator.library, "front").text("sought", quantity=found.goal.sought)
    return front_picture(evaluator.library, asked, right, up, points, range(len(front)))._replace(subtitle=sought)


def _named(row: Row, varied: list[Column]) -> str:
    return ", ".join(f"{in_words(column.name)} {shown_value(row[column.name], column.shown_as)}" for column in varied)


def _is_wide(values: Sequence[float]) -> bool:
    """Whether values that are all above 0 differ so much that equal steps had better multiply."""
    return min(values) > 0 and max(values) > _WIDE * min(values)
