"""The workbook of other questions: what heads it, how it is written, and what a second program computes from it."""

import io
import re
import warnings
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from counted import seen
from export.workbook_cases import agrees, book_of, document, evaluator
from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.export_lists import quantities_of
from formula_eval.ask.workbook.naming import CALC
from formula_eval.ask.workbook.workbook_layout import read_workbook_layout
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import document_of
from formula_eval.export.formats import write_document
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow


def test_two_exports_are_the_same_bytes() -> None:
    first, second = (book_of(document({"model": "llama2-70b"}, {"tp": 8}, ("memory.fits",)))[1] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("load", ["concurrency", "request_rate", "mean_request_rate", "users"])
def test_a_load_is_headed_by_its_own_figures(load: str) -> None:
    asked = evaluator()
    question = Question({"model": "llama2-70b"}, {"tp": 8, load: "1 request/s" if "rate" in load else 8})
    givens = asked.givens(question)
    layout = read_workbook_layout(asked.library, asked.schema).asked_by(givens.values)
    headed = {each["name"] for each in layout.headlines}
    assert headed >= {"inference.serving_bytes", "inference.serving_fits", "memory.running_capacity"}
    assert not headed & {"memory.total_bytes", "memory.largest_batch", "inference.usd_per_million_output_tokens"}
    stack = next(each for each in layout.charts if each["kind"] == "stack")
    shown = {each["name"] for part in (stack["parts"], layout.scenarios[0]["outputs"]) for each in part}
    wanted = asked.select(quantities_of(asked.library, "excel", question, givens), question)
    held = asked.resolved.graph.ancestors(wanted)
    assert shown | {"inference.serving_bytes", "inference.serving_fits"} <= set(held)


@pytest.mark.parametrize(("model", "head", "other"), [("bert-base", "inputs", "tokens"), ("gpt2", "tokens", "inputs")])
def test_a_model_that_only_reads_is_headed_by_its_inputs(model: str, head: str, other: str) -> None:
    asked = evaluator()
    written = read_workbook_layout(asked.library, asked.schema)
    flags = values_of(asked, Question({"model": model}), written.flags)
    layout = written.asked_by((), {name for name, held in flags.items() if not held})
    outputs = [layout.headlines, layout.sweeps[0]["outputs"], layout.scenarios[0]["outputs"]]
    for entries in seen(outputs, at_least=3):
        named = {each["name"] for each in entries}
        assert any(name.startswith(f"inference.{head}_per_second") for name in named)
        assert not any(name.startswith(f"inference.{other}_per_second") for name in named)
        assert ("inference.tpot" in named) == (head == "tokens")
    assert head in layout.data_tables[0]["quantity"]


def test_cells_instead_of_names() -> None:
    book, contents = book_of(document({"model": "llama2-7b"}, {}, ("params.total",)), "cells")
    workbook = openpyxl.load_workbook(io.BytesIO(contents))
    place = book.naming.places["params.total"]
    assert re.fullmatch(r"=(\+?\$B\$\d+)+", workbook[CALC].cell(place.row + 1, 2).value)
    assert not workbook.defined_names


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    of = document({"model": "llama2-7b"}, {}, ("params.total",))
    with pytest.raises(FormulaError, match="Cannot write"):
        write_document(of, "excel", tmp_path / "no" / "such" / "folder.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_the_formulas_package_comes_to_the_same_numbers(tmp_path: Path) -> None:
    formulas = pytest.importorskip("formulas")
    question = Question({"model": "llama2-70b"}, {"tp": 8})
    of = document_of(evaluator(), question, ["memory.weights_bytes"], named=True)
    with pytest.MonkeyPatch.context() as patch:  # that package knows no data tables
        patch.setattr("formula_eval.export.workbook.writer.data_table_plan", lambda _: None)
        book, contents = book_of(replace(of, result=of.result.but(checks=())))
    path = tmp_path / "second.xlsx"
    path.write_bytes(contents)
    with warnings.catch_warnings():  # it warns as it is compiled, and as it reads
        warnings.simplefilter("ignore")
        solution = formulas.ExcelModel().loads(str(path)).finish().calculate()
    compared = 0
    for node in (*book.inputs, *book.computed):
        place = book.naming.places[node.name]
        key = f"'[second.xlsx]{place.sheet.upper()}'!{place.address(place.sheet).replace('$', '')}"
        found = solution[key].value[0, 0]
        expected = book.value(node.name)
        assert agrees(expected, str(found) if isinstance(expected, str) else float(found)), node.name
        compared += 1
    assert compared > 60


def test_a_whole_run_is_shown_when_its_tokens_are_given() -> None:
    records, values = {"model": "llama2-7b"}, {"tp": 8, "gpus": 64}
    for tokens, said in (({}, "training_tokens = 0"), ({"training_tokens": 10**12}, None)):
        _, data = book_of(document(records, {**values, **tokens}, training=True))
        workbook = openpyxl.load_workbook(io.BytesIO(data), data_only=True, read_only=True)
        cells = list(workbook["Outputs"].iter_rows(values_only=True))
        (row, column), *_ = (
            (row, column) for row, line in enumerate(cells) for column, each in enumerate(line) if each == "Whole run"
        )
        assert (cells[row + 1][column] == said) is (said is not None)
        assert cells[4][0] == "Time of a step"


def test_checks_that_fail_are_there_and_those_left_out_hold() -> None:
    whole = document({"model": "llama3.1-70b"}, {"batch": 4})
    kept = {each.name: each.ok for each in book_of(whole)[0].document.result.checks}
    left = [each for each in whole.result.checks if each.name not in kept]
    assert left
    assert all(each.ok for each in left), [each.name for each in left if not each.ok]
    assert not all(kept.values())
