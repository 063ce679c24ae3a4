"""Runs a search on the workers of a Dask cluster: any worker computes any piece, and results merge in order.

The best, the front and the counts are those of one process, whatever happens to a worker. Where there are too many
configurations to compute, this process alone bounds them.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from formula_eval.analyse.dask_workers import Folders, Task, made_by_workers
from formula_eval.analyse.search.layout_block import Piece, Seen
from formula_eval.analyse.search.search import Search
from formula_eval.analyse.search.search_plan import Sought
from formula_eval.analyse.search.search_space import SearchSpace
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


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
        self.task = Task(Folders.of(evaluator), Search, (question, space, sought), self.identity.digest)

    def _made(self, pieces: Iterable[Piece]) -> Iterator[Seen]:
        return made_by_workers(
            self._client, _seen, ((self.task, each) for each in pieces), self.identity, self.plan.evaluator.schema
        )


def _seen(task: Task, piece: Piece) -> Seen:
    """Computes a piece, in a worker."""
    seen: Seen = task.work().pieces.seen(piece)
    return seen
