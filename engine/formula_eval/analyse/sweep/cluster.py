"""A sweep on the workers of a Dask cluster: any worker computes any block, and batches come back in their order.

A worker that is lost loses nothing: its blocks are computed anew. Numbers are those of one process.
"""

import logging
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from formula_eval.analyse.data_frame import package
from formula_eval.analyse.sweep.grid import Block
from formula_eval.analyse.sweep.sweep import Asked, Batch, Sweep
from formula_eval.cache import Cache, cache_directory
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import COMPILED, OURS, Library
from formula_eval.records.givens import Question

_Made = TypeVar("_Made")
_AHEAD = 2  # blocks that wait for each worker, so that none is idle while another is slow
_PATIENCE = 10  # seconds until a scheduler has to answer
_SWEEPS: dict[str, Sweep] = {}  # what this worker computes, by identity


class Task(NamedTuple):
    """What a worker must know of a sweep, and what tells it from any other."""

    library: Library
    ours: Path
    question: Question
    asked: Asked
    identity: str


class ClusterSweep(Sweep):
    """A sweep whose batches are computed by the workers of a client."""

    def __init__(self, evaluator: Evaluator, question: Question, asked: Asked, client: Any) -> None:  # noqa: ANN401 - dask is optional
        """Read what is asked, as a sweep of one process does."""
        super().__init__(evaluator, question, asked)
        self._client = client
        self.task = Task(evaluator.library, OURS, question, asked, self.identity)

    def prepare(self) -> str:
        """Each worker makes ready by itself."""
        return ""

    def batches(self, start: int = 0, most: int | None = None) -> Iterator[Batch]:
        """The rows in order."""
        yield from self._made(_itself, self.blocks(start, most))

    def each(self, do: Callable[[Batch], _Made], start: int = 0) -> Iterator[_Made]:
        """What this makes of each batch, in order: made by the workers, so that only that has to travel."""
        yield from self._made(do, self.blocks(start))

    def _made(self, do: Callable[[Batch], _Made], blocks: Iterator[Block]) -> Iterator[_Made]:
        """The same of blocks; a few more than there are workers are under way."""
        pending: deque[Any] = deque()
        try:
            for block in blocks:
                pending.append(self._client.submit(_computed, self.task, block, do, pure=False))
                if len(pending) >= _AHEAD * max(1, len(self._client.ncores())):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _itself(batch: Batch) -> Batch:
    return batch


def _computed(task: Task, block: Block, do: Callable[[Batch], _Made]) -> _Made:
    """What a worker does; raises FormulaError where its formulas are others."""
    sweep = _SWEEPS.get(task.identity)
    if sweep is None:
        folders = (OURS if each == task.ours else each for each in task.library.folders)
        library = Library(tuple(folders), task.library.title, task.library.answer)
        sweep = Sweep(Evaluator(library, Cache(cache_directory(), COMPILED)), task.question, task.asked)
        if sweep.identity != task.identity:
            help_ = "Install the same version, with the same libraries at the same place, where the workers run."
            raise refuse("other-formulas", "A worker has other formulas than this process", help=help_)
        _SWEEPS[task.identity] = sweep
    return do(sweep.batch(block))


@contextmanager
def sweep_on(
    workers: int | None,
    scheduler: str,
    evaluator: Evaluator,
    question: Question,
    asked: Asked,
) -> Iterator[Sweep]:
    """The sweep on so many workers, or on those of a scheduler; in this process where neither is said."""
    if workers is not None and scheduler:
        help_ = "--workers starts some on this machine, --cluster uses those that are there."
        raise refuse("bad-value", "Either --workers or --cluster", help=help_)
    if workers is None and not scheduler:
        yield Sweep(evaluator, question, asked)
        return
    with cluster_client(workers, scheduler) as client:
        yield ClusterSweep(evaluator, question, asked, client)


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
