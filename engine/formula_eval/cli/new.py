"""Implements `new`: writes a first library of one's own."""

from pathlib import Path

import click

from formula_eval.cli.output import say


@click.command("new")
@click.argument("folder", metavar="DIR", type=click.Path())
def command(folder: str) -> None:
    """Write a first library of formulas into DIR: a small whole example, to be changed into yours."""
    from formula_eval.export.scaffold import write_first_library  # noqa: PLC0415 - seldom needed

    for path in write_first_library(Path(folder)):
        say(str(path))
    say(f"\nNow `formula-eval --library {folder}` answers, and `formula-eval check {folder}` looks at it.")
