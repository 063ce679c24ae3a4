"""What is told of a cluster that breaks off, or that never was one."""

from types import SimpleNamespace
from typing import Any

import pytest

from formula_eval import FormulaError
from formula_eval.analyse import dask_workers
from formula_eval.analyse.dask_workers import client_of, made_by_workers
from formula_eval.analyse.identity import Identity

distributed = pytest.importorskip("distributed")


class Lost:
    """A future of a scheduler that is gone."""

    def result(self) -> Any:
        raise distributed.client.FutureCancelledError("task-1", "scheduler-connection-lost")

    def cancel(self) -> None:
        raise OSError


def test_a_scheduler_that_is_lost_is_told() -> None:
    client = SimpleNamespace(submit=lambda *_, **__: Lost(), ncores=lambda: {"one": 1})
    with pytest.raises(FormulaError, match=r"are lost: scheduler-connection-lost\nhelp: What is done of a sweep"):
        list(made_by_workers(client, str, [(1,)] * 3, Identity("", {}, {}), None))  # type: ignore[arg-type]


def test_workers_that_do_not_start_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fails)
    with (
        pytest.raises(FormulaError, match=r"The 2 workers of this machine did not start: Nanny"),
        client_of(2, ""),
    ):
        raise AssertionError


def test_a_scheduler_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    empty = SimpleNamespace(ncores=dict, close=lambda: closed.append(True))
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: empty)
    monkeypatch.setattr(dask_workers, "_WITHOUT_WORKERS", 0.0)
    with pytest.raises(FormulaError, match=r"at `tcp://a:1` has no workers"), client_of(None, "tcp://a:1"):
        raise AssertionError
    assert closed == [True]
