"""Runs a search on the workers of a Dask cluster: any worker computes any piece, and results merge in order.

The best, the front and the counts are those of one process, whatever happens to a worker. Where there are too many
configurations to compute, this process alone bounds them.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from formula_eval.analyse.dask_workers import Folders, client_of, held_work, made_by_workers
from formula_eval.analyse.search.layout_block import Piece, Seen
from formula_eval.analyse.search.search import Search
from formula_eval.analyse.search.search_plan import Sought
from formula_eval.analyse.search.search_space import SearchSpace
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

_SEARCHES: dict[str, Search] = {}  # what this worker looks through, by identity


class Task(NamedTuple):
    """The description of a search for a worker, with its identity."""

    folders: Folders
    question: Question
    space: SearchSpace
    sought: Sought
    identity: str


class ClusterSearch(Search):
    """Searches with the workers of a Dask client."""

    def __init__(
        self,
        evaluator: Evaluator,
        question: Question,
        space: SearchSpace,
        sought: Sought,
        client: Any,  # noqa: ANN401 - dask is optional
    ) -> None:
        """Read the request, as a search of one process does."""
        super().__init__(evaluator, question, space, sought)
        self._client = client
        self.task = Task(Folders.of(evaluator), question, space, sought, self.identity.digest)

    def _made(self, pieces: Iterable[Piece]) -> Iterator[Seen]:
        return made_by_workers(
            self._client, _seen, ((self.task, each) for each in pieces), self.identity, self.plan.evaluator.schema
        )


def _seen(task: Task, piece: Piece) -> Seen:
    """Computes a piece, in a worker."""
    search = held_work(
        _SEARCHES,
        task.identity,
        task.identity,
        lambda: Search(task.folders.evaluator(), task.question, task.space, task.sought),
    )
    return search.pieces.seen(piece)


@contextmanager
def search_on(  # noqa: PLR0913, PLR0917 - what a search is, and where
    workers: int | None, scheduler: str, evaluator: Evaluator, question: Question, space: SearchSpace, sought: Sought
) -> Iterator[Search]:
    """Yields the search on so many workers, or on those of a scheduler; in this process where neither is given."""
    with client_of(workers, scheduler) as client:
        if client is None:
            yield Search(evaluator, question, space, sought)
        else:
            yield ClusterSearch(evaluator, question, space, sought, client)
