"""Loops of tests that say how much they saw: one over nothing proves nothing."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def seen(over: Iterable[T], at_least: int = 1) -> Iterator[T]:
    """What a loop goes through; fails at its end if that was less than expected."""
    count = 0
    for each in over:
        count += 1
        yield each
    assert count >= at_least, f"the loop saw {count}, and expected {at_least} or more"
