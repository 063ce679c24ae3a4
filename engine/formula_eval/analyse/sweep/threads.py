"""Runs pieces of work on several threads, and yields their results in order."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from formula_eval.core.diagnostic import refuse

_Work = TypeVar("_Work")
_Made = TypeVar("_Made")
_VARIABLE = "OMP_NUM_THREADS"


def threads() -> int:
    """The number of threads: one per processor that this process may use, but at most $OMP_NUM_THREADS.

    Raises FormulaError where that is no number.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    said = os.environ.get(_VARIABLE, "").partition(",")[0].strip()  # behind a comma stand those of inner loops
    if not said:
        return processors
    if not said.isdecimal() or not int(said):
        raise refuse("bad-value", f"{_VARIABLE} is `{said}`", help="It takes a whole number of threads from 1 on.")
    return min(int(said), processors)


def in_order(do: Callable[[_Work], _Made], work: Iterable[_Work], at_once: int) -> Iterator[_Made]:
    """Yields the results of `do` in order; keeps at most one piece more than there are threads in flight."""
    if at_once == 1:
        yield from map(do, work)
        return
    pool = ThreadPoolExecutor(at_once)
    pending: deque[Future[_Made]] = deque()
    try:
        for each in work:
            pending.append(pool.submit(do, each))
            if len(pending) > at_once:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
