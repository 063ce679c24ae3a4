"""Kinds of options: a form of output, and the file that it goes to."""

from pathlib import Path
from typing import Any

import click

from formula_eval.core.diagnostic import refuse

_SAME = {"md": "markdown", "markdown": "md"}


class Form(click.Choice[str]):
    """One of several forms; `md` and `markdown` are the same."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - as in click
        same = _SAME.get(value)
        return super().convert(same if same in self.choices else value, param, ctx)


class Output(click.Path):
    """A file to write; no device or pipe, which writing a file as a whole would replace."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as in click
        path = Path(value).absolute()
        plain = path.is_file() and not path.is_relative_to("/dev")
        if path.exists() and not plain and not path.is_dir():
            help_ = "Name a file; what is printed without -o can go to a pipe."
            raise refuse("unwritable", f"Cannot write `{value}`: a device or pipe is no file", help=help_)
        return super().convert(value, param, ctx)
