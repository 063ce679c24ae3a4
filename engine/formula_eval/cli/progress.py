"""Shows a progress bar on a terminal, and nothing in a pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress(size: int) -> Iterator[Callable[[int], object]]:
    """A bar with rate and time left on a terminal, once it takes more than a moment; nothing in a pipe."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    start = time.monotonic()
    done = 0

    def rate(_: object) -> str:
        return f"{done / max(time.monotonic() - start, 1e-9):,.0f}/s"

    with click.progressbar(length=size, file=sys.stderr, show_pos=True, item_show_func=rate, width=24) as bar:

        def tell(count: int) -> None:
            nonlocal done
            done += count
            bar.update(count)

        yield tell
