"""Implements `new`: writes a first library of one's own."""

from pathlib import Path

import click

from formula_eval.cli.output import say
from formula_eval.export import scaffold


@click.command("new")
@click.argument("folder", metavar="DIR", type=click.Path())
def command(folder: str) -> None:
    """Write a first library of formulas into DIR: a small whole example, to be changed into yours."""
    for path in scaffold.write_first_library(Path(folder)):
        say(str(path))
    say(f"\nNow `formula-eval --library {folder}` answers, and `formula-eval check {folder}` looks at it.")
