"""Finds the inputs and kinds of records that the answer of a library reads, for its help to list."""

from collections.abc import Collection

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.terminal.answer_layout import read_answer_layout
from formula_eval.records.answer_kind import purpose_of


def inputs_read(evaluator: Evaluator) -> Collection[str] | None:
    """The inputs that the library's own answer and its checks read; None where it is alone or declares no answer."""
    library, schema = evaluator.library, evaluator.schema
    if library.is_alone or not library.answer:
        return None
    purpose = purpose_of("", library, schema)
    wanted = read_answer_layout(library, library.answer).quantities(schema)
    read = evaluator.checked_program(wanted, evaluator.checks(wanted, purpose.namespace)).kinds
    return [name for name, each in schema.inputs.items() if name in read and not each.record]


def kinds_read(evaluator: Evaluator) -> Collection[str] | None:
    """The kinds of records that supply these inputs, and None likewise."""
    read = inputs_read(evaluator)
    schema = evaluator.schema
    return None if read is None else {schema.inputs[name].supplier for name in read} & set(schema.kinds)
