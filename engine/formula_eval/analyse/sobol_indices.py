"""Propagates uncertain inputs to a quantity: its median, its 5 to 95 % range, and which inputs matter."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.dask_workers import Folders, Task, made_by_workers
from formula_eval.analyse.identity import Identity
from formula_eval.analyse.sweep.block_values import BlockValues
from formula_eval.analyse.sweep.grid import Grid, GridBlock, GridDimension
from formula_eval.analyse.uncertain_inputs import Uncertain, drawn, parted
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.evaluate.vector import Array
from formula_eval.records.axis import Axis
from formula_eval.records.givens import Question

_LANES = 1 << 14  # draws that are computed at once
_PIECE = 1 << 14  # draws that a worker computes at once
_BINS = 40  # of a histogram
_TAIL = 0.01  # of all draws at each end that a histogram leaves out
_FEWEST = 0.5  # of all draws that must have a value


class VarianceShare(NamedTuple):
    """The share of a quantity's variance due to one input: by itself, and with all its interactions."""

    name: str
    text: str
    first: float
    total: float


class Spread(NamedTuple):
    """A quantity under uncertain inputs: its middle and the values below which 5 and 95 % lie.

    `failed` is the share of draws that have no value, or that a check refuses. `counts` of the others lie between each
    two of the `edges`, which reach over all but the outermost hundredths.
    """

    low: Value  # the 5th percentile of the draws
    median: Value  # the 50th percentile of the draws
    high: Value  # the 95th percentile of the draws
    shares: tuple[VarianceShare, ...]  # of the variance by input, the largest total first
    draws: int
    failed: float
    edges: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()


class Draws:
    """Evaluates one quantity under uncertain inputs; configurations that checks refuse have no value."""

    def __init__(self, evaluator: Evaluator, question: Question, name: str) -> None:
        """Read what is asked.

        Raises FormulaError where no input is uncertain, an interval is unfit, or the quantity is not a number or reads
        nothing that is uncertain.
        """
        evaluator = evaluator.holding()
        self.evaluator, self.question, self.name = evaluator, question, name
        self.quantity = evaluator.select_one(name, question)
        if evaluator.schema.quantity(self.quantity).kind not in ("number", "whole"):
            message = f"`{self.quantity}` is not a number, so it has no spread"
            raise refuse("no-quantity", message, help="Name a number.")
        self.uncertain, self._sure = parted(evaluator, question)
        givens = evaluator.givens(self._sure)
        self._given = givens.values
        speaking = evaluator.speaking([self.quantity], givens, question.namespace, named=True)
        self._checks = [schema.name for schema in speaking if schema.level == "refuse"]
        self._program = evaluator.program([self.quantity, *self._checks])
        unread = [
            uncertain.schema.name for uncertain in self.uncertain if uncertain.schema.name not in self._program.inputs
        ]
        if len(unread) == len(self.uncertain):
            message = f"`{self.quantity}` does not depend on {' or '.join(unread)}"
            raise refuse("not-read", message, help="Vary what it reads.")

    @cached_property
    def identity(self) -> Identity:
        """The identity of these draws: the formulas, what is asked, and what is given."""
        return Identity.of(self.evaluator, self.question, (self.quantity, self._given), only=self.name)

    def values(self, points: Array) -> Array:
        """The values at points (a row each, a column for each uncertain input); nan where there is none."""
        lanes = {
            uncertain.schema.name: drawn(uncertain, points[:, place]) for place, uncertain in enumerate(self.uncertain)
        }

        def given(block: GridBlock) -> Mapping[str, Any]:
            return {**self._given, **{name: values[block.along[0]] for name, values in lanes.items()}}

        size = len(points)
        axes = tuple(Axis(name, values.tolist(), repeats=True) for name, values in lanes.items())
        computed = BlockValues(self.evaluator, self._program, (), Grid(self._sure, (GridDimension(axes, size),)), given)
        computed.prepare(size, is_sample=True)
        found = np.empty(size)
        for start in range(0, size, _LANES):
            places = np.arange(start, min(start + _LANES, size))
            values, failed, *_ = computed.of(GridBlock(start, len(places), (places,), places))
            fits = ~np.asarray(failed)
            for check in self._checks:
                fits = fits & (np.asarray(values[check]) != 0)
            found[places] = np.where(fits, values[self.quantity], np.nan)
        return found


def uncertainty(  # noqa: PLR0913, PLR0917 - what is asked, and where it is computed
    evaluator: Evaluator,
    question: Question,
    name: str,
    draws: int = 1024,
    seed: int = 0,
    client: Any = None,  # noqa: ANN401 - dask is optional
) -> Spread:
    """The spread that a question asks for; `draws` is a power of two, and the same seed gives the same numbers.

    Positive intervals are log-normal, all others normal; both are cut at the range of the input. The workers of a
    `client` compute the draws, or this process without one.

    Raises:
        FormulaError: if no input is uncertain, an interval is reversed or unfit, the quantity is not a number, or most
            draws have no value.

    """
    made = Draws(evaluator, question, name)
    uncertain, quantity = made.uncertain, made.quantity
    drawn = sobol_points(max(1, round(math.log2(draws))), 2 * len(uncertain), seed)
    first, second = drawn[:, : len(uncertain)], drawn[:, len(uncertain) :]
    points = np.concatenate([first, second, *_mixed(first, second)])
    values = made.values(points) if client is None else _by_workers(client, made, points)
    base, other, *mixed = np.split(values, len(values) // len(first))
    whole = np.append(base, other)
    sound = whole[np.isfinite(whole)]
    if len(sound) < _FEWEST * len(whole):
        share = f"{100 * (1 - len(sound) / len(whole)):.0f} %"
        raise refuse("no-value", f"{share} of the draws have no value or are refused", help="Narrow the intervals.")
    low, median, high = (_value(evaluator, quantity, each) for each in np.quantile(sound, (0.05, 0.5, 0.95)))
    shares = tuple(_shares(uncertain, base, other, mixed))
    counts, edges = np.histogram(sound, _BINS, tuple(np.quantile(sound, (_TAIL, 1 - _TAIL))))
    failed = 1 - len(sound) / len(whole)
    return Spread(low, median, high, shares, len(values), failed, tuple(edges.tolist()), tuple(counts.tolist()))


def _by_workers(client: Any, draws: Draws, points: Array) -> Array:  # noqa: ANN401 - dask is optional
    """The values at some points, computed by workers."""
    task = Task(Folders.of(draws.evaluator), Draws, (draws.question, draws.name), draws.identity.digest)
    work = ((Draws.values, points[start : start + _PIECE]) for start in range(0, len(points), _PIECE))
    return np.concatenate([*made_by_workers(client, task.made, work, draws.identity, draws.evaluator.schema)])


def _value(evaluator: Evaluator, name: str, number: float) -> Value:
    return Value(name, float(number), evaluator.schema.quantity(name), evaluator.schema.units)


def _mixed(first: Array, second: Array) -> Iterator[Array]:
    """The first points with those of one input taken from the second, for each input."""
    for place in range(first.shape[1]):
        mixed = first.copy()
        mixed[:, place] = second[:, place]
        yield mixed


def _shares(uncertain: Sequence[Uncertain], base: Array, other: Array, mixed: Sequence[Array]) -> list[VarianceShare]:
    """First-order indices by Saltelli's estimator and total ones by Jansen's, the largest total first."""
    shares = []
    for each, found in zip(uncertain, mixed, strict=True):
        sound = np.isfinite(base) & np.isfinite(other) & np.isfinite(found)
        a, b, ab = base[sound], other[sound], found[sound]
        variance = float(np.var(np.append(a, b))) if len(a) else 0.0
        if variance <= 0:
            shares.append(VarianceShare(each.schema.name, each.text, 0.0, 0.0))
            continue
        one = float(np.mean((b - np.mean(b)) * (ab - a))) / variance
        total = float(np.mean((a - ab) ** 2)) / 2 / variance
        shares.append(VarianceShare(each.schema.name, each.text, min(max(one, 0.0), 1.0), min(max(total, 0.0), 1.0)))
    moving = [share for share in shares if share.total]
    if len(moving) == 1:  # it brings all, which samples estimate a little off
        shares[shares.index(moving[0])] = moving[0]._replace(first=1.0, total=1.0)
    return sorted(shares, key=lambda share: -share.total)


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
    return [number << _BITS - 1 - place for place, number in enumerate(odd)]


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
