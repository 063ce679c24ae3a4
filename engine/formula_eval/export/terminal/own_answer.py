"""The answer of a library that says what it shows, to the inputs and records that its help speaks of."""

from collections.abc import Collection

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.terminal.answer_layout import read_answer_layout
from formula_eval.records.purpose import purpose_of


def inputs_read(evaluator: Evaluator) -> Collection[str] | None:
    """The inputs that such an answer and its checks read; None where the library asked says nothing of an answer."""
    library, schema = evaluator.library, evaluator.schema
    if library.is_alone or not library.answer:
        return None
    purpose = purpose_of("", library, schema)
    wanted = read_answer_layout(library, library.answer).quantities(schema)
    read = evaluator.checked_program(wanted, evaluator.checks(wanted, purpose.namespace)).kinds
    return [name for name, each in schema.inputs.items() if name in read and not each.record]


def kinds_read(evaluator: Evaluator) -> Collection[str] | None:
    """The kinds of records that give such inputs, and None likewise."""
    read = inputs_read(evaluator)
    schema = evaluator.schema
    return None if read is None else {schema.inputs[name].supplier for name in read} & set(schema.kinds)
