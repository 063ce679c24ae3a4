"""Bounds every node of a program over a whole grid, and finds which may fail and which inputs are given."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from formula_eval.evaluate.bounds.box_operations import Bound, Boxes
from formula_eval.evaluate.bounds.choice_sets import ABSENT, Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.bounds.program_bounds import held_bounds
from formula_eval.evaluate.program import Program


class Sure(NamedTuple):
    """Bounds that hold for a node everywhere; `value` is the one that it has in all configurations, else None.

    A word or a flag that varies lies between 0 and infinity. What may be absent or no number has no `Sure`, unless it
    is absent everywhere: its value is nan then.
    """

    low: float
    high: float
    value: float | None = None


class Facts(NamedTuple):
    """Bounds of each node, the nodes that may fail, and the inputs that all or only some configurations give."""

    sure: Mapping[str, Sure]
    may_fail: frozenset[str]
    everywhere: frozenset[str]
    somewhere: frozenset[str]


def node_facts(program: Program, given: Mapping[str, Any]) -> Facts:
    """The facts of a program's nodes; `given` are the values of its inputs, numbers or arrays, nan where absent."""
    absent = {name: np.isnan(np.asarray(given[name], float)) for name in program.inputs if name in given}
    everywhere = frozenset(name for name, each in absent.items() if not each.any())
    somewhere = frozenset(name for name, each in absent.items() if each.any() and not each.all())
    bounds = {name: _bound(kind, given[name]) for name, kind in program.inputs.items() if name in given}
    boxes = Boxes(held_bounds(program, bounds), program.largest_divisor, folds=True)
    noted = _Noted(boxes)
    with np.errstate(all="ignore"):
        program.vector(boxes, noted)
    return Facts(noted.sure, frozenset(noted.may_fail), everywhere, somewhere)


def _bound(kind: str, value: Any) -> Bound:  # noqa: ANN401 - a number or an array
    """The set of all values of an input, as one box."""
    numbers = np.asarray(value, float)
    absent = np.isnan(numbers)
    if not numbers.ndim or absent.all():
        return value if not numbers.ndim else np.nan
    present = numbers[~absent]
    if kind == "number":
        whole = bool((np.isfinite(present) & (np.floor(present) == present)).all())
        return Interval(
            present.min(keepdims=True), present.max(keepdims=True), absent.any(keepdims=True).ravel(), whole=whole
        )
    bits = np.bitwise_or.reduce(np.int64(1) << present.astype(np.int64))
    return Words(np.array([bits | ABSENT if absent.any() else bits]))


class _Noted(dict[str, Bound]):
    """Records the bounds of each node as soon as it is computed, since branches narrow values meanwhile."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__()
        self._boxes = boxes
        self.sure: dict[str, Sure] = {}
        self.may_fail: set[str] = set()

    def __setitem__(self, name: str, value: Bound) -> None:
        if np.any(self._boxes.failing):
            self.may_fail.add(name)
            self._boxes.failing = False
        else:
            self.sure.update((name, sure) for sure in _sure(value))


def _sure(value: Bound) -> Iterator[Sure]:
    """The bounds that hold for all of these values, if there are any."""
    match value:
        case Interval():
            low, high, absent = (float(np.ravel(each)[0]) for each in (value.low, value.high, value.absent))
            if not absent and low <= high:
                yield Sure(low, high, low if low == high else None)
        case Words():
            bits = int(np.ravel(value.bits)[0])
            if bits.bit_count() == 1:
                word = np.nan if bits == ABSENT else float(bits.bit_length() - 1)
                yield Sure(word, word, word)
            elif not bits & ABSENT:
                yield Sure(0.0, float(bits.bit_length()))
        case _:
            yield Sure(float(value), float(value), float(value))
