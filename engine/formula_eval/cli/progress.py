"""Shows a progress bar on a terminal, and a line now and then in a pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from formula_eval.cli.output import say
from formula_eval.evaluate.display import scale_of

_FIRST, _EACH = 10, 60  # seconds


@contextmanager
def progress(size: int) -> Iterator[Callable[[int], object]]:
    """A bar with rate and time left on a terminal, once it takes more than a moment; elsewhere a line a minute."""
    start = time.monotonic()
    if sys.stderr is None or not sys.stderr.isatty():
        yield _lines(size, start)
        return
    done = 0

    def told(_: object) -> str:
        rate = done / max(time.monotonic() - start, 1e-9)
        return f"{done:,} of {size:,}, {rate:,.0f}/s{_left(done, size, start)}"

    with click.progressbar(
        length=size, file=sys.stderr, show_eta=False, show_percent=False, item_show_func=told, width=24
    ) as bar:

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
            say(f"{done:,} of {size:,} configurations{_left(done, size, start)}", err=True)

    return tell


def _left(done: int, size: int, start: float) -> str:
    """How long the rest takes if it goes on as before."""
    seconds = (size - done) * (time.monotonic() - start) / max(done, 1)
    scale, unit = scale_of(seconds, "s")
    return f", about {seconds / scale:,.0f} {unit} left" if 0 < done < size and seconds >= 1 else ""
