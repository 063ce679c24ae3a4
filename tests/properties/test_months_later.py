"""Dates that move by months of the calendar are those of Python's own calendar, in every program."""

from calendar import monthrange
from datetime import datetime, timedelta
from fractions import Fraction

import numpy as np
from hypothesis import given, strategies as st

from formula_eval.core import expression as e
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.bounds.box_operations import Boxes
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.many_digits import ManyDigits
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.vector import Lanes
from oracle import Oracle
from properties.test_notations_agree import graph_of

GRAPH = graph_of(e.Call("months_later", (e.Reference("a"), e.Reference("b"))))
PROGRAM = compile_program(GRAPH, ["cost"])
START, FIRST, LAST = (datetime(year, 1, 1) for year in (1970, 1800, 2600))  # noqa: DTZ001 - days of no zone
moments = st.datetimes(FIRST, LAST).map(lambda each: each.replace(microsecond=0))
months = st.integers(-900, 900)


def _seconds(moment: datetime) -> float:
    return float((moment - START) // timedelta(seconds=1))


@given(moments, months)
def test_every_program_moves_as_the_calendar_does(moment: datetime, count: int) -> None:
    year, month = divmod(12 * moment.year + moment.month - 1 + count, 12)
    there = moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
    givens, expected = {"a": _seconds(moment), "b": float(count)}, _seconds(there)
    assert PROGRAM.evaluate(givens)["cost"] == expected
    lanes = {name: np.array([each]) for name, each in givens.items()}
    assert evaluate_many(PROGRAM, lanes)["cost"].tolist() == [expected]
    assert ManyDigits(PROGRAM).evaluate(givens)["cost"] == expected
    assert float(Oracle(GRAPH).value("cost", {"a": Fraction(givens["a"]), "b": count})) == expected


@given(st.tuples(moments, moments).map(sorted), st.tuples(months, months).map(sorted), st.floats(0, 1), st.floats(0, 1))
def test_bounds_hold_what_lies_between_their_ends(
    dates: list[datetime], counts: list[int], share: float, part: float
) -> None:
    low, high = map(_seconds, dates)
    ends = {"a": Interval(np.array([low]), np.array([high])), "b": Interval(*(np.array([float(n)]) for n in counts))}
    bound = Boxes({}, lambda n, _: n).months_later(ends["a"], ends["b"])
    date, count = low + share * (high - low), counts[0] + part * (counts[1] - counts[0])
    found = Lanes.months_later(np.array([date]), np.array([count]))
    assert bound.low <= found <= bound.high
