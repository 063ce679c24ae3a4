"""Holds the boxes of a grid that may still contain a better configuration, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from formula_eval.evaluate.vector import Array

Places = NDArray[np.int64]
_FEW = 16  # words, or numbers among which is 0
_LEAST = 1e-9  # how far two different places are apart


@dataclass(frozen=True, slots=True)
class OpenBoxes:
    """The first places of boxes, the places before which they end, and a lower bound of the value in each."""

    first: Places
    last: Places
    least: Array

    @classmethod
    def whole(cls, shape: tuple[int, ...]) -> "OpenBoxes":
        """All of a grid as one box."""
        last = np.array(shape, np.int64).reshape(1, -1)
        return cls(np.zeros_like(last), last, np.array([-np.inf]))

    def taken(self, which: Array) -> "OpenBoxes":
        """The boxes at these indices, or where a mask holds."""
        return OpenBoxes(self.first[which], self.last[which], self.least[which])

    def with_others(self, others: "OpenBoxes") -> "OpenBoxes":
        """These boxes and others."""
        return OpenBoxes(
            np.concatenate([self.first, others.first]),
            np.concatenate([self.last, others.last]),
            np.concatenate([self.least, others.least]),
        )

    def __len__(self) -> int:
        """How many boxes there are."""
        return len(self.least)

    @property
    def sizes(self) -> Array:
        """How many configurations each holds."""
        found: Array = np.prod(self.last - self.first, axis=1)
        return found

    def most_promising(self, count: int) -> tuple["OpenBoxes", "OpenBoxes"]:
        """The `count` boxes with the least lower bounds, and the others."""
        if count >= len(self):
            return self, self.taken(np.zeros(0, int))
        order = np.argpartition(self.least, count)
        return self.taken(order[:count]), self.taken(order[count:])

    def halves(self, weights: Array, along: Sequence[Array]) -> "OpenBoxes":
        """Both halves of each where its length times a weight is largest; weights all 0 count as 1.

        `along` says for each dimension how far from its first place every place lies.
        """
        rows = np.arange(len(self))
        weights = np.where(weights.any(axis=1, keepdims=True), weights, 1.0)
        ends = zip(along, self.last.T - 1, self.first.T, strict=True)
        lengths = np.stack([far[last] - far[first] for far, last, first in ends], axis=1)
        longest = np.argmax(lengths * weights, axis=1)
        middle = (self.first[rows, longest] + self.last[rows, longest]) // 2
        before, behind = self.last.copy(), self.first.copy()
        before[rows, longest], behind[rows, longest] = middle, middle
        return replace(self, last=before).with_others(replace(self, first=behind))

    def points(self, draw: np.random.Generator) -> Places:
        """One point of each at random, a row each."""
        return draw.integers(self.first, self.last)

    def all_points(self) -> Places:
        """All points of all boxes, a row each."""
        found = [
            np.stack([each.ravel() for each in np.meshgrid(*map(np.arange, first, last), indexing="ij")], axis=1)
            for first, last in zip(self.first, self.last, strict=True)
        ]
        return np.concatenate(found)


def how_far(values: Array) -> Array:
    """The distance of every value along a dimension from the first: in doublings, or by index where they are few.

    A time grows with the ratio of two numbers rather than with how many stand between them.
    """
    if (values > 0).all():
        doublings = np.log2(values)
    elif len(values) > _FEW:
        doublings = np.log2(1 + np.arange(len(values)))
    else:
        return np.arange(len(values), dtype=float)
    return np.concatenate([[0.0], np.cumsum(np.maximum(np.absolute(np.diff(doublings)), _LEAST))])
