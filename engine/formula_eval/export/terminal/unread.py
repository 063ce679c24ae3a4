"""A question to the options in it that change nothing in its whole answer, which a user should hear of."""

from collections.abc import Iterator

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.quantities import brought_by
from formula_eval.export.terminal.answer_layout import read_layout
from formula_eval.records.givens import Question


def notes_of_unread(evaluator: Evaluator, question: Question) -> Iterator[str]:
    """One note for each option that no quantity of the whole answer reads."""
    schema, library = evaluator.schema, evaluator.library
    wanted = read_layout(library, question.purpose).quantities(schema)
    read = evaluator.checked_program(wanted, evaluator.checks(wanted, question.namespace)).kinds
    for name in question.values:
        found = schema.input_name(name, question.namespace)
        if found is None or found in read or schema.inputs[found].record:
            continue
        option = f"--{name.replace('_', '-')}"
        asked = " ".join(f"--only '{each}'" for each in brought_by(library, question.purpose, found))
        help_ = f"\nhelp: Ask for what reads it: {asked}" if asked else ""
        yield f"{option} changes nothing in this answer: {schema.inputs[found].sentence}.{help_}"
