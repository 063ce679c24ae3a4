"""A sweep on several processes: the rows of one process, in its order, whatever happens to a worker."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.analyse import sobol_indices
from formula_eval.analyse.dask_workers import client_of
from formula_eval.analyse.sweep.cluster import ClusterSweep, sweep_on
from formula_eval.analyse.sweep.sweep_batches import Batch, Sweep, SweepQuantities
from formula_eval.export.sweep.parts import SweepParts
from formula_eval.export.sweep.row_formats import FORMATS
from formula_eval.records.givens import Question

# Another test may have a cluster of its own at the same time, whose scheduler took the usual port.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings(r"ignore:\s*Port \d+ is already in use")]

QUESTION = Question({"model": "llama2-7b,llama2-13b"}, {"batch": "1..60", "tp": "1,2"})
ASKED = SweepQuantities(("memory.total_bytes", "memory.fits"), where=("memory.fits",))
BLOCK = 16


class Small(ClusterSweep):
    """A sweep of many small blocks."""

    def blocks(self, start: int = 0, most: int | None = None) -> Iterator[Any]:
        return super().blocks(start, most or BLOCK)


@pytest.fixture(scope="module")
def client(kept: Path) -> Iterator[Any]:  # noqa: ARG001 - workers read it
    with client_of(2, "") as started:
        yield started


def same(one: list[Batch], other: list[Batch]) -> None:
    assert len(one) == len(other) > 2
    for left, right in zip(one, other, strict=True):
        assert left.places.tolist() == right.places.tolist()
        assert left.tally == right.tally
        for name, values in left.values.items():
            np.testing.assert_array_equal(values, right.values[name])


@pytest.mark.parametrize("asked", [ASKED, ASKED._replace(sampled=50, seed=3)])
def test_rows_are_those_of_one_process(formulas: Formulas, client: Any, asked: SweepQuantities) -> None:
    alone = list(Sweep(formulas.evaluator, QUESTION, asked).batches(0, BLOCK))
    same(alone, list(Small(formulas.evaluator, QUESTION, asked, client).batches(0, BLOCK)))


def test_a_worker_that_is_killed_loses_nothing(formulas: Formulas, client: Any) -> None:
    alone = list(Sweep(formulas.evaluator, QUESTION, ASKED).batches(0, BLOCK))
    found = []
    for batch in Small(formulas.evaluator, QUESTION, ASKED, client).batches():
        if not found:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        found.append(batch)
    same(alone, found)


def test_draws_are_those_of_one_process(formulas: Formulas, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    monkeypatch.setattr(sobol_indices, "_PIECE", 100)
    question = Question({"model": "llama2-7b"}, {"batch": "10 to 60", "prompt": "100 to 900"})
    asked = (formulas.evaluator, question, "memory.total_bytes", 256, 3)
    assert sobol_indices.uncertainty(*asked, client) == sobol_indices.uncertainty(*asked)


def test_a_scheduler_is_used_and_its_rows_are_written(formulas: Formulas, client: Any, tmp_path: Path) -> None:
    address = client.cluster.scheduler_address
    with sweep_on(None, address, formulas.evaluator, QUESTION, ASKED) as sweep:
        target = tmp_path / "rows.parquet"
        SweepParts(f"{target}/", sweep, FORMATS["parquet"](sweep.columns)).write()
    with sweep_on(None, "", formulas.evaluator, QUESTION, ASKED) as alone:
        SweepParts(str(tmp_path / "one.parquet"), alone, FORMATS["parquet"](alone.columns)).write()
    pandas = pytest.importorskip("pandas")
    pandas.testing.assert_frame_equal(pandas.read_parquet(target), pandas.read_parquet(tmp_path / "one.parquet"))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.parquet", "rows.parquet"]


def test_a_worker_with_other_formulas_is_refused(formulas: Formulas, client: Any) -> None:
    sweep = Small(formulas.evaluator, QUESTION, ASKED, client)
    sweep.identity = sweep.identity._replace(formulas="others")
    sweep.task = sweep.task._replace(identity=sweep.identity.digest)
    with pytest.raises(
        FormulaError, match=r"The worker tcp://.* computes something else: the formulas, or the version"
    ):
        list(sweep.batches())


@pytest.mark.parametrize(
    ("workers", "scheduler", "message"),
    [
        (2, "tcp://127.0.0.1:1", "Either --workers or --cluster"),
        (None, "nowhere", "No scheduler answers at `nowhere`"),
    ],
)
def test_what_cannot_be_used_is_told(formulas: Formulas, workers: int | None, scheduler: str, message: str) -> None:
    with (
        pytest.raises(FormulaError, match=message),
        sweep_on(workers, scheduler, formulas.evaluator, QUESTION, ASKED),
    ):
        raise AssertionError


def test_a_folder_that_is_there_is_kept(formulas: Formulas, tmp_path: Path) -> None:
    sweep = Sweep(formulas.evaluator, QUESTION, ASKED)
    (tmp_path / "rows.parquet").mkdir()
    (tmp_path / "rows.parquet" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FormulaError, match="is there already"):
        SweepParts(f"{tmp_path}/rows.parquet/", sweep, FORMATS["parquet"](sweep.columns))
    with pytest.raises(FormulaError, match="is a folder, and csv is one file"):
        SweepParts(f"{tmp_path}/rows.csv/", sweep, FORMATS["csv"](sweep.columns))
    assert [each.name for each in tmp_path.iterdir()] == ["rows.parquet"]


MODEL = Path(__file__).resolve().parents[2] / "models" / "llama2-7b.toml"
OWN = Question({"model": "llama2-7b,two.toml"}, {"batch": "1..60", "tp": "1,2"})


@pytest.fixture
def elsewhere(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of workers in another folder, where two.toml is another model."""
    for folder, layers in (("here", 40), ("there", 50)):
        (tmp_path / folder).mkdir()
        text = MODEL.read_text(encoding="utf-8").replace("layers = 32", f"layers = {layers}")
        (tmp_path / folder / "two.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    client.run(os.chdir, tmp_path / "there")
    yield client
    client.run(os.chdir, "/")


def test_a_relative_path_is_that_of_the_asking_process(formulas: Formulas, elsewhere: Any) -> None:
    alone = list(Sweep(formulas.evaluator, OWN, ASKED).batches(0, BLOCK))
    same(alone, list(Small(formulas.evaluator, OWN, ASKED, elsewhere).batches()))


def test_a_worker_with_other_records_is_refused(formulas: Formulas, elsewhere: Any, tmp_path: Path) -> None:
    sweep = Small(formulas.evaluator, OWN._replace(values={"batch": "1..61"}), ASKED, elsewhere)
    sweep.task = sweep.task._replace(folders=sweep.task.folders._replace(base=tmp_path / "there"))
    message = r"The worker .* computes something else: model `two.toml` has `layers` = 40 layers here, 50 layers there"
    with pytest.raises(FormulaError, match=message):
        list(sweep.batches())
    question = OWN._replace(records={"model": "two.toml"}, values={"batch": "10 to 60"})
    asked = (formulas.evaluator, question, "memory.total_bytes", 64, 3)
    assert sobol_indices.uncertainty(*asked, elsewhere) == sobol_indices.uncertainty(*asked)


def test_a_worker_that_lacks_a_file_is_told(formulas: Formulas, elsewhere: Any, tmp_path: Path) -> None:
    sweep = Small(formulas.evaluator, OWN._replace(records={"model": "two.toml,llama2-7b"}), ASKED, elsewhere)
    sweep.task = sweep.task._replace(folders=sweep.task.folders._replace(base=tmp_path))
    with pytest.raises(FormulaError, match=r"The worker .* cannot begin: Cannot read `two.toml`"):
        list(sweep.batches())
