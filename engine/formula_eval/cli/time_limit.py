"""Defines the option `--seconds`, which limits how long a search takes."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


def seconds_option(help_: str) -> Callable[[_Decorated], _Decorated]:
    """Add `--seconds`, 60 by default."""
    return click.option("--seconds", metavar="N", type=click.FloatRange(0), default=60.0, show_default=True, help=help_)
