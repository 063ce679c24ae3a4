"""Implements `sweep`: computes every combination of several values of any option."""

import sys
from typing import TYPE_CHECKING

import click

from formula_eval import analyse, ask, export
from formula_eval.cli import options, output_options
from formula_eval.cli.asked import INTERRUPTED, Asked, verb
from formula_eval.cli.output import say
from formula_eval.cli.progress import progress
from formula_eval.cli.terminal import this_screen
from formula_eval.evaluate.situation import titles

if TYPE_CHECKING:
    from formula_eval.analyse.sweep.sweep_batches import Sweep
    from formula_eval.export.plot.chart_data import Picture


@verb(
    "sweep",
    output_options.plot_options,
    output_options.file_options(
        ("table", "csv", "json", "parquet"),
        "All rows: FILE.csv, FILE.json, FILE.parquet, or many files in FOLDER.parquet/.",
    ),
    several=True,
)
@options.only_option("Quantities to compute, a column each, such as `inference.ttft in ms`; repeatable.")
@click.option(
    "--where", metavar="CONDITION", multiple=True, help="Keep what meets it: `memory.fits`, `inference.tpot < 20 ms`."
)
@click.option("--zip", "zipped", is_flag=True, help="Take the first value of every option, then the second, ...")
@click.option("--sample", metavar="N", type=int, help="How many configurations to draw at random.")
@click.option("--seed", metavar="N", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draws.")
@options.worker_options
@click.option("--yes", "anyway", is_flag=True, help="Compute a grid of any size.")
def command(asked: Asked) -> int:
    """Every combination of the values of any options: --tp 1,2,4,8 --batch 1..512*2 --gpu h100-sxm,b200-sxm.

    `1..8` is every whole step, `1..512*2` each twice the last, `1024..131072:8` eight evenly spaced.
    """
    form, output = asked.form, asked.output
    with ask.sweep.sweep(asked.evaluator, asked.request(ask.sweep.SweepRequest)) as sweep:
        asked.draw(lambda: _picture(sweep))
        if asked.plot is not None and form is None and output is None:
            return 0
        if form == "table" or (form is None and output is None):
            return _table(sweep, asked)
        return _stream(sweep, form) if output is None else _write(sweep, form, output)


def _picture(sweep: "Sweep") -> "Picture":
    """All rows as a picture, which takes no more configurations than can be seen in one."""
    export.sweep_picture.refuse_more_than_seen(sweep)
    batches = []
    with progress(sweep.size) as tell:
        for batch in sweep.batches():
            batches.append(batch)
            tell(batch.tally.tried)
    whole = analyse.sweep_frame.whole_of(sweep, batches)
    return export.sweep_picture.sweep_picture(whole, titles(sweep.library))


def _table(sweep: "Sweep", asked: Asked) -> int:
    """The first rows and the counts, of as many batches as there is time for."""
    table = export.sweep_table.SweepTable(sweep, titles(sweep.library))
    interrupted = False
    with progress(sweep.size) as tell:
        try:
            for batch in sweep.batches():
                table.add(batch)
                tell(batch.tally.tried)
        except KeyboardInterrupt:
            interrupted = True
    asked.write("".join(f"{line}\n" for line in table.lines(asked.screen)))
    first = analyse.record_grid.first_question(asked.evaluator, sweep.question)
    varied = [column.name for column in sweep.columns if column.is_axis]
    asked.tell_defaults(
        [column.name for column in sweep.columns if not column.is_axis], first, varied, levels=("note",)
    )
    return _interrupted(f"{table.tally.tried:,} of {sweep.size:,} configurations were computed.") if interrupted else 0


def _stream(sweep: "Sweep", form: str) -> int:
    """Rows on standard output as they are computed."""
    with progress(sweep.size) as tell:
        rows = export.row_formats.text_rows(form, sweep.columns)
        rows.stream(sweep.each(rows.counted), sys.stdout.buffer, tell)
    return 0


def _write(sweep: "Sweep", form: str | None, output: str) -> int:
    """All rows in a file; what is done stays where the work is interrupted."""
    formats = export.row_formats
    parts = export.parts.SweepParts(output, sweep, formats.FORMATS[formats.format_of(output, form)](sweep.columns))
    for name in parts.damaged:
        say(f"{name} is damaged: its rows are computed again.", err=True)
    if parts.done:
        say(f"{parts.done:,} of {sweep.size:,} configurations are there already.", err=True)
    with progress(sweep.size) as tell:
        try:
            tally = parts.write(tell)
        except KeyboardInterrupt:
            done = f"{parts.done:,} of {sweep.size:,} configurations are kept in {parts.folder}"
            return _interrupted(f"{done}; the same command goes on from there.")
    say(f"{output}: {tally.kept:,} rows. {export.sweep_table.summary(tally, sweep)}.", err=True)
    for line in export.sweep_table.tally_lines(tally, sweep.demand_of, this_screen()):
        say(line, err=True)
    return 0


def _interrupted(what: str) -> int:
    say(f"Interrupted: {what}", err=True)
    return INTERRUPTED
