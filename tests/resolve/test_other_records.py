"""`input rollout_hardware: hardware = hardware`: another record, and the one in use where the user says none."""

import pytest

from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.program import compile_program

ROOT = """
record hardware in hardware.toml as gpu
input other: hardware = hardware
input speed from hardware
input links = 0 from hardware
input cores = 2 * speed from hardware
input extra from hardware optional
time = 100 / speed
exchange = 12 / links
other_time = (time with hardware = other)
other_exchange = (exchange with hardware = other)
other_cores = (cores with hardware = other)
both = ((1 if given(extra) else 0) with hardware = other)
"""


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"speed": 10, "links": 4}, [10, 3, 20, 0]),
        ({"speed": 10, "links": 4, "extra": 1}, [10, 3, 20, 1]),
        ({"speed": 10, "links": 4, "extra": 1, "other": True, "other.speed": 50, "other.links": 6}, [2, 2, 100, 0]),
        ({"speed": 10, "other": True, "other.speed": 50, "other.links": 6, "other.extra": 1}, [2, 2, 100, 1]),
        ({"speed": 10, "links": 4, "cores": 7}, [10, 3, 7, 0]),
    ],
    ids=["the record in use", "what it gives", "another record", "what that gives", "no default of its own"],
)
def test_the_record_in_use_stands_for_the_other(
    graph: FormulaGraph, given: dict[str, float], values: list[float]
) -> None:
    wanted = ["other_time", "other_exchange", "other_cores", "both"]
    computed = compile_program(graph, wanted).evaluate(given)
    assert [computed[name] for name in wanted] == values
