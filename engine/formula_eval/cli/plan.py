"""Implements `plan`: finds what a service or a training run takes on each accelerator that is allowed."""

from typing import TYPE_CHECKING

import click

from formula_eval import analyse, ask, export
from formula_eval.cli import options, output_options, verb_command
from formula_eval.cli.asked import Asked, verb
from formula_eval.cli.output import say
from formula_eval.cli.terminal import is_terminal
from formula_eval.core.diagnostic import refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from formula_eval.analyse.plan.planned import Plan
    from formula_eval.ask.plan import Planning
    from formula_eval.records.givens import Question

_FORMATS = ("table", "json", "csv", "xlsx", "html", "md")


@verb(
    "plan",
    output_options.file_options(_FORMATS, "FILE.xlsx, FILE.html, FILE.md (a brief), FILE.json or FILE.csv instead."),
    several=True,
    cls=verb_command.JobCommand,
)
@click.option(
    "--traffic",
    metavar="MIX",
    default="",
    help="Classes of requests by share: chat=0.6,code=0.4; `list workloads` has them.",
)
@click.option(
    "--profile",
    metavar="FILE.csv",
    default="",
    help="24 rates of a day, in requests each second, or `triangle`: the fewest replicas of each hour.",
)
@click.option("--pools", is_flag=True, help="Also size pools apart for prefill and decode, and compare them with one.")
@options.seconds_option(
    "Time limit in seconds, shared by all alternatives; those not reached are named.", None, "60 for each"
)
def command(asked: Asked) -> None:
    """What requests within targets, a batch job or a training run take on each accelerator: --gpu h100-sxm,h200-sxm.

    Serving: --request-rate of the busiest hour (or --mean-request-rate and --peak-to-mean), --ttft-target,
    --tpot-target, --late-share. A batch job: --job-requests, --deadline, and --gpus where there are no more.
    Training: --training with --training-tokens, --deadline, --run-budget; without tokens, the most that a budget
    allows, or a deadline on so many --gpus.

    A service by the hour: --profile day.csv, 24 rates; with --request-rate or --users their shape alone. Without
    rates, --profile triangle: they rise evenly to --busiest-hour and fall again, by --hours-per-day and --peak-to-mean.

    A simpler layout is taken where it costs nearly the same: --simplicity-premium 0 takes the cheapest.
    """
    form = asked.form or ("table" if asked.output is None else _named(asked.output))
    profile = asked.profile
    if profile and not ask.day_profile.is_word(profile):
        profile = ask.day_profile.day_rates(profile)  # once: a shell's pipe is read but once
    evaluator, request = asked.evaluator, asked.request(ask.plan.PlanRequest, profile=profile)
    demand = ask.plan.demand_of(evaluator, request)
    write = _writer_of(form, asked, demand)
    plan = ask.plan.plan(evaluator, request, _tell)
    asked.tell_ignored(plan.effects, analyse.record_grid.stated_once(evaluator, asked.question))
    more = [
        *(["--traffic", asked.traffic] if asked.traffic else ()),
        *(["--profile", asked.profile] if asked.profile else ()),
    ]
    again = asked.again(verb=("plan",), more=[*more, *(["--pools"] if asked.pools else ())])
    if write is not None:
        export.files.write_whole(str(asked.output), write(plan, again))
    elif form == "json":
        asked.write(export.json_csv.json_text(export.plan.data.plan_data(plan, evaluator, again)))
    elif form == "csv":
        asked.write(export.plan.data.plan_csv(plan, evaluator))
    else:
        mixed = demand.question.values.keys() - asked.question.values.keys()  # --traffic says them to `plan` alone

        def command_of(question: "Question") -> str:
            said = {name: value for name, value in question.values.items() if name not in mixed}
            return asked.again(question._replace(values=said), verb=("plan",) if more else (), more=more)

        best = plan.best.question if plan.best else None
        commands = [("Command", command_of(best))] if best else []
        for part in plan.pooled.parts if plan.pooled else ():
            commands += [(part.pool.title(), command_of(part.question))] if part.question else []
        commands += [("Mix", command_of(each.question)) for each in (plan.mix.parts if plan.mix else ())]
        asked.write(export.plan.text.plan_text(plan, evaluator, asked.screen, commands))


def _writer_of(form: str, asked: Asked, demand: "Planning") -> "Callable[[Plan, str], bytes] | None":
    """What writes the file of a form, given the plan and its command; None of one that may be printed.

    Raises FormulaError without a file to write, and for a wrong report, before anything is sought.
    """
    if form not in ("xlsx", "html", "md"):
        return None
    if asked.output is None:
        raise refuse("bad-value", f"`{form}` needs a file", help=f"Name it with -o plan.{form}.")
    evaluator, library, schema = asked.evaluator, asked.evaluator.library, asked.evaluator.schema
    purpose = demand.section
    if form != "xlsx":
        write = export.plan.plan_page.plan_page if form == "html" else export.plan.plan_brief.plan_brief
        page = export.plan.rows.read_plan_page(library, purpose, schema, demand.demand.layout)
        return lambda plan, command: write(plan, evaluator, page, command, demand.workloads).encode()
    sheet = export.plan.rows.read_plan_sheet(library, purpose, schema, demand.demand.layout)
    return lambda plan, command: export.plan.plan_sheet.plan_workbook(plan, evaluator, sheet, command)


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
