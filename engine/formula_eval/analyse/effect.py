"""A question to the inputs that it sets and that made no difference."""

from collections.abc import Iterator, Sequence

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.schema import InputSchema


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
