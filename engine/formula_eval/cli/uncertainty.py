"""Implements `uncertainty`: shows the spread of a quantity where inputs are intervals or lists."""

from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_idle
from formula_eval.cli.plot import draw, refuse_unless_drawn
from formula_eval.cli.terminal import print_or_write, this_screen

_FORMATS = ("text", "json")


@click.command("uncertainty", cls=options.QuestionCommand)
@click.argument("name", metavar="NAME", shell_complete=options.complete_quantity)
@click.option(
    "--draws",
    type=click.Choice(["256", "1024", "4096", "16384"]),
    default="1024",
    show_default=True,
    help="Points for each of the two samples.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the draws begin.")
@click.option("--workers", metavar="N", type=click.IntRange(1), help="Compute in so many processes of this machine.")
@click.option("--cluster", metavar="ADDRESS", default="", help="Compute on the workers of this Dask scheduler.")
@options.question_options
@options.plot_options
@options.output_options(_FORMATS)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    name: str,
    draws: str,
    seed: int,
    workers: int | None,
    cluster: str,
    plot: str | None,
    theme: str,
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """Median and 5 to 95 % of NAME where inputs are intervals, "2 to 4 USD/hour", or lists, "0.6, 0.7, 0.8"."""
    from formula_eval.analyse.dask_workers import client_of  # noqa: PLC0415 - NumPy is slow to load
    from formula_eval.analyse.uncertain_inputs import end_questions  # noqa: PLC0415 - as above
    from formula_eval.analyse.uncertainty import uncertainty  # noqa: PLC0415 - as above
    from formula_eval.export.plot.question_pictures import uncertainty_picture  # noqa: PLC0415
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415
    from formula_eval.export.terminal.spread import spread_data, spread_text  # noqa: PLC0415

    refuse_unless_drawn(plot)
    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    with client_of(workers, cluster) as client:
        found = uncertainty(evaluator, question, name, int(draws), seed, client)
    note_cache(evaluator)
    low, high = end_questions(evaluator, question)
    tell_idle(evaluator, low, [name], [high])
    shown = this_screen(coloured=output is None)
    print_or_write(json_text(spread_data(found)) if form == "json" else spread_text(found, shown), output)
    draw(plot, theme, evaluator, lambda: uncertainty_picture(found, evaluator.library))
