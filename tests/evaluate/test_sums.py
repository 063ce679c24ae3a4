"""Numbers are added from left to right, whatever the `sum` of this Python does with their last bits."""

from formula_eval.core.arithmetic import added
from formula_eval.core.expression import Call, Number, Reference
from formula_eval.evaluate.subexpression import value_of

TENTHS = [0.1] * 10
LEFT_TO_RIGHT = 0.9999999999999999


def test_added() -> None:
    assert added(TENTHS) == LEFT_TO_RIGHT
    assert added(iter([2.0**53, 1.0, 1.0])) == 2.0**53
    assert added([]) == 0


def test_a_sum_of_formulas() -> None:
    terms = tuple(Reference(f"x{place}") for place in range(len(TENTHS)))
    numbers = {f"x{place}": value for place, value in enumerate(TENTHS)}
    assert value_of(Call("sum", terms), numbers, {}) == LEFT_TO_RIGHT
    assert value_of(Call("sum", (*terms, Number("0"))), numbers, {}) == LEFT_TO_RIGHT
