"""Bounds every node over the declared ranges of all inputs, to find those that may lack a value or be negative."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.perturbation import domain_of, is_whole
from formula_eval.analyse.ranges.recording import Watch
from formula_eval.evaluate.bounds.box_operations import Bound, Boxes
from formula_eval.evaluate.bounds.choice_sets import ABSENT, Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.program import Program
from formula_eval.records.schema import InputSchema


class Open(NamedTuple):
    """The nodes not proven to always have a value, and those not proven to be never negative."""

    failing: frozenset[str]
    negative: frozenset[str]


def open_nodes(program: Program, inputs: Iterable[InputSchema]) -> Open:
    """Bound every node over the ranges of all inputs at once."""
    boxes = Boxes({each.name: _range(each) for each in inputs}, program.largest_divisor)
    failing: set[str] = set()
    negative: set[str] = set()

    def see(name: str, value: Bound) -> None:
        if np.any(boxes.failing):
            failing.add(name)
            boxes.failing = False
        least = value.low if isinstance(value, Interval) else value if isinstance(value, float) else 0.0
        if np.any(np.less(least, 0)):
            negative.add(name)

    with np.errstate(all="ignore"):
        program.vector(boxes, Watch(see, {}))
    return Open(frozenset(failing), frozenset(negative))


def _range(each: InputSchema) -> Bound:
    """The set of values of an input, with `absent` unless it has a default."""
    may_be_absent = not each.default
    if each.quantity.kind in ("choice", "flag"):
        bits = (1 << (len(each.quantity.words) or 2)) - 1
        return Words(np.array([bits | (ABSENT if may_be_absent else 0)]))
    low, high = domain_of(each)
    return Interval(np.array([low]), np.array([high]), np.array([may_be_absent]), whole=is_whole(each, 1.0))
