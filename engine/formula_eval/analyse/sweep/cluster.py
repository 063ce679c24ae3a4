"""Runs a sweep on the workers of a Dask cluster: any worker computes any block, and batches return in order.

A worker that is lost loses nothing: its blocks are computed anew. Numbers are those of one process.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from formula_eval.analyse.dask_workers import Folders, Task, client_of, made_by_workers
from formula_eval.analyse.sweep.grid import GridBlock
from formula_eval.analyse.sweep.idle_axes import refuse_idle_axes
from formula_eval.analyse.sweep.sweep_batches import Batch, Sweep, SweepQuantities
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

_Made = TypeVar("_Made")


class ClusterSweep(Sweep):
    """Sweeps with the workers of a Dask client."""

    def __init__(self, evaluator: Evaluator, question: Question, asked: SweepQuantities, client: Any) -> None:  # noqa: ANN401 - dask is optional
        """Read the request, as a sweep of one process does."""
        super().__init__(evaluator, question, asked)
        self._client = client
        self.task = Task(Folders.of(evaluator), Sweep, (question, asked), self.identity.digest)

    def batches(self, start: int = 0, most: int | None = None) -> Iterator[Batch]:
        """The rows in order."""
        yield from self._made((Sweep.batch, block) for block in self.blocks(start, most))

    def each(self, do: Callable[[Batch], _Made], start: int = 0) -> Iterator[_Made]:
        """Yields the results of `do` for each batch, in order, computed by the workers so that only results travel."""
        yield from self._made((_done, do, block) for block in self.blocks(start))

    def _made(self, work: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Yields what methods of the sweep of a worker make of their arguments."""
        return made_by_workers(self._client, self.task.made, work, self.identity, self.schema)


def _done(sweep: Sweep, do: Callable[[Batch], _Made], block: GridBlock) -> _Made:
    """Computes a block."""
    return do(sweep.batch(block))


@contextmanager
def sweep_on(
    workers: int | None,
    scheduler: str,
    evaluator: Evaluator,
    question: Question,
    asked: SweepQuantities,
) -> Iterator[Sweep]:
    """Yields the sweep on so many workers, or on those of a scheduler; in this process where neither is given."""
    with client_of(workers, scheduler) as client:
        sweep = (
            Sweep(evaluator, question, asked) if client is None else ClusterSweep(evaluator, question, asked, client)
        )
        refuse_idle_axes(sweep)
        yield sweep
