"""Keeps the best few configurations and the Pareto front as values arrive."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.evaluate.vector import Array


class Ranked(NamedTuple):
    """Configurations: the values that rank each, the number of its region, and its own number there."""

    values: tuple[Array, ...]
    regions: Array
    codes: Array

    @classmethod
    def none(cls, quantities: int) -> "Ranked":
        """An empty ranking with so many quantities."""
        return cls(tuple(np.empty(0) for _ in range(quantities)), np.empty(0, np.int64), np.empty(0, np.int64))

    def taken(self, which: Array) -> "Ranked":
        """The configurations at these indices, or where a mask holds."""
        return Ranked(tuple(array[which] for array in self.values), self.regions[which], self.codes[which])

    def with_others(self, others: "Ranked") -> "Ranked":
        """These configurations and others."""
        values = tuple(np.concatenate(pair) for pair in zip(self.values, others.values, strict=True))
        return Ranked(
            values, np.concatenate([self.regions, others.regions]), np.concatenate([self.codes, others.codes])
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.codes)


class Leaders:
    """Keeps the best few configurations; breaks ties by the next quantity, then by the order of the space."""

    def __init__(self, most: int, largest: Sequence[bool]) -> None:
        """Keep at most `most` configurations; `largest` says for each ranking quantity whether larger is better."""
        self._most = most
        self._signs = [-1.0 if each else 1.0 for each in largest]
        self.found = Ranked.none(len(largest))

    def add(self, others: Ranked) -> None:
        """See further configurations."""
        others = others.taken(np.isfinite(others.values[0]))
        if len(self.found) == self._most:
            others = others.taken(self._signs[0] * others.values[0] <= self._signs[0] * self.found.values[0][-1])
        if not len(others):
            return
        both = self.found.with_others(others)
        ranks = [sign * array for sign, array in zip(self._signs, both.values, strict=True)]
        order = np.lexsort((both.codes, both.regions, *reversed(ranks)))
        self.found = both.taken(order[: self._most])


class ParetoFront:
    """Keeps the Pareto front: no other configuration is better in one of two quantities and as good in the other."""

    def __init__(self, largest: Sequence[bool]) -> None:
        """Seek the largest or the smallest of each of the two."""
        self._signs = [-1.0 if each else 1.0 for each in largest]
        self.found = Ranked.none(2)

    def add(self, others: Ranked) -> None:
        """See further configurations."""
        finite = np.isfinite(others.values[0]) & np.isfinite(others.values[1])
        both = self.found.with_others(others.taken(finite))
        if not len(both):
            return
        first, second = (sign * array for sign, array in zip(self._signs, both.values, strict=True))
        order = np.lexsort((both.codes, both.regions, second, first))
        least = np.minimum.accumulate(second[order])
        before = np.concatenate([[np.inf], least[:-1]])
        self.found = both.taken(order[second[order] < before])
