"""Finds where along an input something changes: the nearest value that gives a wanted number, the end of what holds."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from formula_eval.analyse.perturbation import Neighbourhood, Perturbation
from formula_eval.evaluate.vector import Array

_OCTAVES, _PER_OCTAVE = 12, 4  # how far around its value an input is looked at, and how finely
_HALVINGS = 46


def points_around(here: float, low: float, high: float) -> Array:
    """Geometrically spaced values around this one, within a range; includes its ends where they are near."""
    factors = 2.0 ** (np.arange(-_OCTAVES * _PER_OCTAVE, _OCTAVES * _PER_OCTAVE + 1) / _PER_OCTAVE)
    points = here * factors
    inside = points[(points >= low) & (points <= high)]
    ends = [number for number in (low, high) if points.min() < number < points.max() and number > 0]
    return np.unique(np.append(inside, ends))


def crossings(
    around: Neighbourhood,
    quantity: str,
    wanted: float,
    inputs: Mapping[str, tuple[float, float, float]],
) -> dict[str, float]:
    """For each input (its value here, its least and greatest) the nearest value that gives the wanted number.

    Inputs without such a value, within a factor of 4,096 around theirs, are left out. A jump over the wanted number
    counts: the value is where it happens.
    """
    points = {name: points_around(*each) for name, each in inputs.items()}
    changes = [Perturbation(name, float(value)) for name, values in points.items() for value in values]
    if not changes:
        return {}
    found = around.outcomes(changes)[quantity] - wanted
    brackets: dict[str, tuple[float, float, float]] = {}
    start = 0
    for name, values in points.items():
        gaps = found[start : start + len(values)]
        start += len(values)
        nearest = _nearest_bracket(values, gaps, inputs[name][0])
        if nearest is not None:
            brackets[name] = nearest
    return _bisected(around, quantity, wanted, brackets)


def _nearest_bracket(values: Array, gaps: Array, here: float) -> tuple[float, float, float] | None:
    """The neighbouring points between which the gap changes its sign, nearest to where the input is."""
    signs = np.sign(gaps)
    changing = np.flatnonzero(np.isfinite(gaps[1:]) & np.isfinite(gaps[:-1]) & (signs[1:] != signs[:-1]))
    if not len(changing):
        return None
    middle = np.abs(np.log(values[changing] * values[changing + 1]) / 2 - math.log(here))
    place = int(changing[int(np.argmin(middle))])
    return float(values[place]), float(values[place + 1]), float(signs[place])


def _bisected(
    around: Neighbourhood, quantity: str, wanted: float, brackets: Mapping[str, tuple[float, float, float]]
) -> dict[str, float]:
    """Bisects the brackets of all inputs at once."""
    lows, highs, signs = np.array([*brackets.values()]).reshape(-1, 3).T

    def is_low(middles: Array) -> Array:
        changes = [Perturbation(*pair) for pair in zip(brackets, middles.tolist(), strict=True)]
        found: Array = np.sign(around.outcomes(changes)[quantity] - wanted) == signs
        return found

    _, ends = bisected(lows, highs, is_low, lambda low, high: np.sqrt(low * high), _HALVINGS)
    return dict(zip(brackets, ends.tolist(), strict=True))


def bisected(
    inside: Array,
    outside: Array,
    is_inside: Callable[[Array], Array],
    middle_of: Callable[[Array, Array], Array],
    most: int,
) -> tuple[Array, Array]:
    """The last values inside and the first outside between each pair of ends, all at once, halved so often at most."""
    for _ in range(most if len(inside) else 0):
        middle = middle_of(inside, outside)
        if ((middle == inside) | (middle == outside)).all():
            break
        held = is_inside(middle)
        inside, outside = np.where(held, middle, inside), np.where(held, outside, middle)
    return inside, outside
