"""What other tools miss stands beside what we miss on the points of the same subset."""

import pytest

from formula_eval.analyse.validate.points import read_points
from formula_eval.analyse.validate.validation import validation_of


def test_peers(toy, point, written):
    points = [
        point("Paper 1", {"iteration_time_s": 10.0}, schedule="plain"),
        point("Nobody", {"iteration_time_s": 32.0}, model={"depth": 4}),
        point("Nobody", {"iteration_time_s": 8.0}, model="none"),
    ]
    papers, deep = validation_of(toy, read_points(written(points))).peers
    assert (papers.tool, papers.n, papers.mean, papers.median) == ("other", 7, 12.5, 9)
    assert (papers.ours.n, papers.ours.mean) == (1, pytest.approx(0.2))
    assert (deep.ours.n, deep.ours.mean) == (1, pytest.approx(0.5))
