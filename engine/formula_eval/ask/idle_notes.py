"""Writes notes on options that have no effect on an answer, or that the named quantities ignore."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from formula_eval.analyse.ineffective_inputs import Effects, Idle, Stated, all_stated, idle_in_all
from formula_eval.ask.answer_layout import AnswerLayout, read_answer_layout
from formula_eval.ask.export_lists import brought_by, instead_of
from formula_eval.core.diagnostic import FormulaError, enumerated, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import selected
from formula_eval.records.givens import Question
from formula_eval.records.input_names import said_as

_MOST_NAMED = 3


def idle_notes(
    evaluator: Evaluator, question: Question, only: Sequence[str], others: Sequence[Question] = ()
) -> Iterator[str]:
    """A sentence for each stated option that changes nothing named by `only`, or else nothing that is read first.

    Nor does it change these quantities in `others`, which are shown beside the question.

    Raises:
        FormulaError: as the answer does; for an option in whose place another one has to be given.

    """
    if only:
        shown, names = selected(evaluator, only, question)
        asked = [Effects.of(shown, other, names, names, named=True) for other in (question, *others)]
        yield from ignored_notes(evaluator, question, asked)
    elif stated := all_stated(question):
        yield from _notes(_idle(_whole(evaluator, question), evaluator, question, stated), evaluator, question)


def ignored_notes(
    evaluator: Evaluator, question: Question, asked: Sequence[Effects], stated: Collection[Stated] | None = None
) -> Iterator[str]:
    """The same for stated options that change nothing of what is `asked`, in any of several configurations.

    Raises:
        FormulaError: for an option in whose place another one has to be given.

    """
    stated = all_stated(question) if stated is None else stated
    unfit = [each for each in stated if _instead(each, evaluator, question)] if asked else []
    if unfit:
        here = asked[0].question
        yield from _notes(_idle(_whole(evaluator, here), evaluator, here, unfit), evaluator, question)
    found = []
    for idle in idle_in_all(asked, stated):
        moved = _moved_first(idle, evaluator) if idle.input else []
        if moved and not idle.stated.said:
            told = idle._replace(moves=moved).moved
            yield f"{_said(idle.stated, evaluator, question)} changes nothing of what was asked: it changes {told}."
        elif idle.input and not moved:
            found.append(idle._replace(moves=()))
    yield from _notes(found, evaluator, question)


def _moved_first(idle: Idle, evaluator: Evaluator) -> list[str]:
    """The quantities that it changes among those read first in the whole answer; empty where there is no answer."""
    try:
        moved = _whole(evaluator, idle.question).moved_first(idle.stated)
    except FormulaError:
        return []
    return [name for name in moved if name not in idle.stated.names]


def unread_notes(evaluator: Evaluator, question: Question, names: Sequence[str]) -> Iterator[str]:
    """A sentence for each option that none of the named quantities reads, found without computing anything again."""
    read = evaluator.store.inputs(tuple(names))
    for name in question.values:
        found = evaluator.schema.input_name(name, question.namespace)
        if found is not None and found not in read and not evaluator.schema.inputs[found].record:
            yield _told(Idle(Stated((name,)), found, ()), evaluator, question)


def _whole(evaluator: Evaluator, question: Question) -> Effects:
    """The effects of the options on the whole answer."""
    givens = evaluator.givens(question)
    situation = evaluator.situation(question, givens.values)
    shown = _layout(evaluator, question).quantities(evaluator.schema)
    first = situation.names if situation else shown
    return Effects.of(evaluator, question, [*dict.fromkeys((*shown, *first))], first, named=False)


def _layout(evaluator: Evaluator, question: Question) -> AnswerLayout:
    return read_answer_layout(evaluator.library, question.about(evaluator.library)).asked_by(evaluator.givens(question))


def _idle(whole: Effects, evaluator: Evaluator, question: Question, stated: Collection[Stated]) -> Iterator[Idle]:
    """The options that change nothing read first, nor anything in a section or row shown because they are stated."""
    layout = _layout(evaluator, question)
    for idle in idle_in_all([whole], stated):
        own = [section for section in layout.sections if idle.input in section.get("with", ())]
        rows = (row for section in layout.sections for row in section.get("entries", ()))
        own += [{"entries": [row]} for row in rows if idle.input in row.get("with", ())]
        shown = layout._replace(sections=own).quantities(evaluator.schema) if own else []
        if not set(shown) & set(idle.moves):
            yield idle


def _notes(found: Iterable[Idle], evaluator: Evaluator, question: Question) -> Iterator[str]:
    """A sentence for each option, and one for all without effect in a scenario file or a launch command."""
    beside = []
    for idle in found:
        if idle.stated.said:
            beside += [] if idle.moves else [idle]
        else:
            yield _told(idle, evaluator, question)
    if len(beside) == 1:
        yield _told(beside[0], evaluator, question)
    elif beside:
        named = [f"`{idle.stated.said}`" for idle in beside[:_MOST_NAMED]]
        more = len(beside) - len(named)
        told = enumerated([*named, *([f"{more} more"] if more else [])])
        yield f"{_place(question)}: {told} have no effect on this answer."


def _told(idle: Idle, evaluator: Evaluator, question: Question) -> str:
    option = _said(idle.stated, evaluator, question)
    if instead := _instead(idle.stated, evaluator, question):
        raise refuse("counts-for-nothing", f"{option} has no effect on this answer", help=instead)
    if idle.moves:
        return f"{option} changes nothing that is read first here, only {idle.moved}."
    kind = next((evaluator.schema.kinds[name] for name in idle.stated.names if name in evaluator.schema.kinds), None)
    said = evaluator.schema.inputs[idle.input].sentence if idle.input else kind.sentence if kind else ""
    sentence = f": {said}" if said else ""
    found = brought_by(evaluator.library, question.about(evaluator.library), idle.input)[:_MOST_NAMED]
    readers = " ".join(f"--only '{name}'" for name in found)
    help_ = f"\nhelp: Ask for what reads it: {readers}" if readers else ""
    return f"{option} has no effect on this answer{sentence}.{help_}"


def _instead(stated: Stated, evaluator: Evaluator, question: Question) -> str:
    """The option to give in its place; empty where having no effect is no reason to refuse it."""
    if question.launch:
        return ""
    name = evaluator.schema.input_name(stated.names[0], question.namespace) or stated.names[0]
    return instead_of(evaluator.library, question.about(evaluator.library), name)


def _said(stated: Stated, evaluator: Evaluator, question: Question) -> str:
    """How messages name what was stated."""
    if stated.said:
        return f"{_place(question)}: `{stated.said}`"
    return said_as(stated.names[0], question.origin, evaluator.schema.kinds)


def _place(question: Question) -> str:
    """What messages call the file or the launch command of a question."""
    return question.launch.title if question.launch else question.scenario
