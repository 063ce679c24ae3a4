"""Implements `explain`: shows how values come about, down to who set each input."""

from dataclasses import asdict

import click

from formula_eval import analyse, export
from formula_eval.cli import options
from formula_eval.cli.asked import Asked, verb
from formula_eval.cli.output import say
from formula_eval.cli.terminal import paints, this_screen
from formula_eval.evaluate.required_choices import lacking, reasons
from formula_eval.evaluate.views import refuse_unchosen, selected


@verb(
    "explain",
    click.option(
        "--depth", type=click.IntRange(0, 100), default=3, show_default=True, help="How many levels to go down."
    ),
    click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print."),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=options.complete_quantity)
def command(asked: Asked) -> None:
    """How the values NAME... come about: formula, numbers, file and line, and who set each input."""
    question = asked.question
    evaluator, wanted = selected(asked.evaluator, asked.names, question)
    givens = evaluator.givens(question)
    refuse_unchosen(evaluator, asked.names, givens, question)
    lacks = lacking(wanted, givens.values, evaluator.schema)
    told = [name for name in wanted if name not in lacks] or wanted
    steps = [analyse.explain.explain(evaluator, givens, name, asked.depth, question.namespace) for name in told]
    for reason in reasons(lacks):
        say(f"note: {reason}", err=True)
    if asked.form == "json":
        say(export.json_csv.json_text([asdict(step) for step in steps]), nl=False)
    else:
        texts = (export.derivation.derivation_text(step, this_screen()) for step in steps)
        say("\n".join(texts), nl=False, coloured=paints())
