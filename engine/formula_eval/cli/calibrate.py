"""Implements `calibrate`: fits inputs to a user's own measured runs."""

import click

from formula_eval import ask, export
from formula_eval.cli import output_options
from formula_eval.cli.asked import Asked, verb
from formula_eval.cli.output import say
from formula_eval.cli.terminal import print_or_write, this_screen


@verb(
    "calibrate",
    output_options.output_options(
        ("table", "json"), metavar="FILE.toml", output="The fitted inputs, for --inputs.", show_default=False
    ),
)
@click.argument("runs", metavar="RUNS.csv", type=click.Path())
@click.option("--fit", metavar="INPUT,...", required=True, help="Which inputs to fit, of those marked `fitted`.")
@click.option(
    "--hold-out", "group", metavar="COLUMN", default="", help="Hold out together what is the same in this column."
)
@click.option("--ignore", metavar="COLUMN", multiple=True, help="A column that says nothing; repeatable.")
def command(asked: Asked) -> None:
    """Fit inputs to measured runs: columns of RUNS.csv are inputs and quantities, such as `inference.tpot (ms)`.

    What options say, such as --model, holds for all runs.
    """
    fit = [each.strip() for each in asked.fit.split(",")]
    found = ask.calibrate.calibrate(asked.evaluator, asked.request(ask.calibrate.CalibrateRequest, fit=fit))
    print_or_write(export.calibration.calibration_text(found, asked.form, this_screen()), None)
    if asked.output is not None:
        export.files.write_whole(asked.output, export.calibration.scenario_text(found, asked.runs))
        say(f"{asked.output}: written, for --inputs.", err=True)
