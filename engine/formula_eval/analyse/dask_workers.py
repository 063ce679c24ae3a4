"""Distributes pieces of work to the workers of a Dask cluster, and returns their results in order.

A worker that is lost loses nothing: what it had is computed anew.
"""

import logging
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Protocol, TypeVar

from formula_eval.analyse.data_frame import package
from formula_eval.analyse.identity import Identity
from formula_eval.cache import Cache, cache_directory
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import COMPILED, OURS, Library
from formula_eval.records.schema import Schema

_Made = TypeVar("_Made")
_AHEAD = 2  # pieces that wait for each worker, so that none is idle while another is slow
_PATIENCE = 10.0  # seconds until a scheduler has to answer
_WITHOUT_WORKERS = 5.0  # seconds until it has to have a worker
_LOGS = ("distributed", "asyncio", "tornado")


class Work(Protocol):
    """The work that a worker computes pieces of."""

    @property
    def identity(self) -> Identity:
        """The identity that distinguishes this work from any other."""


class UnlikeWorker(Exception):  # noqa: N818 - no error: what a worker hands back instead of numbers
    """Raised where a worker would compute other numbers than this process, or cannot begin although this process can.

    Holds its address, and the identity of its work or the message that it begins with.
    """

    def __init__(self, worker: str, found: Identity | str) -> None:
        """Hold what was found at this address."""
        super().__init__(worker, found)
        self.worker, self.found = worker, found


class Folders(NamedTuple):
    """Locates the library of a process from a worker, whose own formulas and working folder may differ."""

    folders: tuple[Path, ...]
    said: tuple[str, str, str]  # its title, its answer and its purpose
    ours: Path
    base: Path

    @classmethod
    def of(cls, evaluator: Evaluator) -> "Folders":
        """The folders of this process."""
        library = evaluator.library
        folders = tuple(folder.absolute() for folder in library.folders)
        said = library.title, library.answer, library.purpose
        return cls(folders, said, OURS.absolute(), library.base.absolute())

    def evaluator(self) -> Evaluator:
        """The evaluator of a worker."""
        folders = (OURS if folder == self.ours else folder for folder in self.folders)
        library = Library(tuple(folders), *self.said).read_from(self.base)
        return Evaluator(library, Cache(cache_directory(), COMPILED))


class Task(NamedTuple):
    """What tells a worker of work: the folders of its library, how the work is made, and its identity.

    `make` is called with an evaluator and what was `said`.
    """

    folders: Folders
    make: Callable[..., Work]
    said: tuple[Any, ...]
    identity: str

    def work(self) -> Any:  # noqa: ANN401 - what `make` makes
        """In a worker, this work, built once; raises UnlikeWorker where that is not so here."""
        if self.identity not in _HELD:
            try:
                made = self.make(self.folders.evaluator(), *self.said)
            except FormulaError as error:
                raise UnlikeWorker(_own_address(), str(error)) from error
            if made.identity.digest != self.identity:
                raise UnlikeWorker(_own_address(), made.identity)
            _HELD[self.identity] = made
        return _HELD[self.identity]

    def made(self, method: Callable[..., _Made], *piece: Any) -> _Made:  # noqa: ANN401 - whatever a method takes
        """In a worker, what a method of this work makes of a piece."""
        return method(self.work(), *piece)


_HELD: dict[str, Work] = {}  # what this worker computes


def _own_address() -> str:
    from distributed import get_worker  # noqa: PLC0415 - an optional package, which a worker has

    with suppress(ValueError):
        return str(get_worker().address)
    return ""


def made_by_workers(
    client: Any,  # noqa: ANN401 - dask is optional
    make: Callable[..., _Made],
    work: Iterable[tuple[Any, ...]],
    identity: Identity,
    schema: Schema,
) -> Iterator[_Made]:
    """Yields the results of `make` for each piece, in order; keeps a few more pieces than workers in flight.

    Raises FormulaError where a worker has other formulas or records than those of `identity`, and where the scheduler
    or all workers are lost.
    """
    pending: deque[Any] = deque()
    try:
        for each in work:
            pending.append(client.submit(make, *each, pure=False))
            if len(pending) >= _AHEAD * max(1, len(client.ncores())):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except UnlikeWorker as error:
        if isinstance(error.found, Identity):
            how = f"computes something else: {identity.difference(error.found, schema, 'here', 'there')}"
            help_ = "Install the same version, with the same libraries and records, where the workers run."
        else:
            how = f"cannot begin: {error.found}"
            help_ = "Give it the same version, libraries, files and packages as this process."
        raise refuse("other-work", f"The worker {error.worker} {how}", help=help_) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _LOGS and not isinstance(error, OSError | TimeoutError):
            raise
        _lost(error)
    finally:
        with suppress(Exception):  # the scheduler may be gone
            for future in pending:
                future.cancel()


def _lost(error: BaseException) -> NoReturn:
    """Raise FormulaError for a cluster that was lost."""
    why = getattr(error, "reason", "") or " ".join(str(error).split()) or type(error).__name__
    help_ = "What is done of a sweep to a file stays in its folder of parts: the same command goes on from there."
    raise refuse("lost-cluster", f"The scheduler or its workers are lost: {why}", help=help_) from error


@contextmanager
def client_of(workers: int | None, scheduler: str) -> Iterator[Any]:
    """Yields a client of the scheduler at this address, or of local workers that stop with it; None without either.

    Raises FormulaError for both, where Dask is not installed, the scheduler does not answer, or has no workers.
    """
    if workers is not None and scheduler:
        help_ = "--workers starts some on this machine, --cluster uses those that are there."
        raise refuse("bad-value", "Either --workers or --cluster", help=help_)
    if workers is None and not scheduler:
        yield None
        return
    distributed = package("distributed", "--cluster" if scheduler else "--workers")
    _mute()
    if scheduler:
        with _client_at(scheduler, distributed) as client:
            yield client
        return
    local: Mapping[str, Any] = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    try:
        with _no_interrupt():
            started = distributed.LocalCluster(n_workers=workers, **local)
    except (OSError, RuntimeError, TimeoutError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        message = f"The {workers} workers of this machine did not start: {why}"
        raise refuse("lost-cluster", message, help="Was one of them ended? The same command tries again.") from error
    with started as cluster:
        client = distributed.Client(cluster, set_as_default=False)
        try:
            yield client
        finally:
            with suppress(OSError, TimeoutError):
                client.close()


def _mute() -> None:
    """Silence Dask's loggers, each of which has a level of its own, so that only our messages report errors."""
    for name in (*_LOGS, *logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def _client_at(scheduler: str, distributed: Any) -> Iterator[Any]:  # noqa: ANN401 - dask is optional
    """A client of the scheduler at this address; raises FormulaError where none answers, or it has no workers."""
    try:
        client = distributed.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        help_ = "`dask scheduler` prints its address, such as tcp://10.0.0.1:8786."
        raise refuse("no-scheduler", f"No scheduler answers at `{scheduler}`: {error}", help=help_) from error
    try:
        _wait_for_workers(client, scheduler)
        yield client
    finally:
        with suppress(OSError, TimeoutError):
            client.close()


def _wait_for_workers(client: Any, scheduler: str) -> None:  # noqa: ANN401 - as above
    """Raise FormulaError where no worker comes."""
    end = time.monotonic() + _WITHOUT_WORKERS
    while not client.ncores():
        if time.monotonic() > end:
            help_ = f"Start some: `dask worker {scheduler}`, with formula-eval installed where they run."
            raise refuse("no-workers", f"The scheduler at `{scheduler}` has no workers", help=help_)
        time.sleep(0.1)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Make processes started in this context ignore Ctrl-C, and leave it to this one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, held)
