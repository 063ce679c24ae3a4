"""A sequence of all hours of a year: summed from left to right in every program, not too deep for Python."""

import itertools
import math

import numpy as np
import pytest

from formula_eval import Formulas, load
from formula_eval.core.table import TableShape
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program

pytestmark = pytest.mark.slow

HOURS = 8760
ROOT = f'''"""A battery, hour by hour."""

input drawn = 0.1 in 0 .. 100
    "Energy drawn in an hour"

table hours for hour in 1 .. {HOURS}
    "Hours of a year"
    stored = clamp((previous.stored else 0) + (3 * drawn if hour % 24 > 8 and hour % 24 < 18 else -drawn), 0, 10)
        "Energy stored at the end of an hour"

stored = sum(each.stored for each in hours)
    "Energy stored at the end of all hours, summed"
    derived "the sum over hours"
    example drawn = 0 -> 0

empty = count(each.stored == 0 for each in hours)
    "Hours that end with an empty battery"
    derived "counted"
    example drawn = 0 -> {HOURS}
'''


@pytest.fixture(scope="module")
def battery(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("battery")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Battery"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


def by_hand(drawn: float) -> tuple[float, int]:
    kept, stored = [], 0.0
    for hour in range(1, HOURS + 1):
        change = 3 * drawn if 8 < hour % 24 < 18 else -drawn
        stored = min(max(stored + change, 0.0), 10.0)
        kept.append(stored)
    return list(itertools.accumulate(kept))[-1], kept.count(0.0)


def test_a_column_that_repeats_the_names_of_rows_is_left_out() -> None:
    hours = TableShape("hours", ("1", "2", "3"), ("hour", "stored"), indices=("hour",))
    names = {"hours.1.hour": 1.0, "hours.2.hour": 2.0, "hours.3.hour": math.nan, "hours.3.filled": 0.0}
    assert hours.beside_names({"hour", "stored"}, names) == ["stored"]
    assert hours.beside_names({"hour"}, names) == ["hour"]
    assert hours.beside_names({"hour", "stored"}, {**names, "hours.2.hour": 7200.0}) == ["hour", "stored"]
    grid = TableShape("grid", ("1x1", "1x2"), ("year", "month"), indices=("year", "month"))
    assert grid.beside_names({"year", "month"}, {}) == ["year", "month"]


def test_a_year_of_hours_is_computed_as_by_hand(battery: Formulas) -> None:
    program = compile_program(battery.evaluator.graph, ["stored", "empty"])
    draws = [0.1, 0.7, 2.3]
    many = evaluate_many(program, {"drawn": np.array(draws)})
    one = [program.evaluate({"drawn": each}) for each in draws]
    expected = [by_hand(each) for each in draws]
    assert [(each["stored"], each["empty"]) for each in one] == expected
    assert list(zip(many["stored"].tolist(), many["empty"].tolist(), strict=True)) == expected
