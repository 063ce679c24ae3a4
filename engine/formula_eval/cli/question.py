"""Reads the question that options ask: inputs, records, a scenario file, or a launch command."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from formula_eval.ask.question import StatedInput, of_their_kinds, question_of as stated_question
from formula_eval.cli.input_options import say_once
from formula_eval.cli.output import say
from formula_eval.cli.record_options import PURPOSE, records_in
from formula_eval.cli.verb_command import evaluator_of, given_by
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.answer_kind import Purpose, purpose_of, refuse_unknown_namespace
from formula_eval.records.givens import Question
from formula_eval.records.input_names import records_among, spoken
from formula_eval.records.values import is_grouped

if TYPE_CHECKING:
    from formula_eval.records.launch_reading import Launch


def question_of(ctx: click.Context, options: Mapping[str, Any], *, tells_launch: bool = True) -> Question:
    """The question that the options ask; raises FormulaError.

    What a launch command leaves unknown is noted, unless an answer tells it.
    """
    evaluator, values = evaluator_of(ctx), given_by(ctx)
    for setting in options["settings"]:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            help_ = "Write `--set NAME=VALUE`, as `--set tp=8`."
            raise refuse("bad-value", f"`--set {setting}` names no value", help=help_)
        say_once(values, name.strip().replace("-", "_"), value.strip(), "--set")
    named = records_in(evaluator_of(ctx).schema.kinds, options)
    launch = _launch_of(options, evaluator, named, values)
    for level, text in launch.remaining if launch and tells_launch else ():
        say(f"{level}: {text}", err=True)
    scenario = launch.shown if launch else options["inputs"] or ""
    purpose = _purpose(options, evaluator)
    question = stated_question(
        evaluator, StatedInput(values, scenario, options["answer"], launch=launch, purpose=purpose)
    )
    records = dict(question.records)
    for kind, wanted in named.items():
        say_once(records, kind, wanted, f"--{evaluator.schema.kinds[kind].word}")
    return question._replace(records=of_their_kinds(records, evaluator))


def note_grouped(question: Question) -> None:
    """Tell of a comma that is read as two values, and would group thousands elsewhere."""
    for name, said in question.values.items():
        if is_grouped(said):
            one = said.replace(",", "")
            say(f"note: {spoken(name, 'option')}: `{said}` is several values here; one is written `{one}`.", err=True)


def _purpose(options: Mapping[str, Any], evaluator: Evaluator) -> Purpose | None:
    """What is asked about by the hidden names of `--answer`; raises FormulaError for an unknown namespace."""
    namespace, purpose = options["namespace"], options.get(PURPOSE) or ""
    if not (namespace or purpose):
        return None
    if options["answer"]:
        help_ = "`--answer NAMESPACE` does what --namespace does, and `--answer PURPOSE` what --PURPOSE does."
        raise refuse("asked-twice", "`--answer` already says what is asked", help=help_)
    if not namespace:
        return purpose_of(purpose, evaluator.library, evaluator.schema)
    refuse_unknown_namespace(namespace, evaluator.schema)
    return Purpose(namespace, purpose)


def _launch_of(
    options: Mapping[str, Any], evaluator: Evaluator, named: Mapping[str, str], values: Mapping[str, Any]
) -> "Launch | None":
    """What the text behind `--from` says, if there is one; records and inputs that stand beside it win."""
    if options["launch"] is None:
        return None
    if options["inputs"]:
        help_ = "Options beside either of them win: give the one, and the other's values as options."
        raise refuse("asked-twice", "`--from` and `--inputs` both say what is asked", help=help_)
    from formula_eval.launch.launch_reader import read_launch  # noqa: PLC0415
    from formula_eval.records.launch_reading import Beside  # noqa: PLC0415 - most questions launch nothing

    records, others = records_among(values, evaluator.schema)
    return read_launch(options["launch"], evaluator.library, evaluator.schema, Beside({**records, **named}, others))
