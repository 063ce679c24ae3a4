"""Implements `plan`: finds what a service or a training run takes on each accelerator that is allowed."""

from typing import TYPE_CHECKING, Any

import click

from formula_eval.cli import options
from formula_eval.cli.command_line import command_line
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_ignored
from formula_eval.cli.output import say
from formula_eval.cli.terminal import is_terminal, print_or_write, this_screen
from formula_eval.cli.time_limit import seconds_option
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable

    from formula_eval.analyse.plan.plan import Plan, PlanLayout

    _Writer = Callable[[Plan, str], bytes]

_FORMATS = ("table", "json", "csv", "xlsx", "html")


@click.command("plan", cls=options.QuestionCommand)
@click.option(
    "--traffic",
    metavar="MIX",
    default="",
    help="Classes of requests by share: chat=0.6,code=0.4; `list workloads` has them.",
)
@seconds_option("Seek for so long for each alternative.")
@options.question_options
@click.option("--format", "form", type=options.Form(_FORMATS), help="How to print; a file says it by its name.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=options.WrittenFile(),
    help="FILE.xlsx, FILE.html, FILE.json or FILE.csv instead.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    traffic: str,
    seconds: float,
    form: str | None,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """What requests within targets, or a training run, take on each accelerator and engine: --gpu h100-sxm,h200-sxm.

    Serving: --request-rate of the busiest hour (or --mean-request-rate and --peak-to-mean), --ttft-target,
    --tpot-target, --late-share. Training: --training with --training-tokens, --deadline, --run-budget; without
    tokens, the most that a budget allows, or a deadline on so many --gpus.

    A simpler layout is taken where it costs nearly the same: --simplicity-premium 0 takes the cheapest.
    """
    from formula_eval.analyse.plan.mixed_traffic import with_traffic  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.plan.plan import Demand, layout_for, make_plan  # noqa: PLC0415
    from formula_eval.analyse.search.record_grid import stated_once  # noqa: PLC0415
    from formula_eval.export.files import write_whole  # noqa: PLC0415
    from formula_eval.export.plan.plan_files import plan_csv, plan_data  # noqa: PLC0415
    from formula_eval.export.plan.plan_layout import read_plan_layout  # noqa: PLC0415
    from formula_eval.export.search.search_layout import read_search_space  # noqa: PLC0415
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415
    from formula_eval.export.terminal.plan_text import plan_text  # noqa: PLC0415

    form = form or ("table" if output is None else _named(output))
    evaluator = options.evaluator_of(ctx)
    plain = options.questions_of(ctx, asked)
    question = with_traffic(plain, traffic, evaluator.library, evaluator.schema)
    space = read_search_space(evaluator.library, question.about(evaluator.library), evaluator.schema)
    layout = layout_for(
        evaluator, question, read_plan_layout(evaluator.library, question.about(evaluator.library), evaluator.schema)
    )
    writer = _writer_of(form, evaluator, layout, question.about(evaluator.library), output=output, traffic=traffic)
    note_cache(evaluator)
    plan = make_plan(evaluator, question, Demand(space, layout, seconds), _tell)
    tell_ignored(evaluator, plain, plan.effects, stated_once(evaluator, plain))
    more = ["--traffic", traffic] if traffic else []
    again = command_line(evaluator, plain, libraries=asked["library"], verb=("plan",), more=more)
    if form == "json":
        print_or_write(json_text(plan_data(plan, evaluator, again)), output)
    elif writer is not None:
        write_whole(str(output), writer(plan, again))
    elif form == "csv":
        print_or_write(plan_csv(plan, evaluator), output)
    else:
        best = plan.best.question if plan.best else None
        mixed = question.values.keys() - plain.values.keys()  # --traffic says them, which `plan` alone knows
        said = {name: value for name, value in best.values.items() if name not in mixed} if best else {}
        verb = ("plan",) if traffic else ()
        asks = best and best._replace(values=said)
        one = command_line(evaluator, asks, libraries=asked["library"], verb=verb, more=more) if asks else ""
        print_or_write(plan_text(plan, evaluator, this_screen(coloured=output is None), [one]), output)


def _writer_of(  # noqa: PLR0913 - what a plan is written with
    form: str, evaluator: Evaluator, layout: "PlanLayout", purpose: str, *, output: str | None, traffic: str
) -> "_Writer | None":
    """What writes the file of a form, given the plan and its command; None of one that may be printed.

    Raises FormulaError without a file to write, and for a wrong report, before anything is sought.
    """
    if form not in ("xlsx", "html"):
        return None
    if output is None:
        raise refuse("bad-value", f"`{form}` needs a file", help=f"Name it with -o plan.{form}.")
    library, schema = evaluator.library, evaluator.schema
    if form == "html":
        from formula_eval.analyse.plan.mixed_traffic import workloads_of  # noqa: PLC0415 - loads NumPy
        from formula_eval.export.plan_page.plan_page import plan_page  # noqa: PLC0415
        from formula_eval.export.plan_page.plan_rows import read_plan_page  # noqa: PLC0415

        page = read_plan_page(library, purpose, schema, layout)
        mix = workloads_of(traffic, library, schema)
        return lambda plan, command: plan_page(plan, evaluator, page, command, mix).encode()
    from formula_eval.export.plan_sheet.plan_blocks import read_plan_sheet  # noqa: PLC0415 - loads NumPy
    from formula_eval.export.plan_sheet.plan_workbook import plan_workbook  # noqa: PLC0415 - loads xlsxwriter

    sheet = read_plan_sheet(library, purpose, schema)
    return lambda plan, command: plan_workbook(plan, evaluator, sheet, command)


def _tell(alternative: str) -> None:
    if is_terminal() and alternative:
        say(f"{alternative} ...", err=True)


def _named(output: str) -> str:
    """The format that a file's name says; raises FormulaError where it says none."""
    ending = output.rpartition(".")[2].lower()
    if ending in _FORMATS[1:]:
        return ending
    help_ = f"Name it {', '.join(f'.{each}' for each in _FORMATS[1:])}, or say which with --format."
    raise refuse("bad-value", f"The name of `{output}` does not say in what format to write", help=help_)
