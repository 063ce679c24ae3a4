"""Detects the width, characters and colours of the terminal, and writes text to it or to a file."""

import os
import sys
from functools import cache

import click

from formula_eval.cli.output import harmless, say
from formula_eval.export.palette import our_palette
from formula_eval.export.terminal.screen import Screen, screen

_WIDTH = 80
_STYLES: dict[str, dict[str, object]] = {
    "title": {"bold": True},
    "strong": {"bold": True},
    "dim": {"dim": True},
    "good": {"fg": "green"},
    "bad": {"fg": "red", "bold": True},
    "warn": {"fg": "yellow", "bold": True},
}
_STEPS = (0, 95, 135, 175, 215, 255)


def this_screen(*, coloured: bool = True) -> Screen:
    """The screen that standard output is; colours only on a terminal and without NO_COLOR."""
    encoding = (sys.stdout.encoding if sys.stdout else "") or "ascii"
    return screen(_columns(), encoding, _painted if coloured and paints() else _plain)


def paints() -> bool:
    """Whether what goes to standard output has colours."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


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
        say(text, nl=False, coloured=paints())
    else:
        from formula_eval.export.files import write_whole  # noqa: PLC0415 - seldom needed

        write_whole(output, harmless(text))


def is_terminal() -> bool:
    """Whether somebody looks at standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def _plain(text: str, _style: str) -> str:
    return text


def _painted(text: str, style: str) -> str:
    colour = style if style.startswith("#") else _named(style)
    looks = _STYLES.get(style) or ({"fg": _nearest_of_256(colour)} if colour else {})
    return click.style(text, **looks) if text.strip() and looks else text  # type: ignore[arg-type]


@cache
def _named(style: str) -> str:
    """The colour of a style that the palette has for a terminal."""
    palette = our_palette()
    return palette.colour(palette.terminal[style]) if style in palette.terminal else ""


def _nearest_of_256(colour: str) -> int:
    """The number of the nearest colour of the cube of six shades of red, green and blue."""
    shades = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    red, green, blue = (min(range(6), key=lambda step: abs(_STEPS[step] - shade)) for shade in shades)
    return 16 + 36 * red + 6 * green + blue
