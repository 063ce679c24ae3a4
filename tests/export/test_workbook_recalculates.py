"""LibreOffice computes every formula of a workbook again, and must come to the numbers of the engine."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from export.office import Office
from export.papers import TRAINING_JOB
from export.workbook_cases import agrees, book_of, document, evaluator, mismatches, shown
from formula_eval.ask.workbook.naming import INPUTS
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.workbook.data_table_sheet import DATA_TABLE
from formula_eval.export.workbook.inputs_sheet import YOURS
from formula_eval.export.workbook.scenarios_sheet import SCENARIOS as SCENARIOS_SHEET, scenario_plan
from formula_eval.export.workbook.sweep_sheet import SWEEP
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.records.givens import Question
from samples import thorough

pytestmark = pytest.mark.slow

MODELS = (
    "llama2-7b",
    "llama2-70b",
    "llama3.1-405b",
    "mixtral-8x7b",
    "qwen3-235b-a22b",
    "qwen2.5-7b",
    "gemma2-27b",
    "gemma3-12b",
    "deepseek-v3",
    "mamba-2.8b",
    "t5-base",
    "falcon-40b",
    "bloom-176b",
    "gpt3-175b",
    "opt-350m",
    "phi-3-mini",
    "mistral-7b-v0.1",
)
HARDWARE = ("h100-sxm", "a100-sxm-80gb", "v100-sxm-32gb", "mi300x")
# What is typed besides the records, on one accelerator after another: for every model one of them, or every one.
SCENARIOS: tuple[Mapping[str, str | float], ...] = (
    {},
    {"tp": 8, "batch": 64, "prompt": 3000, "generated": 500},
    {"tp": 16, "pp": 2, "batch": 7, "engine": "vllm-1", "format": "fp8-kv8", "price": 3.5},
)
TRAINING: tuple[Mapping[str, str | float], ...] = (
    {},
    {"micro_batch": 2, "zero_stage": 3, "optimizer": "adafactor", "training_bits": 8},
    {"tp": 4, "pp": 8, "cp": 1, "schedule": "interleaved", "virtual_stages": 2, "recompute": "none"},
)
FEW = ("params.*", "flops.*", "memory.*")
EXPORTED: tuple[tuple[dict[str, str], dict[str, Any], tuple[str, ...]], ...] = (
    (
        {"model": "mixtral-8x7b", "hardware": "a100-sxm-80gb", "format": "w4a16-g128"},
        {"tp": 4, "batch": 16, "step_context": 7777},
        ("params.*", "flops.*", "memory.*", "inference.latency"),
    ),
    (
        {"model": "gemma3-12b", "engine": "tensorrt-llm-1.0"},
        {"tp": 2, "prompt": 100_000, "cached": 4096, "price": "1.2345 USD/hour", "concurrency": 64},
        ("inference.*", "arrivals.*"),
    ),
    ({"hardware": "mi300x"}, {"phase": "prefill"}, ("operators.matrix_peak", "operators.stream_bandwidth")),
)


def differences(office: Office, book: Book, titles: list[str]) -> list[str]:
    found = []
    for title in titles:
        cells = book.sheets[title].formulas
        if not cells:
            continue
        grid = office.read(title)
        errors = {(row, column): code for row, column, code in office.ask("errors", title)}
        for (row, column), expected in cells.items():
            value = shown(grid[row][column], errors.get((row, column)))
            # In a data table LibreOffice shows Err:502 for what is not available.
            absent = (title, expected, value) == ("Data table", "#N/A", "error 502")
            if not absent and not agrees(expected, value):
                found.append(f"{title}, row {row + 1}, column {column + 1}: {expected!r}, recalculated {value!r}")
    return found


def computed_once(book: Book) -> list[str]:
    """All sheets but the data table, each cell of which computes the book anew; it has tests of its own."""
    return [title for title in book.sheets if title != DATA_TABLE]


@pytest.mark.parametrize("refs", ["names", "cells"])
def test_wrong_numbers_in_the_file_are_all_put_right(
    office: Office, llama: tuple[Book, bytes], tmp_path: Path, refs: str
) -> None:
    book, contents = llama if refs == "names" else book_of(document({"model": "llama2-70b"}, {"tp": 8}, FEW), "cells")
    office.open(corrupted(contents, tmp_path / "canary.xlsx"))
    assert differences(office, book, list(book.sheets)) == []


def corrupted(contents: bytes, path: Path) -> Path:
    """The workbook with 123 in place of every number that it says its formulas have."""
    count = 0
    with zipfile.ZipFile(io.BytesIO(contents)) as old, zipfile.ZipFile(path, "w") as new:
        for part in old.namelist():
            text = old.read(part)
            if part.startswith("xl/worksheets/sheet"):
                text, number = re.subn(rb"(</f><v>)[-+0-9.eE]+(</v>)", rb"\g<1>123\2", text)
                count += number
            new.writestr(part, text)
    assert count > 5000
    return path


@pytest.mark.parametrize("number", range(len(EXPORTED)))
def test_every_formula_is_what_the_engine_says(office: Office, tmp_path: Path, number: int) -> None:
    book, contents = book_of(document(*EXPORTED[number]))
    path = tmp_path / "exported.xlsx"
    path.write_bytes(contents)
    office.open(path)
    assert differences(office, book, computed_once(book)) == []


def leave_out_repeated(office: Office, book: Book) -> None:
    """Take off the sheets that compute what Calc does for other inputs, and that nothing is compared with."""
    for title in (SWEEP, SCENARIOS_SHEET, DATA_TABLE):
        if title in book.sheets:
            office.ask("clear", title)


def typed(book: Book, name: str) -> tuple[str, int, int]:
    """The cell in which a reader types an input or chooses a record."""
    key = f"{name} chosen" if f"{name} chosen" in book.naming.places else name
    return INPUTS, book.naming.places[key].row, YOURS


def numbers(book: Book, records: Mapping[str, str], values: Mapping[str, Any]) -> Mapping[str, float] | None:
    """What the engine computes, refused or not; nothing where it divides by zero."""
    asked = evaluator()
    units = {name: f"{value} USD/hour" if name == "price" else value for name, value in values.items()}
    givens = asked.givens(Question(records, units))
    try:
        wanted = book.document.wanted
        return asked.checked_program(wanted, asked.checks(wanted)).evaluate(givens.values)
    except FormulaError:
        return None


def tried(models: Sequence[str], turn: int) -> list[tuple[int, str]]:
    """The models that a scenario is tried for, with their places: all, or those whose turn it is."""
    return [each for each in enumerate(models) if thorough() or (each[0] + turn) % len(SCENARIOS) == 0]


def test_drop_downs_and_typed_values_recalculate_everything(
    office: Office, llama: tuple[Book, bytes], tmp_path: Path
) -> None:
    book, contents = llama
    path = tmp_path / "switched.xlsx"
    path.write_bytes(contents)
    office.open(path)
    leave_out_repeated(office, book)
    touched = {name for scenario in SCENARIOS for name in scenario} | {"tp"}
    wrong, compared = [], 0
    for turn, scenario in enumerate(SCENARIOS):
        for name in touched:
            office.ask("set", *typed(book, name), scenario.get(name))
        links = {name: str(value) for name, value in scenario.items() if name in ("engine", "format")}
        values = {name: value for name, value in scenario.items() if name not in links}
        for place, model in tried(MODELS, turn):
            hardware = HARDWARE[(place + turn) % len(HARDWARE)]
            office.ask("set", *typed(book, "hardware"), hardware)
            office.ask("set", *typed(book, "model"), model)
            expected = numbers(book, {"model": model, "hardware": hardware, **links}, values)
            if expected is None:
                continue
            found = mismatches(office, book, (*book.inputs, *book.computed), expected)
            wrong += [f"{model} on {hardware}, {dict(scenario)}: {each}" for each in found[:3]]
            compared += 1
    assert wrong == []
    assert compared == len(MODELS) * (len(SCENARIOS) if thorough() else 1)


def test_a_workbook_of_training_recalculates(office: Office, tmp_path: Path) -> None:
    records = {"model": "llama3.1-405b", "hardware": "h100-sxm"}
    book, contents = book_of(document(records, TRAINING_JOB, training=True))
    plan = scenario_plan(book)
    assert plan is not None
    assert "training.step_time" in [node.name for _, node in plan.outputs]
    path = tmp_path / "training.xlsx"
    office.open(corrupted(contents, path))
    assert differences(office, book, list(book.sheets)) == []
    leave_out_repeated(office, book)
    touched = {name for scenario in TRAINING for name in scenario} | {*TRAINING_JOB}
    wrong = []
    models = ("llama3.1-405b", "deepseek-v3", "mamba-2.8b", "gemma2-27b")
    for turn, scenario in enumerate(TRAINING):
        values = {**TRAINING_JOB, **scenario}
        for name in touched:
            office.ask("set", *typed(book, name), values.get(name))
        for _, model in tried(models, turn):
            office.ask("set", *typed(book, "model"), model)
            expected = numbers(book, {**records, "model": model}, values)
            assert expected is not None
            wrong += [
                f"{model}, {dict(scenario)}: {each}"
                for each in mismatches(office, book, (*book.inputs, *book.computed), expected)[:3]
            ]
    assert wrong == []


def test_a_record_of_ones_own_recalculates_everything_and_an_unknown_one_is_told(
    office: Office, llama: tuple[Book, bytes], tmp_path: Path
) -> None:
    book, contents = llama
    path = tmp_path / "own.xlsx"
    path.write_bytes(contents)
    office.open(path)
    leave_out_repeated(office, book)
    own = {"layers": 10, "hidden": 640, "heads": 10, "vocab": 1000}
    for name, value in own.items():
        place = book.naming.places[f"model: {name}"]
        office.ask("set", place.sheet, place.row, place.column, value)
    office.ask("set", *typed(book, "model"), "Custom")
    office.ask("set", *typed(book, "tp"), None)
    expected = numbers(book, {}, own)
    assert expected is not None
    assert mismatches(office, book, (*book.inputs, *book.computed), expected) == []
    office.ask("set", *typed(book, "model"), "no such model")
    assert "refused" in office.read("README")[1][1]


def test_no_number_is_too_wide_for_its_cell(office: Office, llama: tuple[Book, bytes], tmp_path: Path) -> None:
    pypdfium2 = pytest.importorskip("pypdfium2")
    path = tmp_path / "drawn.xlsx"
    path.write_bytes(llama[1])
    office.open(path)
    office.ask("pdf", str(tmp_path / "drawn.pdf"))
    pages = pypdfium2.PdfDocument(tmp_path / "drawn.pdf")
    texts = [page.get_textpage().get_text_range() for page in pages]
    assert 10 < len(texts) <= 30
    assert [number for number, text in enumerate(texts, 1) if "###" in text] == []
