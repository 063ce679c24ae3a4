"""Marks what is not known in a text that is read but never run, such as `$HOSTS` of a script."""

import re

OPEN = "\0"
_OPENED = re.compile(f"{OPEN}[^{OPEN}]*{OPEN}")


def left_open(written: str) -> str:
    """A text that stands for what is not known here, such as `$HOSTS`."""
    return f"{OPEN}{written}{OPEN}"


def is_open(text: str) -> bool:
    """Whether some of it is not known here."""
    return OPEN in text


def without_open(text: str) -> str:
    """The text but for what is not known here."""
    return _OPENED.sub("", text)


def as_written(text: str) -> str:
    """The text as its author wrote it."""
    return text.replace(OPEN, "")
