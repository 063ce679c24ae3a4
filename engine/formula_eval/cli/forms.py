"""Options that choose a form of output."""

from typing import Any

import click

_SAME = {"md": "markdown", "markdown": "md"}


class Form(click.Choice[str]):
    """One of several forms; `md` and `markdown` are the same."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - as in click
        same = _SAME.get(value)
        return super().convert(same if same in self.choices else value, param, ctx)
