"""Shows a progress bar on a terminal, and a line now and then in a pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from formula_eval.cli.output import say

_FIRST, _EACH = 10, 60  # seconds


@contextmanager
def progress(size: int) -> Iterator[Callable[[int], object]]:
    """A bar with rate and time left on a terminal, once it takes more than a moment; elsewhere a line a minute."""
    start = time.monotonic()
    if sys.stderr is None or not sys.stderr.isatty():
        yield _lines(size, start)
        return
    done = 0

    def rate(_: object) -> str:
        return f"left, {done / max(time.monotonic() - start, 1e-9):,.0f}/s"

    with click.progressbar(length=size, file=sys.stderr, show_pos=True, item_show_func=rate, width=24) as bar:

        def tell(count: int) -> None:
            nonlocal done
            done += count
            bar.update(count)

        yield tell


def _lines(size: int, start: float) -> Callable[[int], None]:
    """Tells on standard error how far it is: after ten seconds, then every minute."""
    done, due = 0, start + _FIRST

    def tell(count: int) -> None:
        nonlocal done, due
        done += count
        now = time.monotonic()
        if now >= due and done < size:
            due = now + _EACH
            left = (size - done) * (now - start) / max(done, 1)
            say(f"{done:,} of {size:,} configurations, about {left:,.0f} s left", err=True)

    return tell
