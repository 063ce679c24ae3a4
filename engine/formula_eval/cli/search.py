"""Implements `search`: finds the best configuration for a goal under conditions."""

from typing import TYPE_CHECKING

import click

from formula_eval import analyse, ask, export
from formula_eval.cli import options, output_options, verb_command
from formula_eval.cli.asked import INTERRUPTED, Asked, verb
from formula_eval.cli.launch_ending import ending_of
from formula_eval.cli.output import say
from formula_eval.cli.progress import progress
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.evaluate.situation import titles
from formula_eval.export.formats import SHAPES

if TYPE_CHECKING:
    from formula_eval.analyse.search.outcome import Outcome


@verb(
    "search",
    output_options.plot_options,
    click.option(
        "--launch",
        "program",
        metavar="PROGRAM",
        default="",
        help="End in what runs the best with this program, such as vllm; FILE is then that.",
    ),
    click.option("--as", "shape", type=click.Choice(SHAPES), help="launch: a command, the default, or a manifest."),
    output_options.file_options(("table", "json", "csv", "parquet"), "The best 1,000 in FILE.csv, .parquet or .json."),
    several=True,
    cls=verb_command.JobCommand,
)
@click.option(
    "--minimise",
    "--minimize",
    metavar="NAME",
    shell_complete=options.complete_quantity,
    help="The quantity whose smallest value is sought, such as training.step_time.",
)
@click.option(
    "--maximise",
    "--maximize",
    metavar="NAME",
    shell_complete=options.complete_quantity,
    help="The quantity whose largest value is sought.",
)
@click.option("--where", metavar="CONDITION", multiple=True, help="What has to hold, as 'training.mfu > 0.4'.")
@click.option(
    "--top", metavar="N", type=click.IntRange(1, 1000), default=6, show_default=True, help="How many best to list."
)
@click.option(
    "--seed", metavar="N", type=click.IntRange(0), default=0, show_default=True, help="Seed of the drawn errors."
)
@click.option("--yes", "anyway", is_flag=True, help="Compute every configuration, however many there are.")
@options.seconds_option("Time limit in seconds for a search too large to compute in full.")
@options.worker_options
def command(asked: Asked) -> int:
    """The best configuration for a goal: what nobody sets varies, as far as checks and conditions allow.

    An option with several values, as in `sweep`, varies too: --gpu h100-sxm,h200-sxm.
    """
    evaluator, question, output = asked.evaluator, asked.question, asked.output
    ending = ending_of(asked.program, asked.shape, asked.form, evaluator)
    form = asked.form or ("table" if output is None or ending else export.row_formats.format_of(output, None))
    request = asked.request(ask.search.SearchRequest)
    answer = ask.search.search(evaluator, ending.request(request, evaluator) if ending else request, progress)
    found, search = answer.outcome, answer.search
    asked.tell_ignored(search.effects(), analyse.record_grid.stated_once(evaluator, question))
    told = found.best or found.nearest
    again = asked.again(told.question) if told else ""
    launch = ending.text(found.best.question, evaluator) if ending and found.best else ""
    own_file = output if ending and ending.is_file else None
    if form == "table":
        rows = None if own_file else output
        screen = this_screen(coloured=rows is None)
        text = export.search_text.SearchText(found, titles(evaluator.library), screen).text(asked.top, again)
        print_or_write(f"{text}\n{launch}" if launch and not own_file else text, rows)
    else:
        export.search_files.search_rows(found, form, again, output, launch)
        if output is not None:
            say(f"{output}: {_written(found)}.", err=True)
    asked.draw(lambda: export.question_pictures.search_picture(found, titles(evaluator.library), evaluator))
    if ending and own_file:
        ending.write(launch, own_file)
    if answer.interrupted:
        done = f"{search.size - found.proof.left:,} of {search.size:,}"
        say(f"Interrupted: {done} configurations were decided.", err=True)
        return INTERRUPTED
    return 0


def _written(found: "Outcome") -> str:
    """What a file holds."""
    if found.proof.by_bounds:
        return "the best configuration" if found.best else "no configuration"
    return f"the best {len(found.leaders.places):,} of {found.counts.kept:,} that meet every condition"
