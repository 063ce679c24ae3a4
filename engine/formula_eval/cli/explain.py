"""Implements `explain`: shows how values come about, down to who set each input."""

from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.output import say
from formula_eval.cli.terminal import paints, this_screen


@click.command("explain", cls=options.QuestionCommand)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=options.complete_quantity)
@options.question_options
@click.option("--depth", type=click.IntRange(0, 100), default=3, show_default=True, help="How many levels to go down.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
@click.pass_context
def command(ctx: click.Context, /, names: tuple[str, ...], depth: int, form: str, **asked: Any) -> None:  # noqa: ANN401 - the shared options
    """How the values NAME... come about: formula, numbers, file and line, and who set each input."""
    from formula_eval.analyse.explain import explain  # noqa: PLC0415 - loads the parser
    from formula_eval.evaluate.conversion import refuse_unchosen, selected  # noqa: PLC0415
    from formula_eval.evaluate.required_choices import lacking, reasons  # noqa: PLC0415
    from formula_eval.export.terminal.derivation import derivation_data, derivation_text  # noqa: PLC0415
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415

    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    evaluator, wanted = selected(evaluator, names, question)
    givens = evaluator.givens(question)
    refuse_unchosen(evaluator, names, givens, question)
    lacks = lacking(wanted, givens.values, evaluator.schema)
    told = [name for name in wanted if name not in lacks] or wanted
    steps = [explain(evaluator, givens, name, depth, question.namespace) for name in told]
    for reason in reasons(lacks):
        say(f"note: {reason}", err=True)
    note_cache(evaluator)
    if form == "json":
        say(json_text([derivation_data(each) for each in steps]), nl=False)
    else:
        say("\n".join(derivation_text(each, this_screen()) for each in steps), nl=False, coloured=paints())
