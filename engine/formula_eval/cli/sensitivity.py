"""Implements `sensitivity`: shows what moves a quantity, and what a goal would take."""

import math
from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_idle
from formula_eval.cli.plot import draw, refuse_unless_drawn
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.core.diagnostic import refuse

_FORMATS = ("table", "json", "csv")


@click.command("sensitivity", cls=options.QuestionCommand)
@click.argument("name", metavar="NAME", shell_complete=options.complete_quantity)
@click.option("--for", "goal", metavar="FACTORx", default="", help="What each input alone needs for this, as 0.5x.")
@click.option("--top", type=click.IntRange(1), default=15, show_default=True, help="How many inputs to show.")
@options.question_options
@options.plot_options
@options.output_options(_FORMATS)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    name: str,
    goal: str,
    top: int,
    plot: str | None,
    theme: str,
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """What moves NAME: its elasticity to each input that it reads, and what 10 % more of it brings."""
    from formula_eval.analyse.sensitivity import asked_sensitivity  # noqa: PLC0415 - NumPy is slow to load
    from formula_eval.export.plot.question_pictures import sensitivity_picture  # noqa: PLC0415
    from formula_eval.export.terminal.sensitivity import sensitivity_text  # noqa: PLC0415

    refuse_unless_drawn(plot)
    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    found = asked_sensitivity(evaluator, question, name, _factor(goal))
    note_cache(evaluator)
    tell_idle(evaluator, question, [name])
    print_or_write(sensitivity_text(found, form, top, this_screen(coloured=output is None)), output)
    draw(plot, theme, evaluator, lambda: sensitivity_picture(found, evaluator.library, top))


def _factor(goal: str) -> float:
    """`2x` or `0.5x` as a number; nan if nothing was asked."""
    if not goal:
        return math.nan
    try:
        factor = float(goal.removesuffix("x"))
    except ValueError:
        factor = math.nan
    if not (math.isfinite(factor) and factor > 0):
        help_ = "Write what it shall be multiplied by, as `--for 2x`, or `--for 0.5x` for half of it."
        raise refuse("bad-value", f"`--for {goal}` is not a factor", help=help_)
    return factor
