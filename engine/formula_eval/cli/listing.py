"""`list`: what there is to ask for, and what to ask it of."""

import click

from formula_eval.analyse.listing import KINDS, listing
from formula_eval.cli.errors import note_cache
from formula_eval.cli.options import LibraryCommand, evaluator_of, library_option
from formula_eval.cli.terminal import this_screen
from formula_eval.export.terminal.columns import listing_text
from formula_eval.export.terminal.json_csv import json_text


@click.command("list", cls=LibraryCommand)
@click.argument("what", type=click.Choice(list(KINDS)), metavar="WHAT")
@click.argument("wanted", required=False, default="", metavar="[FILTER]")
@library_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="How to print.")
@click.pass_context
def command(ctx: click.Context, /, what: str, wanted: str, form: str, **_: object) -> None:
    """What there is; with FILTER only the rows that contain it.

    WHAT is models, hardware, formats, engines, families, inputs, formulas or namespaces.
    """
    evaluator = evaluator_of(ctx)
    found = listing(evaluator, what, wanted)
    note_cache(evaluator)
    if form == "json":
        click.echo(json_text(found.to_data()), nl=False)
    else:
        click.echo(listing_text(found, this_screen()), nl=False)
