"""A sweep from Python: rows in base units, as frames, tables and data sets, and as the terminal shows it."""

import math

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.api.sweep_result import SweepResult

GIVEN = {"model": ["llama2-7b", "llama2-13b"], "tp": [1, 3, 2], "batch": "1..64*8"}
ONLY = ["memory.total_bytes", "memory.fits"]


@pytest.fixture(scope="module")
def result(formulas: Formulas) -> SweepResult:
    return formulas.sweep(only=ONLY, **GIVEN)


def test_rows_are_what_evaluate_says(formulas: Formulas, result: SweepResult) -> None:
    assert result.columns == ["model", "tp", "batch", *ONLY]
    assert (len(result), result.counts.tried) == (12, 18)
    for row in result:
        answer = formulas.evaluate(model=row["model"], tp=row["tp"], batch=row["batch"], only=ONLY)
        assert {name: row[name] for name in ONLY} == {name: answer[name].value for name in ONLY}
    assert result["tp"] == [row["tp"] for row in result]
    assert result.units["memory.total_bytes"] == "byte"
    with pytest.raises(FormulaError, match="No column"):
        result["memory"]


def test_units_asked_for_are_for_show(formulas: Formulas) -> None:
    shown = formulas.sweep(model="llama2-7b", batch=[1, 2], only="memory.total_bytes in GiB")
    assert shown["memory.total_bytes"][0] > 1e9
    assert "GiB" in str(shown)


def test_it_shows_what_the_terminal_does(result: SweepResult) -> None:
    assert "18 configurations, 12 with an answer" in str(result)
    assert "memory per" in repr(result)


def test_a_frame_holds_the_rows(result: SweepResult) -> None:
    frame = pytest.importorskip("pandas") and result.to_pandas()
    assert frame["model"].tolist() == result["model"]
    assert frame["memory.total_bytes"].tolist() == result["memory.total_bytes"]
    assert frame["memory.fits"].tolist() == result["memory.fits"]
    assert frame.groupby("model", observed=True)["batch"].max().tolist() == [64, 64]


def test_a_table_of_arrow_holds_the_rows(result: SweepResult) -> None:
    table = pytest.importorskip("pyarrow") and result.to_arrow()
    assert table.to_pylist() == list(result)
    assert table.schema.field("memory.total_bytes").metadata[b"unit"] == b"byte"


def test_a_data_set_has_a_dimension_for_each_input(result: SweepResult) -> None:
    pytest.importorskip("xarray")
    data = result.to_xarray()
    assert dict(data.sizes) == {"model": 2, "tp": 3, "batch": 3}
    for row in result:
        cell = data["memory.total_bytes"].sel(model=row["model"], tp=row["tp"], batch=row["batch"])
        assert float(cell) == row["memory.total_bytes"]
    assert math.isnan(float(data["memory.total_bytes"].sel(model="llama2-7b", tp=3, batch=1)))
    assert data["memory.total_bytes"].attrs["units"] == "byte"


def test_values_are_given_as_lists_ranges_arrays_and_texts(formulas: Formulas) -> None:
    numpy = pytest.importorskip("numpy")
    first, *others = (
        formulas.sweep(model="llama2-7b", batch=said, only="memory.total_bytes")["memory.total_bytes"]
        for said in ([1, 2, 3], range(1, 4), numpy.arange(1, 4), "1..3", ("1", "2", "3"))
    )
    assert len(set(first)) == 3
    assert all(each == first for each in others)


def test_an_empty_list_is_refused(formulas: Formulas) -> None:
    with pytest.raises(FormulaError, match="lacks a value"):
        formulas.sweep(model="llama2-7b", batch=[], only="memory.total_bytes")
