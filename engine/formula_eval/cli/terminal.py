"""Standard output to a screen (its width, its characters, its colours), and a text to it or to a file."""

import os
import sys

import click

from formula_eval.export.terminal.screen import Screen, screen

_WIDTH = 80
_STYLES: dict[str, dict[str, object]] = {
    "title": {"bold": True},
    "strong": {"bold": True},
    "dim": {"dim": True},
    "good": {"fg": "green"},
    "bad": {"fg": "red", "bold": True},
    "bar": {"fg": "blue"},
    "part0": {"fg": "blue"},
    "part1": {"fg": "cyan"},
    "part2": {"fg": "magenta"},
    "warn": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan"},
    "compute": {"fg": "magenta"},
    "memory": {"fg": "blue"},
    "link": {"fg": "yellow"},
    "launch": {"dim": True},
    "host": {"dim": True},
}


def this_screen(*, coloured: bool = True) -> Screen:
    """The screen that standard output is; colours only on a terminal and without NO_COLOR."""
    wanted = coloured and is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return screen(_columns(), sys.stdout.encoding or "ascii", _painted if wanted else _plain)


def _columns() -> int:
    """How wide the terminal is: `shutil` knows too, but it takes longer to import than to answer."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or _WIDTH
    except OSError:
        return _WIDTH


def print_or_write(text: str, output: str | None) -> None:
    """The text on standard output, or in a file of this name; raises FormulaError if that cannot be written."""
    if output is None:
        click.echo(text, nl=False)
    else:
        from formula_eval.export.files import write_whole  # noqa: PLC0415 - seldom needed

        write_whole(output, text)


def is_terminal() -> bool:
    """Whether somebody looks at standard output."""
    return sys.stdout.isatty()


def _plain(text: str, _style: str) -> str:
    return text


def _painted(text: str, style: str) -> str:
    return click.style(text, **_STYLES[style]) if text.strip() and style in _STYLES else text  # type: ignore[arg-type]
