"""Implements `sensitivity`: ranks the inputs that move a quantity, and the values that would reach a goal."""

import math

import click

from formula_eval import ask, export
from formula_eval.cli import options, output_options
from formula_eval.cli.asked import Asked, verb
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.situation import titles


def _factor(_ctx: click.Context, _option: click.Parameter, goal: str) -> float:
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


@verb("sensitivity", output_options.plot_options, output_options.output_options(("table", "json", "csv")))
@click.argument("name", metavar="NAME", shell_complete=options.complete_quantity)
@click.option(
    "--for",
    "goal",
    metavar="FACTORx",
    default="",
    callback=_factor,
    help="What each input alone needs for this, as 0.5x.",
)
@click.option(
    "--all", "every", is_flag=True, help="Rank the shape of the model too, and what merely sets another input."
)
@click.option("--top", type=click.IntRange(1), default=15, show_default=True, help="How many inputs to show.")
def command(asked: Asked) -> None:
    """What moves NAME: its elasticity to each input that it reads, and what 10 % more of it brings."""
    request = asked.request(ask.sensitivity.SensitivityRequest)
    request = request._replace(every=request.every or asked.form != "table")  # other programs choose by themselves
    found = ask.sensitivity.sensitivity(asked.evaluator, request)
    asked.tell_idle([asked.name])
    asked.tell_defaults([found.quantity.name], asked.question)
    asked.write(export.influence_table.sensitivity_text(found, asked.form, asked.top, asked.screen))
    library = asked.evaluator.library
    asked.draw(lambda: export.question_pictures.sensitivity_picture(found, library, asked.top, titles(library)))
