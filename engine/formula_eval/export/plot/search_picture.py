"""Builds the picture of a search: its front, and the best of the other configurations around it."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.analyse.search.outcome import Outcome
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.row_table import batch_rows
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.display import shown_value
from formula_eval.export.plot import chart_data
from formula_eval.export.plot.question_pictures import front_picture
from formula_eval.library import Library

Row = Mapping[str, Any]
_WIDE = 20
_NAMED = 8  # of the front, at most


def search_picture(found: Outcome, titles: Mapping[str, str], library: Library) -> chart_data.Picture:
    """The configurations by the two quantities of the front; those on it are joined, some named by what varies there.

    Raises FormulaError where there is no front: the goal has none, bounds decided, or nothing was found.
    """
    if not found.group.front or not len(found.front.places):
        help_ = "A front is drawn of what was computed; --where and fewer values leave less to compute."
        raise refuse("nothing-to-draw", f"This search for `{found.goal.name}` has no front to draw", help=help_)
    own = {**titles, **{each.name: each.title for each in found.group.shows}}
    by_name = {each.name: each for each in found.columns}
    x, y = (by_name[goal.name] for goal in found.group.front)
    front, leaders = (batch_rows(each, found.columns) for each in (found.front, found.leaders))
    places = {(row[x.name], row[y.name]) for row in front}
    others = [row for row in leaders if (row[x.name], row[y.name]) not in places]
    varied = [each for each in found.columns if each.is_axis and len({row[each.name] for row in front}) > 1]
    step = -(-len(front) // _NAMED)
    names = (_named(row, varied) if not place % step else "" for place, row in enumerate(front))
    points = [(name, row[x.name], row[y.name]) for name, row in zip(names, front, strict=True)]
    points += [("", row[x.name], row[y.name]) for row in others]
    right, up = (
        chart_data.Scale(
            own.get(each.name, each.name), each.quantity, _is_wide([float(point[place]) for point in points])
        )
        for place, each in ((1, x), (2, y))
    )
    return front_picture(library, found.goal.name, right, up, points, range(len(front)))


def _named(row: Row, varied: list[Column]) -> str:
    shown = ((each.name, row[each.name], each.quantity.plain() if each.is_count else each.quantity) for each in varied)
    return ", ".join(f"{name} {shown_value(value, quantity)}" for name, value, quantity in shown)


def _is_wide(values: Sequence[float]) -> bool:
    """Whether values that are all above 0 differ so much that equal steps had better multiply."""
    return min(values) > 0 and max(values) > _WIDE * min(values)
