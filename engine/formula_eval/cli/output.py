"""Prints text to standard output or error, with control characters from foreign text made visible and harmless."""

import re
from contextlib import suppress

import click

# All that a terminal obeys or does not show, but for line ends, tabs and the colours that we set ourselves.
_COLOUR = r"\x1b\[[0-9;]*m"
_UNSEEN = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
_UNSEEN_OR_COLOUR = rf"({_COLOUR})|{_UNSEEN}"


def say(text: str, *, nl: bool = True, err: bool = False, coloured: bool = False) -> None:
    """Print a text; `coloured` if it holds colours of ours. What nobody can read on standard error is lost."""
    shown = harmless(text, coloured=coloured)
    if not err:
        click.echo(shown, nl=nl)
        return
    with suppress(OSError):
        click.echo(shown, nl=nl, err=True)


def harmless(text: str, *, coloured: bool = False) -> str:
    """The text with a code such as `[U+001B]` for each character that a terminal would obey or not show."""
    if text.replace("\n", "").isprintable():
        return text
    return re.sub(_UNSEEN_OR_COLOUR if coloured else _UNSEEN, _seen, text)


def _seen(found: re.Match[str]) -> str:
    kept = found[1] if found.re.groups else None
    return kept or f"[U+{ord(found[0]):04X}]"
