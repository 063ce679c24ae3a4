"""Defines the options that verbs share: the library, the question, what is shown, and who computes it.

`library_option` is for verbs that ask no question, `question_options` for those that evaluate.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from formula_eval.cli.verb_command import evaluator_of, words_before
from formula_eval.core.namespace import COPY_MARK
from formula_eval.records.roles import roles_of

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


def complete_quantity(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Completion of the names of quantities, from the cached schema, or of the words that an input before it may be."""
    del parameter
    words = words_before(ctx)
    names = words or evaluator_of(ctx).select(["*"])
    return [name for name in names if name.startswith(incomplete)]


def complete_answer(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Completion of what can be asked about: the folders of formulas, from the cached schema."""
    del parameter
    evaluator = evaluator_of(ctx)
    folders = sorted({formula.namespace for formula in evaluator.schema.formulas.values() if formula.is_listed} - {""})
    names = dict.fromkeys(folders if evaluator.library.is_alone else (*roles_of(evaluator.library).purposes, *folders))
    return [name for name in names if name.startswith(incomplete)]


def library_option(function: _Decorated) -> _Decorated:
    """Add `--library` and `--no-cache`."""
    help_ = "A folder of your own formulas and records; repeatable."
    function = click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")(function)
    return click.option("--library", metavar="DIR", multiple=True, type=click.Path(), help=help_)(function)


def seconds_option(help_: str, default: float | None = 60.0, shown: str = "") -> Callable[[_Decorated], _Decorated]:
    """Add `--seconds`, which limits how long a search takes; `shown` is what the help says of the default."""
    kind = click.FloatRange(0)
    return click.option("--seconds", metavar="N", type=kind, default=default, show_default=shown or True, help=help_)


def only_option(help_: str) -> Callable[[_Decorated], _Decorated]:
    """`--only` of quantities, each by itself or with commas between them; `help_` says what it is for here."""

    def apart(_ctx: click.Context, _option: click.Parameter, said: tuple[str, ...]) -> tuple[str, ...]:
        parts = (name for one in said for name in ([one] if COPY_MARK in one else one.split(",")))
        return tuple(part.strip() for part in parts)

    return click.option(
        "--only", metavar="GLOB,...", multiple=True, shell_complete=complete_quantity, callback=apart, help=help_
    )


def worker_options(function: _Decorated) -> _Decorated:
    """Add `--workers` and `--cluster`."""
    help_ = "Compute on the workers of this Dask scheduler."
    function = click.option("--cluster", metavar="ADDRESS", default="", help=help_)(function)
    help_ = "Compute in so many processes of this machine."
    return click.option("--workers", metavar="N", type=click.IntRange(1), help=help_)(function)


class _AnswerOption(click.Option):
    """Its help names the purposes where our own formulas are."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        if record is None or not ctx.obj:
            return record
        library = evaluator_of(ctx).library
        if library.is_alone:
            return record[0], "The folder of formulas to show."
        return record[0], f"What to ask about: {', '.join(roles_of(library).purposes)}, or a folder of formulas."


_OPTIONS = (
    click.option(
        "--inputs",
        metavar="FILE",
        type=click.Path(),
        help="A TOML, JSON or YAML file of inputs, or an edited workbook.",
    ),
    click.option(
        "--from",
        "launch",
        metavar="TEXT",
        help="What you run: a launch command, or a file that holds one (script, manifest, configuration).",
    ),
    click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Any input, as in `list inputs`."),
    click.option(
        "--answer",
        cls=_AnswerOption,
        metavar="NAME",
        default="",
        shell_complete=complete_answer,
        help="What to ask about.",
    ),
    click.option("--namespace", metavar="NAME", default="", hidden=True, help="The same as --answer NAME."),
    library_option,
)


def question_options(function: _Decorated) -> _Decorated:
    """Add the options that ask a question."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
