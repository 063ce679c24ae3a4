"""Implements `solve`: finds the values of an input at which conditions hold."""

from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_ignored
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.records.values import InBaseUnits

_FORMATS = ("text", "json")


@click.command("solve", cls=options.QuestionCommand)
@click.argument("name", metavar="INPUT")
@click.option("--where", metavar="CONDITION", multiple=True, help="What should hold, as 'inference.tpot <= 10 ms'.")
@options.question_options
@options.output_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    name: str,
    where: tuple[str, ...],
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """The values of INPUT at which every CONDITION holds, written as in formulas; repeat --where for more of them."""
    from formula_eval.analyse.ineffective_inputs import Effects, effects_of  # noqa: PLC0415 - as below
    from formula_eval.analyse.solve import solve  # noqa: PLC0415 - NumPy is slow to load
    from formula_eval.evaluate.extra_conditions import Conditioned  # noqa: PLC0415
    from formula_eval.export.terminal.answer_layout import read_answer_layout  # noqa: PLC0415
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415
    from formula_eval.export.terminal.solutions import solutions_data, solutions_text  # noqa: PLC0415

    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    meant = read_answer_layout(evaluator.library, question.about(evaluator.library)).quantities(evaluator.schema)
    found = solve(evaluator, question, name, where, meant)
    note_cache(evaluator)
    at = [question._replace(values={**question.values, name: InBaseUnits(float(each.low))}) for each in found.spans]
    conditioned = Conditioned(evaluator, where, question._replace(values={name: None, **question.values}), meant)
    asked_at = effects_of(at or [question], lambda each: Effects.under(conditioned, each))
    tell_ignored(evaluator, question, asked_at)
    shown = this_screen(coloured=output is None)
    print_or_write(json_text(solutions_data(found)) if form == "json" else solutions_text(found, shown), output)
