"""Implements `show`: prints a formula as written, in every notation, with its sources and neighbours."""

from dataclasses import asdict

import click

from formula_eval import analyse, export
from formula_eval.cli import options, verb_command
from formula_eval.cli.output import say
from formula_eval.cli.terminal import paints, this_screen
from formula_eval.printing.notations import NOTATIONS


@click.command("show", cls=verb_command.LibraryCommand)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=options.complete_quantity)
@options.library_option
@click.option("--format", "form", type=click.Choice(["text", "latex", "json"]), default="text", help="How to print.")
@click.option("--notation", type=click.Choice(list(NOTATIONS)), help="Print the right sides alone, in this notation.")
@click.pass_context
def command(ctx: click.Context, /, names: tuple[str, ...], form: str, notation: str | None, **_: object) -> None:
    """The formulas NAME... as written: with LaTeX, SymPy, unit, sources, examples and what they read."""
    evaluator = verb_command.evaluator_of(ctx)
    wanted = [each for name in names for each in (evaluator.select([name]) if "*" in name else [name])]
    if notation is not None:
        say("\n".join(analyse.show.formula_in(notation, name, evaluator) for name in wanted))
        return
    described = [analyse.show.describe(name, evaluator) for name in wanted]
    if form == "json":
        say(export.json_csv.json_text([asdict(description) for description in described]), nl=False)
    elif form == "latex":
        say("\n".join(description.latex for description in described))
    else:
        texts = (export.description.description_text(description, this_screen()) for description in described)
        say("\n".join(texts), nl=False, coloured=paints())
