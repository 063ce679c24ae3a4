"""Implements `sweep`: computes every combination of several values of any option."""

import sys
from typing import TYPE_CHECKING, Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.output import say
from formula_eval.cli.plot import draw, refuse_unless_drawn
from formula_eval.cli.progress import progress
from formula_eval.cli.terminal import print_or_write, this_screen

if TYPE_CHECKING:
    from formula_eval.analyse.sweep.sweep import Sweep
    from formula_eval.export.plot.chart_data import Picture

_FORMATS = ("table", "csv", "json", "parquet")
_INTERRUPTED = 130


@click.command("sweep", cls=options.QuestionCommand)
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    shell_complete=options.complete_quantity,
    help="Quantities to compute, a column each, such as `inference.ttft in ms`; repeatable.",
)
@click.option(
    "--where", metavar="CONDITION", multiple=True, help="Keep what meets it: `memory.fits`, `inference.tpot < 20 ms`."
)
@click.option("--zip", "zipped", is_flag=True, help="Take the first value of every option, then the second, ...")
@click.option("--sample", metavar="N", type=int, help="So many configurations drawn at random.")
@click.option("--seed", metavar="N", type=click.IntRange(0), default=0, show_default=True, help="Draw others.")
@click.option("--workers", metavar="N", type=click.IntRange(1), help="Compute in so many processes of this machine.")
@click.option("--cluster", metavar="ADDRESS", default="", help="Compute on the workers of this Dask scheduler.")
@click.option(
    "--backend",
    type=click.Choice(("auto", "numpy", "c")),
    default="auto",
    help="What computes: NumPy, or C that the compiler of this machine builds; by itself the faster one.",
)
@click.option("--yes", is_flag=True, help="Compute a grid of any size.")
@options.question_options
@options.plot_options
@click.option("--format", "form", type=options.Form(_FORMATS), help="How to print; a file says it by its name.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=options.WrittenFile(),
    help="All rows: FILE.csv, FILE.json, FILE.parquet, or many files in FOLDER.parquet/.",
)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    only: tuple[str, ...],
    where: tuple[str, ...],
    zipped: bool,
    sample: int | None,
    seed: int,
    workers: int | None,
    cluster: str,
    backend: str,
    yes: bool,
    plot: str | None,
    theme: str,
    form: str | None,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> int:
    """Every combination of the values of any options: --tp 1,2,4,8 --batch 1..512*2 --gpu h100-sxm,b200-sxm.

    `1..8` is every whole step, `1..512*2` each twice the last, `1024..131072:8` eight evenly spaced.
    """
    from formula_eval.analyse.sweep.cluster import sweep_on  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.sweep.sweep import Asked  # noqa: PLC0415 - as above
    from formula_eval.export.sweep.sweep_layout import usual_columns  # noqa: PLC0415

    refuse_unless_drawn(plot)
    evaluator = options.evaluator_of(ctx)
    question = options.questions_of(ctx, asked)
    usual = () if only else usual_columns(evaluator, question)
    sought = Asked(only, usual, where, zipped, sample, seed, yes, backend)
    with sweep_on(workers, cluster, evaluator, question, sought) as sweep:
        note_cache(evaluator)
        if complaint := sweep.prepare():
            say(f"{complaint}; NumPy computes instead.", err=True)
        if plot is not None:
            draw(plot, theme, evaluator, lambda: _picture(sweep))
            if form is None and output is None:
                return 0
        if form == "table" or (form is None and output is None):
            return _table(sweep, output)
        return _stream(sweep, form or "") if output is None else _write(sweep, form, output)


def _picture(sweep: "Sweep") -> "Picture":
    """All rows as a picture, which takes no more configurations than can be seen in one."""
    from formula_eval.analyse.sweep.sweep_frame import whole_of  # noqa: PLC0415 - as above
    from formula_eval.evaluate.situation import titles  # noqa: PLC0415
    from formula_eval.export.plot.sweep_picture import refuse_more_than_seen, sweep_picture  # noqa: PLC0415

    refuse_more_than_seen(sweep)
    batches = []
    with progress(sweep.size) as tell:
        for batch in sweep.batches():
            batches.append(batch)
            tell(batch.tally.tried)
    return sweep_picture(whole_of(sweep, batches), titles(sweep.library))


def _table(sweep: "Sweep", output: str | None) -> int:
    """The first rows and the counts, of as many batches as there is time for."""
    from formula_eval.evaluate.situation import titles  # noqa: PLC0415 - as above
    from formula_eval.export.terminal.sweep_table import SweepTable  # noqa: PLC0415

    table = SweepTable(sweep, titles(sweep.library))
    interrupted = False
    with progress(sweep.size) as tell:
        try:
            for batch in sweep.batches():
                table.add(batch)
                tell(batch.tally.tried)
        except KeyboardInterrupt:
            interrupted = True
    print_or_write("".join(f"{line}\n" for line in table.lines(this_screen(coloured=output is None))), output)
    return _interrupted(f"{table.tally.tried:,} of {sweep.size:,} configurations were computed.") if interrupted else 0


def _stream(sweep: "Sweep", form: str) -> int:
    """Rows on standard output as they are computed."""
    from formula_eval.export.sweep.row_formats import text_rows  # noqa: PLC0415 - as above

    with progress(sweep.size) as tell:
        rows = text_rows(form, sweep.columns)
        rows.stream(sweep.each(rows.counted), sys.stdout.buffer, tell)
    return 0


def _write(sweep: "Sweep", form: str | None, output: str) -> int:
    """All rows in a file; what is done stays where the work is interrupted."""
    from formula_eval.export.sweep.parts import Parts  # noqa: PLC0415 - as above
    from formula_eval.export.sweep.row_formats import FORMATS, format_of  # noqa: PLC0415
    from formula_eval.export.terminal.sweep_table import summary  # noqa: PLC0415

    parts = Parts(output, sweep, FORMATS[format_of(output, form)](sweep.columns))
    for each in parts.damaged:
        say(f"{each} is damaged: its rows are computed again.", err=True)
    if parts.done:
        say(f"{parts.done:,} of {sweep.size:,} configurations are there already.", err=True)
    with progress(sweep.size) as tell:
        try:
            tally = parts.write(tell)
        except KeyboardInterrupt:
            done = f"{parts.done:,} of {sweep.size:,} configurations are kept in {parts.folder}"
            return _interrupted(f"{done}; the same command goes on from there.")
    say(f"{output}: {tally.kept:,} rows. {summary(tally, sweep)}.", err=True)
    return 0


def _interrupted(what: str) -> int:
    say(f"Interrupted: {what}", err=True)
    return _INTERRUPTED
