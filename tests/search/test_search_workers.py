"""A search on several processes: what one process finds, whatever happens to a worker."""

import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.analyse.dask_workers import client_of
from formula_eval.analyse.search import enumeration
from formula_eval.analyse.search.enumeration import Piece, Seen
from formula_eval.analyse.search.search_plan import Sought
from formula_eval.analyse.search.search_run import Search
from formula_eval.analyse.search.search_space import Goal
from formula_eval.ask.search import read_search_space
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

QUESTION = Question(
    {"model": "gpt2", "hardware": "a100-sxm-80gb,h100-sxm"},
    {"gpus": "8", "tp": "1,2,4", "micro_batch": "1,2,4,8", "cp": "1", "virtual_stages": "1", "zero_stage": "1"},
    purpose="training",
)
SOUGHT = Sought(Goal("training.step_time", is_largest=False), ("training.device_bytes <= 6 GB",))


class Losing(Search):
    """A search that loses a worker when the first piece comes back."""

    def _made(self, pieces: Iterable[Piece]) -> Iterator[Seen]:
        for number, seen in enumerate(super()._made(pieces)):
            if not number:
                os.kill(next(iter(self._client.run(os.getpid).values())), signal.SIGKILL)
            yield seen


@pytest.fixture(scope="module")
def client(kept: Path) -> Iterator[Any]:  # noqa: ARG001 - workers read it
    with client_of(2, "") as started:
        yield started


def test_a_lost_worker_changes_nothing(formulas: Formulas, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "_BOX", 32)
    evaluator = formulas.evaluator
    space = read_search_space(evaluator.library, QUESTION.about(evaluator.library), evaluator.schema)
    alone = Search(evaluator, QUESTION, space, SOUGHT)
    lost = Losing(evaluator, QUESTION, space, SOUGHT, client)
    told: list[int] = []
    alone.run()
    lost.run(told.append)
    one, other = alone.found(), lost.found()
    assert len(told) > 3
    assert sum(told) == one.counts.tried
    assert one.counts == other.counts
    assert one.proof == other.proof
    assert one.best == other.best is not None
    for mine, theirs in ((one.leaders, other.leaders), (one.front, other.front)):
        assert mine.places.tolist() == theirs.places.tolist()
        assert {name: each.tolist() for name, each in mine.values.items()} == {
            name: each.tolist() for name, each in theirs.values.items()
        }
    lost.identity = lost.identity._replace(formulas="others")
    lost.task = lost.task._replace(identity=lost.identity.digest)
    with pytest.raises(
        FormulaError, match=r"The worker tcp://.* computes something else: the formulas, or the version"
    ):
        lost.run()
