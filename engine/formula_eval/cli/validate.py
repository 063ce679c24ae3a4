"""Implements `validate`: shows how far the formulas are from measured runs."""

import click

from formula_eval import analyse, export
from formula_eval.cli import options, output_options, verb_command
from formula_eval.cli.errors import note_cache
from formula_eval.cli.terminal import is_terminal, print_or_write, this_screen
from formula_eval.records.roles import RUNNING

_FORMATS = ("table", "csv", "json", "md")
_LEFT_OUT = ("source", "publisher", *RUNNING)


@click.command("validate", cls=verb_command.LibraryCommand)
@click.argument("place", metavar="DIR", type=click.Path())
@click.option("--core", is_flag=True, help="Only the points that are marked `core`.")
@click.option("--source", metavar="GLOB", default="*", help="Only sources of this name, such as `*zero bubble*`.")
@click.option("--metric", metavar="GLOB", default="*", help="Only figures of this name, such as `ttft*`.")
@click.option("--points", is_flag=True, help="Also every row, and every line of each table.")
@click.option("--worst", metavar="N", type=click.IntRange(0), help="Also the N rows that are furthest off.")
@click.option(
    "--leave-out",
    type=output_options.Form(_LEFT_OUT),
    multiple=True,
    help="Also fit without each source, publisher, accelerator or engine, and predict it.",
)
@options.library_option
@click.option("--format", "form", type=output_options.Form(_FORMATS), default="table", help="How to print.")
@click.option("-o", "--output", metavar="FILE", type=verb_command.WrittenFile(), help="Write there instead.")
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    place: str,
    *,
    core: bool,
    source: str,
    metric: str,
    points: bool,
    worst: int | None,
    leave_out: tuple[str, ...],
    form: str,
    output: str | None,
    **_: object,
) -> None:
    """Compare the formulas with the runs in DIR/measured*.json: prediction, error, and what had to be assumed."""
    evaluator = verb_command.evaluator_of(ctx)
    chosen = analyse.comparisons.Selection(core, source, metric)
    validation = analyse.validation.validate(evaluator, place, chosen, leave_out)
    report, width = export.report, this_screen().width
    layout = export.tables.read_accuracy_layout(evaluator.library)
    if form != "table" or (points and not (output is None and is_terminal())):
        text = report.accuracy_text(validation, form, worst)
    elif points:
        text = report.points_text(validation, layout, width)
    else:
        text = report.summary_text(validation, layout, worst, width)
    note_cache(evaluator)
    print_or_write(text, output)
