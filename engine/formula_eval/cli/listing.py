"""Implements `list`: shows what can be asked for, and of what."""

import click

from formula_eval.analyse.listing import KINDS, listing, record_titles
from formula_eval.cli.errors import note_cache
from formula_eval.cli.options import library_option
from formula_eval.cli.output import say
from formula_eval.cli.terminal import paints, this_screen
from formula_eval.cli.verb_command import LibraryCommand, evaluator_of
from formula_eval.export.terminal.columns import listing_text
from formula_eval.export.terminal.json_csv import json_text


def _complete_list(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Completion of the lists that there are."""
    del parameter
    titles = [*record_titles(evaluator_of(ctx)).values(), *KINDS]
    return [title for title in titles if title.startswith(incomplete)]


@click.command("list", cls=LibraryCommand)
@click.argument("what", metavar="[WHAT]", required=False, default="lists", shell_complete=_complete_list)
@click.argument("words", nargs=-1, metavar="[WORD]...")
@library_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="How to print.")
@click.pass_context
def command(ctx: click.Context, /, what: str, words: tuple[str, ...], form: str, **_: object) -> None:
    """What there is; with words only the rows that contain them all. Alone, what can be listed.

    WHAT is inputs, formulas, situations, namespaces, libraries, units, evidence, or a kind of records:
    models, hardware, formats, engines, families.
    """
    evaluator = evaluator_of(ctx)
    found = listing(evaluator, what, words, shipped=True)
    note_cache(evaluator)
    if form == "json":
        say(json_text(found.to_data()), nl=False)
    else:
        say(listing_text(found, this_screen()), nl=False, coloured=paints())
