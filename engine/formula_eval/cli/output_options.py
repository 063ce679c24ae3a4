"""Defines the options that say in which form an answer is printed, drawn or written, and where."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from formula_eval.cli.verb_command import WrittenFile, evaluator_of
from formula_eval.export.palette import THEMES
from formula_eval.records.record_files import all_records
from formula_eval.records.record_names import named

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])

# What people call a form, where a verb knows it by another name.
_SAME = {
    "md": "markdown",
    "markdown": "md",
    "xlsx": "excel",
    "workbook": "excel",
    "spreadsheet": "excel",
    "tex": "latex",
    "paper": "latex",
    "page": "html",
    "web": "html",
    "webpage": "html",
    "py": "python",
    "svg": "graph",
    "text": "table",
}


class Form(click.Choice[str]):
    """One of several forms, by its name or one that people give it: `md` and `markdown` are the same.

    Who gives `--format` a number format is told which option takes one.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - as in click
        same = _SAME.get(str(value).lower())
        if value not in self.choices and same in self.choices:
            return same
        if value not in self.choices and ctx is not None and param is not None and param.name == "form":
            self._refuse_record(str(value), param, ctx)
        return super().convert(value, param, ctx)

    def _refuse_record(self, value: str, param: click.Parameter, ctx: click.Context) -> None:
        """Refuse the name of a record of the kind that is called as the option is."""
        evaluator, option = evaluator_of(ctx), max(param.opts, key=len).removeprefix("--")
        kind = evaluator.schema.kinds.get(option)
        if kind is not None and all(named(name, all_records(evaluator.library, kind)) for name in value.split(",")):
            self.fail(f"`--{option}` says how to print.\nhelp: Write `{kind.option} {value}`.", param, ctx)


def output_options(
    formats: Sequence[str],
    *,
    metavar: str = "FILE",
    output: str = "Write there instead.",
    show_default: bool = True,
) -> Callable[[_Decorated], _Decorated]:
    """Add `--format`, the first of these by default, and `--output`."""
    form = click.option(
        "--format", "form", type=Form(formats), default=formats[0], show_default=show_default, help="How to print."
    )
    return _both(form, click.option("-o", "--output", metavar=metavar, type=WrittenFile(), help=output))


def file_options(formats: Sequence[str], output: str) -> Callable[[_Decorated], _Decorated]:
    """Add `--format`, which the name of a file says by itself, and `--output`."""
    form = click.option("--format", "form", type=Form(formats), help="How to print; a file says it by its name.")
    return _both(form, click.option("-o", "--output", metavar="FILE", type=WrittenFile(), help=output))


def _both(
    first: Callable[[_Decorated], _Decorated], second: Callable[[_Decorated], _Decorated]
) -> Callable[[_Decorated], _Decorated]:
    return lambda function: first(second(function))


def plot_options(function: _Decorated) -> _Decorated:
    """Add `--plot` and `--theme`."""
    help_ = "A picture too: FILE.svg, FILE.png or FILE.html."
    theme = click.option("--theme", type=click.Choice(THEMES), default=THEMES[0], help="Of a picture in SVG or PNG.")
    return click.option("--plot", metavar="FILE", type=WrittenFile(), help=help_)(theme(function))
