"""Implements `uncertainty`: shows the spread of a quantity where inputs are intervals or lists."""

import click

from formula_eval import analyse, ask, export
from formula_eval.cli import options, output_options
from formula_eval.cli.asked import Asked, verb


@verb("uncertainty", output_options.plot_options, output_options.output_options(("text", "json")))
@click.argument("name", metavar="NAME", shell_complete=options.complete_quantity)
@click.option(
    "--draws",
    type=click.Choice(["256", "1024", "4096", "16384"]),
    default="1024",
    show_default=True,
    help="Points for each of the two samples.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draws.")
@options.worker_options
def command(asked: Asked) -> None:
    """Median and 5 to 95 % of NAME where inputs are intervals, "2 to 4 USD/hour", or lists, "0.6, 0.7, 0.8"."""
    evaluator = asked.evaluator
    request = asked.request(ask.uncertainty.UncertaintyRequest, draws=int(asked.draws))
    found = ask.uncertainty.uncertainty(evaluator, request)
    asked.tell_idle([asked.name], analyse.uncertain_inputs.end_questions(evaluator, asked.question))
    asked.write(
        export.json_csv.json_text(export.spread.spread_data(found))
        if asked.form == "json"
        else export.spread.spread_text(found, asked.screen)
    )
    asked.draw(lambda: export.question_pictures.uncertainty_picture(found, evaluator.library))
