"""Parses uncertain inputs, written as intervals or lists, and maps points between 0 and 1 to their values."""

import math
import re
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.vector import Array
from formula_eval.records.givens import Question
from formula_eval.records.input_names import input_named, spoken
from formula_eval.records.schema import InputSchema
from formula_eval.records.values import InBaseUnits, read_value

_INTERVAL = re.compile(r"\s*(\S.*?)(?:\s+to\s+|\s*\.\.\s*)(\S.*?)\s*")
_BARE = re.compile(r"[-+]?[0-9][0-9.,_eE+-]*[kKMGT]?i?")
_UNIT = re.compile(r"[-+]?[0-9][0-9.,_]*(?:[eE][-+]?[0-9]+)?(.*)")
_NORMAL = NormalDist()
_NINETY = _NORMAL.inv_cdf(0.95)  # standard deviations between the middle and the end of the middle 90 %


class Uncertain(NamedTuple):
    """An input that is drawn: between two values, which hold 90 % of the draws, or from a list, each as often."""

    schema: InputSchema
    values: tuple[float, ...]
    is_interval: bool
    text: str


def parted(evaluator: Evaluator, question: Question) -> tuple[list[Uncertain], Question]:
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
        help_ = 'Give an input as an interval that holds 90 %, such as "2 to 4 USD/hour", or as a list.'
        raise refuse("nothing-uncertain", "No input is uncertain", help=help_)
    return uncertain, question._replace(values=sure)


def end_questions(evaluator: Evaluator, question: Question) -> tuple[Question, Question]:
    """The question with each uncertain input at the first of its values, and at the last."""
    uncertain, sure = parted(evaluator, question)
    low, high = (sure.at({each.schema.name: each.values[place] for each in uncertain}) for place in (0, -1))
    return low, high


def _uncertain(evaluator: Evaluator, question: Question, said: str, value: object) -> Uncertain | None:
    """An interval or a list; None for a single value."""
    schema = evaluator.schema.inputs[input_named(said, evaluator.schema, question.namespace)]
    origin = spoken(said, question.origin)
    interval = _INTERVAL.fullmatch(value) if isinstance(value, str) else None
    if interval is not None:
        parts: Sequence[object] = _with_unit(interval[1], interval[2])
    elif isinstance(value, str):
        parts = [name.strip() for name in value.split(",")]
        if len(parts) == 1 or not _all_read(parts, schema, evaluator, origin):
            return None
    else:
        parts = [_in_base_units(each) for each in value]  # type: ignore[attr-defined]
    numbers = tuple(float(read_value(part, schema, evaluator.schema.units, origin)) for part in parts)
    if interval is not None and numbers[0] >= numbers[1]:
        message = f"{origin}: `{value}` is not an interval: its first end is not below its second one"
        raise refuse("bad-value", message, help="Write the smaller value first.")
    return Uncertain(schema, numbers, interval is not None, str(value))


def _in_base_units(value: object) -> object:
    """Marks a number of a list as already in base units."""
    return InBaseUnits(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _with_unit(low: str, high: str) -> list[str]:
    """The ends of `2 to 3 TB/s`, the unit on both."""
    unit = _UNIT.fullmatch(high)
    return [f"{low} {unit[1].strip()}" if unit and _BARE.fullmatch(low) and unit[1].strip() else low, high]


def _all_read(parts: Sequence[object], schema: InputSchema, evaluator: Evaluator, origin: str) -> bool:
    """Whether each part is a value by itself; otherwise the text is one value whose comma groups thousands."""
    try:
        read_value(",".join(map(str, parts)), schema, evaluator.schema.units, origin)
    except FormulaError:
        return True
    return False


def drawn(uncertain: Uncertain, points: Array) -> Array:
    """The values of an input at points between 0 and 1."""
    if not uncertain.is_interval:
        places = np.minimum((points * len(uncertain.values)).astype(int), len(uncertain.values) - 1)
        return np.asarray(np.array(uncertain.values)[places])
    low, high = uncertain.values
    normal = np.array([_NORMAL.inv_cdf(point) for point in points.tolist()]) / _NINETY
    if low > 0:
        found = math.sqrt(low * high) * (high / low) ** (normal / 2)
    else:
        found = (low + high) / 2 + normal * (high - low) / 2
    least = uncertain.schema.low if uncertain.schema.low is not None else 0.0
    most = uncertain.schema.high if uncertain.schema.high is not None else math.inf
    found = np.round(found) if uncertain.schema.quantity.kind == "whole" else found
    return np.asarray(np.clip(found, least, most))
