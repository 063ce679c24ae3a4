"""Many pieces of work to their results in order, made by several threads at once."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Work = TypeVar("_Work")
_Made = TypeVar("_Made")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(do: Callable[[_Work], _Made], work: Iterable[_Work], threads: int) -> Iterator[_Made]:
    """What this makes of each piece, in order; one more than there are threads is under way or waits to be taken."""
    if threads == 1:
        yield from map(do, work)
        return
    pool = ThreadPoolExecutor(threads)
    pending: deque[Future[_Made]] = deque()
    try:
        for each in work:
            pending.append(pool.submit(do, each))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
