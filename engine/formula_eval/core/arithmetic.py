"""Adds numbers from left to right, so that the sum is the same to the last bit on every Python."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(numbers: Iterable[float]) -> float:
    """The sum, added from left to right as formulas are: the builtin `sum` compensates since Python 3.12."""
    return reduce(add, numbers, 0)
