"""Implements `calibrate`: fits inputs to a user's own measured runs."""

from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.output import say
from formula_eval.cli.terminal import print_or_write, this_screen

_FORMATS = ("table", "json")


@click.command("calibrate", cls=options.QuestionCommand)
@click.argument("runs", metavar="RUNS.csv", type=click.Path())
@click.option(
    "--fit", "fit", metavar="INPUT,...", required=True, help="Which inputs to fit, such as gemm_efficiency_16."
)
@click.option(
    "--hold-out", "group", metavar="COLUMN", default="", help="Hold out together what is the same in this column."
)
@click.option("--ignore", metavar="COLUMN", multiple=True, help="A column that says nothing; repeatable.")
@options.question_options
@click.option("--format", "form", type=options.Form(_FORMATS), default=_FORMATS[0], help="How to print.")
@click.option(
    "-o", "--output", metavar="FILE.toml", type=options.WrittenFile(), help="The fitted inputs, for --inputs."
)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    runs: str,
    fit: str,
    group: str,
    ignore: tuple[str, ...],
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """Fit inputs to measured runs: columns of RUNS.csv are inputs and quantities, such as `inference.tpot (ms)`.

    What options say, such as --model, holds for all runs.
    """
    from formula_eval.analyse.calibration.calibration import calibration  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.calibration.run_table import read_runs  # noqa: PLC0415
    from formula_eval.export.calibration_files import scenario_text  # noqa: PLC0415
    from formula_eval.export.files import write_whole  # noqa: PLC0415
    from formula_eval.export.terminal.calibration import calibration_text  # noqa: PLC0415

    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    measured = read_runs(evaluator, question, runs, group, ignore)
    found = calibration(evaluator, measured, [each.strip() for each in fit.split(",")], question.namespace)
    note_cache(evaluator)
    print_or_write(calibration_text(found, form, this_screen()), None)
    if output is not None:
        write_whole(output, scenario_text(found, runs))
        say(f"{output}: written, for --inputs.", err=True)
