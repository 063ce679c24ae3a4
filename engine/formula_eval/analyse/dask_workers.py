"""Pieces of work to what the workers of a Dask cluster make of them, in order.

A worker that is lost loses nothing: what it had is computed anew.
"""

import logging
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from formula_eval.analyse.data_frame import package
from formula_eval.cache import Cache, cache_directory
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import COMPILED, OURS, Library

_Made = TypeVar("_Made")
_AHEAD = 2  # pieces that wait for each worker, so that none is idle while another is slow
_PATIENCE = 10  # seconds until a scheduler has to answer


class Folders(NamedTuple):
    """The library of a process as a worker finds it, whose own formulas may lie elsewhere."""

    library: Library
    ours: Path

    @classmethod
    def of(cls, evaluator: Evaluator) -> "Folders":
        """Those of this process."""
        return cls(evaluator.library, OURS)

    def evaluator(self) -> Evaluator:
        """The evaluator of a worker."""
        folders = (OURS if each == self.ours else each for each in self.library.folders)
        library = Library(tuple(folders), self.library.title, self.library.answer)
        return Evaluator(library, Cache(cache_directory(), COMPILED))


def refuse_others(identity: str, own: str) -> None:
    """Raise FormulaError in a worker whose work is not that of the process that asks."""
    if identity != own:
        help_ = "Install the same version, with the same libraries at the same place, where the workers run."
        raise refuse("other-formulas", "A worker has other formulas than this process", help=help_)


def made_by_workers(client: Any, make: Callable[..., _Made], work: Iterable[tuple[Any, ...]]) -> Iterator[_Made]:  # noqa: ANN401 - dask is optional
    """What this makes of the arguments of each piece, in order; a few more than there are workers are under way."""
    pending: deque[Any] = deque()
    try:
        for each in work:
            pending.append(client.submit(make, *each, pure=False))
            if len(pending) >= _AHEAD * max(1, len(client.ncores())):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


@contextmanager
def client_of(workers: int | None, scheduler: str) -> Iterator[Any]:
    """A client where workers are asked for, or else None; raises FormulaError for both ways of asking at once."""
    if workers is not None and scheduler:
        help_ = "--workers starts some on this machine, --cluster uses those that are there."
        raise refuse("bad-value", "Either --workers or --cluster", help=help_)
    if workers is None and not scheduler:
        yield None
        return
    with cluster_client(workers, scheduler) as client:
        yield client


@contextmanager
def cluster_client(workers: int | None, scheduler: str) -> Iterator[Any]:
    """A client of the scheduler at this address, or of so many workers of this machine, which end with it.

    Raises FormulaError where Dask is not installed, or the scheduler does not answer.
    """
    distributed = package("distributed", "--cluster" if scheduler else "--workers")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if scheduler:
        try:
            client = distributed.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            help_ = "`dask scheduler` prints its address, such as tcp://10.0.0.1:8786."
            raise refuse("no-scheduler", f"No scheduler answers at `{scheduler}`: {error}", help=help_) from error
        with client:
            yield client
        return
    local: Mapping[str, Any] = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    with _no_interrupt():
        started = distributed.LocalCluster(n_workers=workers, **local)
    with started as cluster:
        client = distributed.Client(cluster, set_as_default=False)
        try:
            yield client
        finally:
            with suppress(OSError, TimeoutError):
                client.close()


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Processes that are started here leave Ctrl-C to this one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, held)
