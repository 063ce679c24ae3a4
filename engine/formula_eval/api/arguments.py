"""Builds a question from keyword arguments: numbers in base units, lists, texts with units, ids of records."""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from formula_eval.ask.question import StatedInput, question_of as stated_question
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.records.givens import Question
from formula_eval.records.origin import Origin
from formula_eval.records.values import InBaseUnits


def question_of(evaluator: Evaluator, given: Mapping[str, Any], inputs: str | Path, answer: str) -> Question:
    """The question of keyword arguments, a scenario file and the answer that is wanted; raises FormulaError.

    A record may be given whole, as a mapping, as a scenario file may hold it.
    """
    said = {name: _several_words(value) for name, value in given.items()}
    question = stated_question(evaluator, StatedInput(said, str(inputs), str(answer), Origin.ARGUMENT))
    return question._replace(values={name: _in_base_units(value) for name, value in question.values.items()})


def patterns_of(only: Sequence[str] | str | None) -> Sequence[str]:
    """What was asked for by name; nothing for the whole answer."""
    if only is None or isinstance(only, str):
        return [only] if only else []
    if not isinstance(only, Sequence) or not all(isinstance(each, str) for each in only):
        help_ = 'Write `only="params.total"` or `only=["params.total", "memory.*"]`.'
        raise refuse("bad-value", f"argument: `only = {only!r}` names no quantities", help=help_)
    return only


def _several_words(value: Any) -> Any:  # noqa: ANN401 - any input
    """Ids as the command takes several of them; anything else stays as it is."""
    is_words = isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value)
    return ",".join(value) if is_words else value


def _in_base_units(value: Any) -> Any:  # noqa: ANN401 - any input
    """Numbers say that they need no unit; flags and texts stay as they are, and a number too large for any input."""
    if isinstance(value, Iterable) and not isinstance(value, str | Value):
        return [_in_base_units(each) for each in value]
    if isinstance(value, Value):
        value = value.plain
    if not isinstance(value, Real) or isinstance(value, bool):
        return value
    try:
        return InBaseUnits(float(value))
    except OverflowError:
        return value
