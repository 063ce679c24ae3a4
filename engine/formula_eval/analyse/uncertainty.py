"""Inputs that are intervals or lists to what a quantity is then: median, 5 to 95 %, and which input matters."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.many import evaluate_many
from formula_eval.evaluate.result import Value
from formula_eval.evaluate.vector import Array
from formula_eval.records.givens import Question, input_named, spoken
from formula_eval.records.schema import InputSchema
from formula_eval.records.values import InBaseUnits, read_value

_INTERVAL = re.compile(r"\s*(\S.*?)\s+to\s+(\S.*?)\s*")
_BARE = re.compile(r"[-+]?[0-9][0-9.,_eE+-]*[kKMGT]?i?")
_UNIT = re.compile(r"[-+]?[0-9][0-9.,_]*(?:[eE][-+]?[0-9]+)?(.*)")
_NINETY = 1.6448536269514722  # standard deviations between the middle and the end of the middle 90 %
_BINS = 40  # of a histogram
_TAIL = 0.01  # of all draws at each end that a histogram leaves out
_FEWEST = 0.5  # of all draws that must have a value


class Uncertain(NamedTuple):
    """An input that is drawn: between two values, which hold 90 % of the draws, or from a list, each as often."""

    schema: InputSchema
    values: tuple[float, ...]
    is_interval: bool
    text: str


class Share(NamedTuple):
    """How much of the variance of a quantity one input brings: by itself, and with all that it acts together with."""

    name: str
    text: str
    first: float
    total: float


class Spread(NamedTuple):
    """A quantity under uncertain inputs: its middle and the values below which 5 and 95 % lie.

    `failed` is the share of draws that have no value, or that a check refuses. `counts` of the others lie between each
    two of the `edges`, which reach over all but the outermost hundredths.
    """

    low: Value
    median: Value
    high: Value
    shares: tuple[Share, ...]
    draws: int
    failed: float
    edges: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()


def uncertainty(evaluator: Evaluator, question: Question, name: str, draws: int = 1024, seed: int = 0) -> Spread:
    """The spread that a question asks for; `draws` is a power of two, and the same seed gives the same numbers.

    Positive intervals are log-normal, all others normal; both are cut at the range of the input.

    Raises:
        FormulaError: if no input is uncertain, an interval is reversed or unfit, the quantity is not a number, or most
            draws have no value; and if SciPy is not installed.

    """
    quantity, *others = evaluator.select([name], question.namespace)
    if others:
        raise refuse("several-quantities", f"`{name}` names {1 + len(others)} quantities", help="Name one of them.")
    if evaluator.schema.quantity(quantity).kind not in ("number", "whole"):
        raise refuse("no-quantity", f"`{quantity}` is not a number, so it has no spread", help="Name a number.")
    uncertain, sure = _parted(evaluator, question)
    givens = evaluator.givens(sure)
    speaking = evaluator.speaking([quantity], givens, question.namespace, named=True)
    checks = [each.name for each in speaking if each.level == "refuse"]
    program = evaluator.program([quantity, *checks])
    unread = [each.schema.name for each in uncertain if each.schema.name not in program.inputs]
    if len(unread) == len(uncertain):
        raise refuse("not-read", f"`{quantity}` does not depend on {' or '.join(unread)}", help="Vary what it reads.")

    def computed(points: Array) -> Array:
        drawn = {each.schema.name: _drawn(each, points[:, place]) for place, each in enumerate(uncertain)}
        found = evaluate_many(program, {**givens.values, **drawn}, failures="nan")
        fits = np.all([np.broadcast_to(found[each], len(points)) != 0 for each in checks], axis=0) if checks else True
        return np.where(fits, np.broadcast_to(found[quantity], len(points)), np.nan)

    first, second = _sobol_points(len(uncertain), draws, seed)
    base, other = computed(first), computed(second)
    whole = np.append(base, other)
    sound = whole[np.isfinite(whole)]
    if len(sound) < _FEWEST * len(whole):
        share = f"{100 * (1 - len(sound) / len(whole)):.0f} %"
        raise refuse("no-value", f"{share} of the draws have no value or are refused", help="Narrow the intervals.")
    low, median, high = (_value(evaluator, quantity, each) for each in np.quantile(sound, (0.05, 0.5, 0.95)))
    shares = tuple(_shares(uncertain, (first, second), (base, other), computed))
    counts, edges = np.histogram(sound, _BINS, tuple(np.quantile(sound, (_TAIL, 1 - _TAIL))))
    drawn, failed = len(whole) + len(uncertain) * len(first), 1 - len(sound) / len(whole)
    return Spread(low, median, high, shares, drawn, failed, tuple(edges.tolist()), tuple(counts.tolist()))


def _value(evaluator: Evaluator, name: str, number: float) -> Value:
    return Value(name, float(number), evaluator.schema.quantity(name), evaluator.schema.units)


def _parted(evaluator: Evaluator, question: Question) -> tuple[list[Uncertain], Question]:
    """The uncertain inputs of a question, and the question without them."""
    uncertain: list[Uncertain] = []
    sure: dict[str, Any] = {}
    for said, value in question.values.items():
        several = isinstance(value, str | tuple | list) and not isinstance(value, InBaseUnits)
        found = _uncertain(evaluator, question, said, value) if several else None
        if found is None:
            sure[said] = value
        else:
            uncertain.append(found)
    if not uncertain:
        help_ = 'Give an input as an interval that holds 90 %, `--gpu-price "2 to 4 USD/hour"`, or as a list.'
        raise refuse("nothing-uncertain", "No input is uncertain", help=help_)
    return uncertain, question._replace(values=sure)


def _uncertain(evaluator: Evaluator, question: Question, said: str, value: object) -> Uncertain | None:
    """An interval or a list; None for a single value."""
    schema = evaluator.schema.inputs[input_named(said, evaluator.schema, question.namespace)]
    origin = spoken(said, question.origin)
    interval = _INTERVAL.fullmatch(value) if isinstance(value, str) else None
    if interval is not None:
        parts: Sequence[object] = _with_unit(interval[1], interval[2])
    elif isinstance(value, str):
        parts = [each.strip() for each in value.split(",")]
        if len(parts) == 1 or not _all_read(parts, schema, evaluator, origin):
            return None
    else:
        parts = [_in_base_units(each) for each in value]  # type: ignore[attr-defined]
    numbers = tuple(float(read_value(each, schema, evaluator.schema.units, origin)) for each in parts)
    if interval is not None and numbers[0] >= numbers[1]:
        message = f"{origin}: `{value}` is not an interval: its first end is not below its second one"
        raise refuse("bad-value", message, help="Write the smaller value first.")
    return Uncertain(schema, numbers, interval is not None, str(value))


def _in_base_units(value: object) -> object:
    """A number of a list says that it needs no unit."""
    return InBaseUnits(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _with_unit(low: str, high: str) -> list[str]:
    """The ends of `2 to 3 TB/s`, the unit on both."""
    unit = _UNIT.fullmatch(high)
    return [f"{low} {unit[1].strip()}" if unit and _BARE.fullmatch(low) and unit[1].strip() else low, high]


def _all_read(parts: Sequence[object], schema: InputSchema, evaluator: Evaluator, origin: str) -> bool:
    """Whether these are values each; else the text is one value, whose comma groups thousands."""
    try:
        read_value(",".join(map(str, parts)), schema, evaluator.schema.units, origin)
    except FormulaError:
        return True
    return False


def _sobol_points(count: int, draws: int, seed: int) -> tuple[Array, Array]:
    """Two matrices of points between 0 and 1 that fill the space evenly, one column for each input."""
    try:
        from scipy.stats import qmc  # noqa: PLC0415 - an optional package
    except ImportError as error:
        help_ = "Install it: `pip install 'formula-eval[fit]'`."
        raise refuse("no-scipy", "Uncertainties need SciPy, which is not installed", help=help_) from error
    points = qmc.Sobol(2 * count, seed=seed).random_base2(max(1, round(math.log2(draws))))
    inside = np.clip(points, 1e-9, 1 - 1e-9)
    return np.asarray(inside[:, :count]), np.asarray(inside[:, count:])


def _drawn(each: Uncertain, points: Array) -> Array:
    """The values of an input at points between 0 and 1."""
    if not each.is_interval:
        places = np.minimum((points * len(each.values)).astype(int), len(each.values) - 1)
        return np.asarray(np.array(each.values)[places])
    from scipy.special import ndtri  # noqa: PLC0415 - an optional package

    low, high = each.values
    normal = np.asarray(ndtri(points)) / _NINETY
    if low > 0:
        drawn = math.sqrt(low * high) * (high / low) ** (normal / 2)
    else:
        drawn = (low + high) / 2 + normal * (high - low) / 2
    least = each.schema.low if each.schema.low is not None else 0.0
    most = each.schema.high if each.schema.high is not None else math.inf
    drawn = np.round(drawn) if each.schema.quantity.kind == "whole" else drawn
    return np.asarray(np.clip(drawn, least, most))


def _shares(
    uncertain: Sequence[Uncertain],
    points: tuple[Array, Array],
    values: tuple[Array, Array],
    computed: Callable[[Array], Array],
) -> list[Share]:
    """First-order indices by Saltelli's estimator and total ones by Jansen's, the largest total first."""
    (first, second), (base, other) = points, values
    shares = []
    for place, each in enumerate(uncertain):
        mixed = first.copy()
        mixed[:, place] = second[:, place]
        found = computed(mixed)
        sound = np.isfinite(base) & np.isfinite(other) & np.isfinite(found)
        a, b, ab = base[sound], other[sound], found[sound]
        variance = float(np.var(np.append(a, b))) if len(a) else 0.0
        if variance <= 0:
            shares.append(Share(each.schema.name, each.text, 0.0, 0.0))
            continue
        one = float(np.mean((b - np.mean(b)) * (ab - a))) / variance
        total = float(np.mean((a - ab) ** 2)) / 2 / variance
        shares.append(Share(each.schema.name, each.text, min(max(one, 0.0), 1.0), min(max(total, 0.0), 1.0)))
    return sorted(shares, key=lambda each: -each.total)
