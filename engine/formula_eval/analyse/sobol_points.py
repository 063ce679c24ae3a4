"""Points of a unit cube that fill it evenly: a Sobol sequence, scrambled by a seed, of as many dimensions as needed."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from formula_eval.evaluate.vector import Array

_BITS = 30  # of each coordinate


def sobol_points(power: int, dimensions: int, seed: int) -> Array:
    """2**power points, one column for each dimension, all strictly between 0 and 1.

    Of each column, every interval of length 2**-power holds exactly one point. Sobol' 1967; the first numbers of each
    direction, which are free, and a shift of all points come from the seed.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    directions = np.array([*islice(_directions(random), dimensions)])
    counted = np.arange(1 << power)[:, None]
    points = np.broadcast_to(random.integers(1 << _BITS, size=dimensions), (1 << power, dimensions))
    for bit in range(power):
        points = points ^ np.where(counted >> bit & 1, directions[:, bit], 0)
    return np.asarray((points + 0.5) / (1 << _BITS))


def _directions(random: np.random.Generator) -> Iterator[Sequence[int]]:
    """The bits that each digit of a point's number turns over, one dimension after the other."""
    yield [1 << _BITS - 1 - place for place in range(_BITS)]
    for degree, polynomial in _primitive_polynomials():
        odd = [2 * int(random.integers(1 << place)) + 1 for place in range(degree)]
        for place in range(degree, _BITS):
            before = odd[place - degree]
            found = before ^ before << degree
            for step in range(1, degree):
                if polynomial >> degree - step & 1:
                    found ^= odd[place - step] << step
            odd.append(found)
        yield [each << _BITS - 1 - place for place, each in enumerate(odd)]


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
