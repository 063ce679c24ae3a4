"""The options that say where formulas come from, for verbs that ask no question."""

import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

import click

from formula_eval.cache import Cache, cache_directory
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import COMPILED, find_library

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


class LibraryCommand(click.Command):
    """A command with an evaluator of the library that its options name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self.find_library(ctx, args)
        return super().parse_args(ctx, args)

    def find_library(self, ctx: click.Context, args: list[str]) -> None:
        """Make the evaluator before anything else is read: the library says which options there are."""
        if not ctx.obj:
            cache = Cache(None) if "--no-cache" in args else Cache(cache_directory(), COMPILED)
            ctx.obj = {"evaluator": Evaluator(find_library(values_of("--library", args)), cache, _announce)}


def _announce(what: str) -> None:
    """Tell a person who waits at a terminal; a pipe or a file hears nothing."""
    if sys.stderr.isatty():
        click.echo(what, err=True)


def evaluator_of(ctx: click.Context) -> Evaluator:
    """The evaluator of this run."""
    found: Evaluator = ctx.obj["evaluator"]
    return found


def values_of(option: str, args: list[str]) -> list[str]:
    """The values of an option that must be known before click reads it."""
    following = [value for name, value in pairwise(args) if name == option]
    return following + [each.partition("=")[2] for each in args if each.startswith(f"{option}=")]


def library_option(function: _Decorated) -> _Decorated:
    """Add `--library` and `--no-cache`."""
    help_ = "A folder of your own formulas, models, hardware; repeatable."
    function = click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")(function)
    return click.option("--library", metavar="DIR", multiple=True, type=click.Path(), help=help_)(function)
