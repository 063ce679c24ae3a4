"""Implements `search`: finds the best configuration for a goal under conditions."""

from typing import TYPE_CHECKING, Any

import click

from formula_eval.cli import options
from formula_eval.cli.command_line import command_line
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_ignored
from formula_eval.cli.launch_ending import ending_of
from formula_eval.cli.output import say
from formula_eval.cli.plot import draw, refuse_unless_drawn
from formula_eval.cli.progress import progress
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.cli.time_limit import seconds_option
from formula_eval.export.formats import SHAPES

if TYPE_CHECKING:
    from formula_eval.analyse.search.outcome import Outcome

_FORMATS = ("table", "json", "csv", "parquet")
_INTERRUPTED = 130


@click.command("search", cls=options.QuestionCommand)
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
    "--top", metavar="N", type=click.IntRange(1, 1000), default=6, show_default=True, help="So many of the best."
)
@click.option("--seed", metavar="N", type=click.IntRange(0), default=0, show_default=True, help="Draw other errors.")
@click.option("--yes", is_flag=True, help="Compute every configuration, however many there are.")
@seconds_option("Seek a proof for so long where there are too many to compute.")
@click.option("--workers", metavar="N", type=click.IntRange(1), help="Compute in so many processes of this machine.")
@click.option("--cluster", metavar="ADDRESS", default="", help="Compute on the workers of this Dask scheduler.")
@options.question_options
@options.plot_options
@click.option(
    "--launch",
    "program",
    metavar="PROGRAM",
    default="",
    help="End in what runs the best with this program, such as vllm; FILE is then that.",
)
@click.option("--as", "shape", type=click.Choice(SHAPES), help="launch: a command, the default, or a manifest.")
@click.option("--format", "form", type=options.Form(_FORMATS), help="How to print; a file says it by its name.")
@click.option(
    "-o", "--output", metavar="FILE", type=options.WrittenFile(), help="The best 1,000 in FILE.csv, .parquet or .json."
)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    minimise: str | None,
    maximise: str | None,
    where: tuple[str, ...],
    top: int,
    seed: int,
    yes: bool,
    seconds: float,
    workers: int | None,
    cluster: str,
    form: str | None,
    output: str | None,
    program: str,
    shape: str | None,
    plot: str | None,
    theme: str,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> int:
    """The best configuration for a goal: what nobody sets varies, as far as checks and conditions allow.

    An option with several values, as in `sweep`, varies too: --gpu h100-sxm,h200-sxm.
    """
    from formula_eval.analyse.search.record_grid import stated_once  # noqa: PLC0415 - as below
    from formula_eval.analyse.search.search_plan import Sought  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.search.search_space import goal_of  # noqa: PLC0415
    from formula_eval.analyse.search.search_workers import search_on  # noqa: PLC0415
    from formula_eval.evaluate.situation import titles  # noqa: PLC0415
    from formula_eval.export.plot.search_picture import search_picture  # noqa: PLC0415
    from formula_eval.export.search.search_files import search_rows  # noqa: PLC0415
    from formula_eval.export.search.search_layout import read_search_space  # noqa: PLC0415
    from formula_eval.export.sweep.row_formats import format_of  # noqa: PLC0415
    from formula_eval.export.terminal.search_text import SearchText  # noqa: PLC0415

    refuse_unless_drawn(plot)
    evaluator = options.evaluator_of(ctx)
    question = options.questions_of(ctx, asked)
    ending = ending_of(program, shape, form, evaluator)
    question = ending.question(question, evaluator) if ending else question
    form = form or ("table" if output is None or ending else format_of(output, None))
    space = read_search_space(evaluator.library, question.about(evaluator.library), evaluator.schema)
    space = ending.space(space) if ending else space
    sought = Sought(goal_of(minimise, maximise), where, seed, yes, seconds)
    with search_on(workers, cluster, evaluator, question, space, sought) as search:
        note_cache(evaluator)
        interrupted = False
        size = search.size
        with progress(size) as tell:
            try:
                search.run(tell)
            except KeyboardInterrupt:
                interrupted = True
    found = search.found()
    tell_ignored(evaluator, question, search.effects(), stated_once(evaluator, question))
    told = found.best or found.nearest
    again = command_line(evaluator, told.question, libraries=asked["library"]) if told else ""
    launch = ending.text(found.best.question, evaluator) if ending and found.best else ""
    own_file = output if ending and ending.is_file else None
    if form == "table":
        rows = None if own_file else output
        text = SearchText(found, titles(evaluator.library), this_screen(coloured=rows is None)).text(top, again)
        print_or_write(f"{text}\n{launch}" if launch and not own_file else text, rows)
    else:
        search_rows(found, form, again, output, launch)
        if output is not None:
            say(f"{output}: {_written(found)}.", err=True)
    draw(plot, theme, evaluator, lambda: search_picture(found, titles(evaluator.library), evaluator.library))
    if ending and own_file:
        ending.write(launch, own_file)
    if interrupted:
        say(f"Interrupted: {size - found.proof.left:,} of {size:,} configurations were decided.", err=True)
        return _INTERRUPTED
    return 0


def _written(found: "Outcome") -> str:
    """What a file holds."""
    if found.proof.by_bounds:
        return "the best configuration" if found.best else "no configuration"
    return f"the best {len(found.leaders.places):,} of {found.counts.kept:,} that meet every condition"
