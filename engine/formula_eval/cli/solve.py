"""Implements `solve`: finds the values of an input at which conditions hold."""

import click

from formula_eval import ask, export
from formula_eval.cli import output_options
from formula_eval.cli.asked import Asked, verb


@verb("solve", output_options.output_options(("text", "json")))
@click.argument("name", metavar="INPUT")
@click.option("--where", metavar="CONDITION", multiple=True, help="What should hold, as 'inference.tpot <= 10 ms'.")
def command(asked: Asked) -> None:
    """The values of INPUT at which every CONDITION holds, written as in formulas; repeat --where for more of them."""
    request = asked.request(ask.solve.SolveRequest)
    found = ask.solve.solve(asked.evaluator, request)
    asked.tell_ignored(ask.solve.effects(asked.evaluator, request, found))
    asked.tell_defaults(*ask.solve.first_found(asked.evaluator, request, found), [found.name])
    asked.write(
        export.json_csv.json_text(export.solutions.solutions_data(found))
        if asked.form == "json"
        else export.solutions.solutions_text(found, asked.screen)
    )
