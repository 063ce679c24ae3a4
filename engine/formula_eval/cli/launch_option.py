"""Implements `--from`: reads a launch command or file as the question that it asks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from formula_eval.cli.output import say
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import records_among

if TYPE_CHECKING:
    from formula_eval.records.launch_reading import Launch


def launch_of(
    ctx: click.Context,
    asked: Mapping[str, Any],
    evaluator: Evaluator,
    named: Mapping[str, str],
    values: Mapping[str, Any],
) -> "Launch | None":
    """What the text behind `--from` says, if there is one; what it leaves unknown is noted where no answer tells it.

    `named` are records and `values` inputs that stand beside it, which win.
    """
    if asked["launch"] is None:
        return None
    if asked["inputs"]:
        help_ = "Options beside either of them win: give the one, and the other's values as options."
        raise refuse("asked-twice", "`--from` and `--inputs` both say what is asked", help=help_)
    from formula_eval.launch.launch_reader import read_launch  # noqa: PLC0415
    from formula_eval.records.launch_reading import Beside  # noqa: PLC0415 - most questions launch nothing

    records, others = records_among(values, evaluator.schema)
    launch = read_launch(asked["launch"], evaluator.library, evaluator.schema, Beside({**records, **named}, others))
    whole_answer = ctx.command.name == "evaluate" and ctx.params.get("form") in ("table", "md")
    if not whole_answer or ctx.params.get("only"):
        for level, text in launch.remaining:
            say(f"{level}: {text}", err=True)
    return launch
