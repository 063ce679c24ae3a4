"""Watches folders and files by polling, and signals each change."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

PAUSE = 0.4  # seconds
_PATTERNS = ("formulas/**/*", "models/**/*.toml", "presets/**/*.toml", "*.toml")


def changes(
    places: Sequence[Path], pause: float = PAUSE, sleep: Callable[[float], object] = time.sleep
) -> Iterator[None]:
    """Yields once immediately, then after each change of a library's files or of a single file."""
    before: dict[Path, tuple[int, ...]] | None = None
    while True:
        now = _stamps(places)
        if now != before:
            before = now
            yield
        sleep(pause)


def _stamps(places: Sequence[Path]) -> dict[Path, tuple[int, ...]]:
    found: dict[Path, tuple[int, ...]] = {}
    for place in places:
        inside = [path for pattern in _PATTERNS for path in place.glob(pattern)] if place.is_dir() else [place]
        for path in inside:
            with suppress(OSError):
                status = path.stat()
                found[path] = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    return found
