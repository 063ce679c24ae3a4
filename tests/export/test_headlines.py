"""What somebody named heads page, workbook and picture; slips in the files of reports are told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from export.workbook_cases import book_of
from formula_eval import FormulaError, load
from formula_eval.analyse.influences import asked_sensitivity
from formula_eval.ask.evaluate import EvaluateRequest, evaluate
from formula_eval.export.document import Document, document_of
from formula_eval.export.formats import write_document
from formula_eval.export.html.page import page_text
from formula_eval.export.html.page_layout import page_layout
from formula_eval.export.quantities import title_of
from formula_eval.export.terminal.answer_text import answer_text
from formula_eval.export.terminal.screen import Screen
from formula_eval.export.workbook.outputs_sheet import _asked_headlines
from formula_eval.records.answer_kind import purpose_of
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow  # whole documents

KERNELS = "operators.pass_operators"
LIBRARY = Path(__file__).parents[1] / "user_library" / "trip_library"


def made(*only: str, records: dict[str, str] | None = None, library: Path | None = None) -> Document:
    asked = load(*[library] if library else []).evaluator
    namespace = purpose_of("", asked.library, asked.schema).namespace
    question = Question(records or {}, namespace=namespace)
    return document_of(asked, question, asked.select(only or ["*"], question), named=bool(only))


@pytest.fixture(scope="module")
def trip() -> Document:
    return made(library=LIBRARY)


@pytest.fixture(scope="module")
def served() -> Document:
    return made("inference.latency", "params.active", "training.step_parts", records={"model": "llama2-7b"})


def test_a_title_names_the_model_and_the_accelerator_alone(served: Document) -> None:
    assert title_of(served) == "Llama 2 7B on NVIDIA H100 SXM5 80GB"


def cards(document: Document) -> dict[str, str]:
    (section,) = [each for each in page_layout(document)["section"] if each["kind"] == "cards"]
    return {each["name"]: each["title"] for each in section["entries"]}


def test_what_was_named_heads_the_page(served: Document) -> None:
    assert cards(served) == {"inference.latency": "Whole request", "params.active": "Active"}
    kinds = [each["kind"] for each in page_layout(served)["section"]]
    assert kinds[0] == "cards"
    assert "roofline" not in kinds
    assert "operators" not in kinds


def test_what_was_named_heads_the_workbook(served: Document) -> None:
    book, _ = book_of(served)
    titles = [entry["title"] for entry, _ in _asked_headlines(book)]
    assert titles == ["Whole request", "Active"]


def test_all_documents_call_kernels_alike(served: Document) -> None:
    library = served.evaluator.library
    files = ("answers/serving", "page", "workbook", "structure")
    parts = [part for file in files for part in tables_in(library.last(f"reports/{file}.toml")[1])]
    assert len(parts) > len(files)
    assert all(each["titles"] == parts[0]["titles"] for each in parts)


def tables_in(part: object) -> Iterator[Any]:
    """The sections that show the kernels of a pass."""
    if isinstance(part, dict):
        if KERNELS in (part.get("table"), part.get("name")):
            yield part
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from tables_in(each)


def test_a_library_has_controls_of_its_own_inputs(trip: Document) -> None:
    controls = {each["input"]: each for each in page_layout(trip)["control"]}
    assert list(controls) == ["trip.battery", "trip.reserve", "trip.season"]
    assert controls["trip.battery"]["stops"] == ["1 kWh", "7.5 kWh", "15 kWh", "30 kWh", "60 kWh", "120 kWh", "200 kWh"]
    assert controls["trip.reserve"]["stops"][:2] == [0, 0.09]
    assert "stops" not in controls["trip.season"]


def test_a_layout_that_names_inputs_of_a_library_leaves_its_others_behind() -> None:
    document = made(records={"denoiser": "flux.1-dev"}, library=Path(__file__).parents[2] / "libraries" / "diffusion")
    controls = [each["input"] for each in page_layout(document)["control"]]
    assert "diffusion.steps" in controls
    assert not {"diffusion.pass_share", "diffusion.unet_extra_traffic", "diffusion.kernel_time"} & {*controls}


def test_a_library_shows_its_tables(trip: Document) -> None:
    (table,) = [each for each in page_layout(trip)["section"] if each["kind"] == "table"]
    assert table["cells"]["city"]["energy"] == "trip.stretches.city.energy"


def test_titles(trip: Document) -> None:
    assert title_of(trip) == "An electric car's trip"
    assert title_of(made("microbenchmark.gemm_time")) == "NVIDIA H100 SXM5 80GB"
    assert title_of(made("gemm_rows")) == "Gemm rows"
    assert title_of(made("params.active", records={"model": "llama2-7b"})) == "Llama 2 7B"


def test_a_picture_without_a_model(trip: Document, tmp_path: Path) -> None:
    write_document(trip, "graph", tmp_path / "trip.svg")
    text = (tmp_path / "trip.svg").read_text()
    for each in ("stops", "89.28 MJ", "asked for", "city energy"):
        assert each in text


def answer(document: Document) -> str:
    return answer_text(evaluate(document.evaluator, EvaluateRequest(document.question)), "table", Screen())


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("page", '[[control]]\ntitle = "x"', "a [[control]] lacks `input`"),
        ("page", '[[control]]\ninput = "trip.batery"', "Did you mean `trip.battery`"),
        ("page", 'control = ["trip.battery"]', 'a [[control]] is `"trip.battery"`, not a table'),
        ("page", '[[section]]\nkind = "card"', "is not a kind of section"),
        ("page", '[[section]]\nkind = "cards"\nentries = [{ name = "trip.energy" }]', "lacks `title`"),
        ("page", '[[section]]\nkind = "cards"\nentries = [{ name = "trip.enrgy", title = "x" }]', "`trip.energy`"),
        ("page", '[[section]]\nkind = "table"\ntable = "trip.stretchs"\ncolumns = ["energy"]', "`trip.stretches`"),
        ("workbook", '[[headline]]\nname = "trip.energy"', "a [[headline]] lacks `title`"),
        ("workbook", '[[headline]]\ntitle = "x"\nname = "trip.enrgy"', "`trip.energy`"),
        ("workbook", '[[chart]]\nkind = "pie"\ntitle = "x"', "`pie` is not a kind of chart"),
        ("workbook", '[[chart]]\nkind = "stack"\ntitle = "x"', "of kind `stack` lacks `parts`"),
        (
            "answers/trip",
            (
                '[[section]]\nkind = "table"\ntitle = "x"\ntable = "trip.stretches"\ncounts = "length"\n'
                'columns = [{ title = "x", name = "energy" }]'
            ),
            "one of the `columns` of a [[section]] of kind `table` has no key `name`",
        ),
        ("answers/trip", 'section = "x"', "which is not a list of tables"),
    ],
)
def test_slips_in_report_files(file: str, text: str, says: str, tmp_path: Path) -> None:
    for path in LIBRARY.rglob("*.*"):
        target = tmp_path / path.relative_to(LIBRARY)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    report = tmp_path / "reports" / f"{file}.toml"
    report.parent.mkdir(parents=True)
    report.write_text(text, encoding="utf-8")
    document = made(library=tmp_path)
    make = {"page": page_text, "workbook": book_of, "answers/trip": answer}[file]
    with pytest.raises(FormulaError) as caught:
        make(document)
    found = caught.value.diagnostics[0]
    assert f"reports/{file}.toml" in found.message
    assert says in f"{found.message} {found.help}"


def test_a_sweep_begins_with_the_input_that_moves_the_first_quantity_most(trip: Document, served: Document) -> None:
    (sweep,) = [each for each in page_layout(trip)["section"] if each["kind"] == "sweep"]
    assert trip.result.numbers["trip.stops"] == 0  # so no share of it can change
    assert not asked_sensitivity(trip.evaluator, trip.question, "trip.energy").influences
    strongest = asked_sensitivity(trip.evaluator, trip.question, "trip.usable").influences[0].name
    assert (sweep["quantities"][0], sweep["along"][0]) == ({"name": "trip.usable"}, {"input": strongest})
    (ours,) = [each for each in page_layout(served)["section"] if each["kind"] == "sweep"]
    assert ours["along"][0] == {"input": "concurrency"}
