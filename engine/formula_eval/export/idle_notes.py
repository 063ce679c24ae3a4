"""What an answer says of options that count for nothing in it, and of those that what was named ignores."""

from collections.abc import Iterator, Sequence

from formula_eval.analyse.effect import Effects, Idle
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.conversion import selected
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.quantities import brought_by, instead_of
from formula_eval.export.terminal.answer_layout import AnswerLayout, read_answer_layout
from formula_eval.records.givens import Question, said_as

_MOST_NAMED = 3


def idle_notes(evaluator: Evaluator, question: Question, only: Sequence[str]) -> Iterator[str]:
    """A sentence for each option that moves nothing of what was named by `only`, or else of what is read first.

    Raises:
        FormulaError: as the answer does; for an option in whose place another one has to be given.

    """
    if not (question.values or question.records):
        return
    if not only:
        yield from (
            _told(each, evaluator, question) for each in _idle(_whole(evaluator, question), evaluator, question)
        )
        return
    shown, names = selected(evaluator, only, question)
    ignored = [each for each in Effects(shown, question, names, names, named=True).idle() if each.input]
    if not ignored:
        return
    whole = _whole(evaluator, question)
    nowhere = {each.name for each in _idle(whole, evaluator, question)}
    for each in ignored:
        if each.name in nowhere:
            yield _told(each._replace(moves=()), evaluator, question)
        elif moved := whole.moved_first(each.name):
            found = each._replace(moves=[name for name in moved if name != each.input])
            option = said_as(each.name, question.origin, evaluator.schema.kinds)
            if found.moves:
                yield f"{option} changes nothing of what was asked: it changes {found.moved}."
            else:
                yield _told(found, evaluator, question)


def unread_notes(evaluator: Evaluator, question: Question, names: Sequence[str]) -> Iterator[str]:
    """A sentence for each option that nothing of what was named reads: told without computing anything once more."""
    checks = evaluator.checks(names, question.namespace, named=True)
    read = evaluator.checked_program(names, checks).kinds
    for name in question.values:
        found = evaluator.schema.input_name(name, question.namespace)
        if found is not None and found not in read and not evaluator.schema.inputs[found].record:
            yield _told(Idle(name, found, ()), evaluator, question)


def _whole(evaluator: Evaluator, question: Question) -> Effects:
    """What the options move in the whole answer."""
    givens = evaluator.givens(question)
    situation = evaluator.situation(question, givens.values)
    wanted = _layout(evaluator, question).quantities(evaluator.schema)
    return Effects(evaluator, question, wanted, situation.names if situation else wanted)


def _layout(evaluator: Evaluator, question: Question) -> AnswerLayout:
    return read_answer_layout(evaluator.library, question.purpose).asked_by(evaluator.givens(question))


def _idle(whole: Effects, evaluator: Evaluator, question: Question) -> Iterator[Idle]:
    """What moves nothing that is read first, nor anything in a section that is there because it is stated."""
    layout = _layout(evaluator, question)
    for each in whole.idle():
        own = [section for section in layout.sections if each.input in section.get("with", ())]
        shown = layout._replace(sections=own).quantities(evaluator.schema) if own else []
        if not set(shown) & set(each.moves):
            yield each


def _told(idle: Idle, evaluator: Evaluator, question: Question) -> str:
    option = said_as(idle.name, question.origin, evaluator.schema.kinds)
    if instead := instead_of(evaluator.library, question.purpose, idle.input or idle.name):
        raise refuse("counts-for-nothing", f"{option} has no effect on this answer", help=instead)
    if idle.moves:
        return f"{option} changes nothing that is read first here, only {idle.moved}."
    sentence = f": {evaluator.schema.inputs[idle.input].sentence}" if idle.input else ""
    found = brought_by(evaluator.library, question.purpose, idle.input)[:_MOST_NAMED]
    readers = " ".join(f"--only '{each}'" for each in found)
    help_ = f"\nhelp: Ask for what reads it: {readers}" if readers else ""
    return f"{option} has no effect on this answer{sentence}.{help_}"
