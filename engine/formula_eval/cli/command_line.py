"""Prints a question as the command line that asks it again, however its inputs were stated."""

from collections.abc import Sequence

from formula_eval.core.secrets import masked_forms
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.shell_text import command_of
from formula_eval.records.answer_kind import usual_purpose
from formula_eval.records.givens import Question


def command_line(  # noqa: PLR0913 - one for each part of a command line
    evaluator: Evaluator,
    question: Question,
    only: Sequence[str] = (),
    libraries: Sequence[str] = (),
    *,
    verb: Sequence[str] = (),
    more: Sequence[str] = (),
) -> str:
    """The words of the verb, what was asked and stated, and `more` behind it, as a shell reads them."""
    kinds = evaluator.schema.kinds
    records = [(kinds[name].word if name in kinds else name, value) for name, value in question.records.items()]
    stated = [(name.replace("_", "-"), value) for name, value in (*records, *question.values.items())]
    if question.launch is not None:
        stated += [("from", question.launch.text)]
    elif question.scenario:
        stated += [("inputs", question.scenario)]
    stated += [("only", each) for each in only] + [("library", each) for each in libraries]
    words = [word for name, value in stated for word in (f"--{name}", str(value))]
    return masked_forms(command_of(["formula-eval", *verb, *_answer(evaluator, question), *words, *more]))


def _answer(evaluator: Evaluator, question: Question) -> list[str]:
    """The option that says what is asked about, unless the library or a launch command says so by itself."""
    if question.launch is not None and question.purpose and not question.namespace:
        return []
    asked = question.about(evaluator.library)
    if asked in (usual_purpose(evaluator.library), evaluator.library.answer):
        return []
    return ["--answer", asked] if question.namespace else [f"--{asked}"]
