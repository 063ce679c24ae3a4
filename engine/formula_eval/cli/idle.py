"""Prints notes about stated options that have no effect on what a verb shows."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from formula_eval.cli.output import say
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

if TYPE_CHECKING:
    from formula_eval.analyse.ineffective_inputs import Effects, Stated


def tell_idle(
    evaluator: Evaluator, question: Question, only: Sequence[str] = (), others: Sequence[Question] = ()
) -> None:
    """One note for each option that counts for nothing in an answer, or that what was named ignores."""
    if question.values or question.records or question.scenario:
        from formula_eval.export.idle_notes import idle_notes  # noqa: PLC0415 - a bare question has nothing to tell

        for note in idle_notes(evaluator, question, only, others):
            say(f"note: {note}", err=True)


def tell_ignored(
    evaluator: Evaluator,
    question: Question,
    asked: "Sequence[Effects]",
    stated: "Collection[Stated] | None" = None,
) -> None:
    """One note for each option that moves nothing of what is asked, in any of several configurations."""
    from formula_eval.export.idle_notes import ignored_notes  # noqa: PLC0415 - as above

    for note in ignored_notes(evaluator, question, asked, stated):
        say(f"note: {note}", err=True)
