"""Generates scrambled Sobol points, which fill a unit cube evenly, in any number of dimensions."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import numpy as np

from formula_eval.evaluate.vector import Array

_BITS = 30  # of each coordinate
_UNLIKE = 0.05  # at most so much may a column correlate with one before it
_TRIES = 40  # to find such a column; in few points of many dimensions there may be none


def sobol_points(power: int, dimensions: int, seed: int) -> Array:
    """2**power points, one column for each dimension, all strictly between 0 and 1.

    Of each column, every interval of length 2**-power holds exactly one point. Sobol' 1967; the first numbers of each
    direction, which are free, and a shift of all points come from the seed.
    """
    random = Random(seed)  # noqa: S311 - for points, not for secrets
    columns = _column(power, [1 << _BITS - 1 - place for place in range(_BITS)], random)[:, None]
    for degree, polynomial in islice(_primitive_polynomials(), dimensions - 1):
        for _ in range(_TRIES):
            column = _column(power, _direction(degree, polynomial, random), random)
            if np.abs((columns - 0.5).T @ (column - 0.5)).max() < _UNLIKE * len(column) / 12:
                break
        columns = np.column_stack([columns, column])
    return np.asarray(columns)


def _column(power: int, direction: Sequence[int], random: Random) -> Array:
    """One coordinate of each point: the digits of its number, each turning over some bits of a shift."""
    counted = np.arange(1 << power)
    points = np.full(1 << power, random.getrandbits(_BITS))
    for bit in range(power):
        points ^= np.where(counted >> bit & 1, direction[bit], 0)
    return np.asarray((points + 0.5) / (1 << _BITS))


def _direction(degree: int, polynomial: int, random: Random) -> Sequence[int]:
    """The bits that each digit of a point's number turns over."""
    odd = [2 * random.getrandbits(place) + 1 for place in range(degree)]
    for place in range(degree, _BITS):
        before = odd[place - degree]
        found = before ^ before << degree
        for step in range(1, degree):
            if polynomial >> degree - step & 1:
                found ^= odd[place - step] << step
        odd.append(found)
    return [each << _BITS - 1 - place for place, each in enumerate(odd)]


def _primitive_polynomials() -> Iterator[tuple[int, int]]:
    """Degree and coefficients, as bits, of the polynomials modulo 2 of which x takes the longest way back to 1."""
    degree = 1
    while True:
        for polynomial in range((1 << degree) + 1, 2 << degree, 2):
            power, steps = 1, 0
            while steps == 0 or power > 1:
                power <<= 1
                power ^= polynomial * (power >> degree)
                steps += 1
            if steps == (1 << degree) - 1:
                yield degree, polynomial
        degree += 1
