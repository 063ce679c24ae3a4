"""Implements `fmt`: rewrites formula files in canonical form."""

import click

from formula_eval.check.format import formatted
from formula_eval.cli.output import say
from formula_eval.export import files
from formula_eval.libraries import find_library


@click.command("fmt")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; list the files that differ and exit with 2.")
def command(paths: tuple[str, ...], *, only_check: bool) -> int:
    """Write formula files in their one form: those of PATH, or the whole library."""
    differing = [each for each in formatted(find_library(), paths) if each.text != each.canonical]
    for each in differing:
        say(each.shown)
        if not only_check:
            files.write_whole(each.path, each.canonical)
    return 2 if differing and only_check else 0
