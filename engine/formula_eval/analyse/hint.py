"""A result to what is worth saying about its question: what to try next, and which inputs made no difference."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.analyse.what_if import Neighbours
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.records.givens import Question
from formula_eval.records.schema import InputSchema

_ONE_DIGIT = 10


class NextStep(NamedTuple):
    """What to try next, in words; `good` where the configuration fits as it is."""

    text: str
    good: bool = True


def next_step(search: Mapping[str, Any], result: Result, evaluator: Evaluator) -> NextStep | None:
    """The smallest value at which a configuration fits, or how much more the one at hand could carry.

    `search` names the quantities by the keys of a section `next` in reports/answers/, and has the words to say it in.
    """
    wanted = tuple(result.values)
    checks = evaluator.checks(wanted)
    near = Neighbours(evaluator.checked_program(wanted, checks), result.givens, checks)
    raised = evaluator.schema.inputs[search["raise"]]
    most = int(result.numbers[search["most"]])
    if not result.numbers[search["holds"]]:
        value = near.smallest(raised, search["holds"])
        key = "found" if value is not None else "fewer" if most > 0 and "fewer" in search else "none"
        return NextStep(search[key].format(value=value, most=most), good=False)
    if most > result.numbers[search["grow"]]:
        return _room(search, result, evaluator, near, most)
    value = near.smallest(raised, search["holds"], result.numbers[search["raise"]])
    return None if value is None or "full" not in search else NextStep(search["full"].format(value=value))


def _room(
    search: Mapping[str, Any], result: Result, evaluator: Evaluator, near: Neighbours, most: int
) -> NextStep | None:
    numbers = near.tried(search["grow"], most)
    before = result.numbers[search["gain"]]
    if numbers is None or not numbers[search["holds"]] or numbers[search["gain"]] <= before:
        return None
    gain = numbers[search["gain"]]
    shown = shown_value(gain, evaluator.schema.quantity(search["gain"]))
    return NextStep(search["room"].format(most=most, gain=shown, times=_ratio(gain / before)))


def _ratio(value: float) -> str:
    """`45`, `1.3`."""
    return f"{value:,.0f}" if value >= _ONE_DIGIT else f"{value:.1f}"


def inputs_without_effect(
    evaluator: Evaluator, question: Question, wanted: Sequence[str]
) -> Iterator[tuple[str, InputSchema]]:
    """The inputs that a question sets and nothing of what is wanted reads, by the name that the question calls them."""
    schema = evaluator.schema
    read = evaluator.checked_program(wanted, evaluator.checks(wanted, question.namespace)).kinds
    for name in question.values:
        found = schema.input_name(name, question.namespace)
        if found is not None and found not in read and not schema.inputs[found].record:
            yield name, schema.inputs[found]
