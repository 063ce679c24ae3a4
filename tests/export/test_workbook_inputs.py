"""An edited workbook read back: what was typed is what is computed, and what cannot be meant is told."""

import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from export.office import Office
from export.workbook_cases import book_of, document, evaluator
from export.workbook_edits import replaced, with_typed
from formula_eval.ask.question import stated_in
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import Document, document_of
from formula_eval.export.workbook.inputs_sheet import YOURS
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

ASKED = {
    "tp": 8,
    "batch": 16,
    "price": "3.3 USD/hour",
    "workspace_bytes": "3 GB",
    "kv_bits": 8,
    "prefill_kernel_time": "7 us",
}
RECORDS = {"model": "mixtral-8x7b", "hardware": "a100-sxm-80gb", "engine": "vllm-1", "interval": "left-out"}


@pytest.fixture(scope="module")
def asked() -> tuple[Book, bytes]:
    return book_of(document(RECORDS, ASKED, ("memory.total_bytes",)))


def stated(path: Path) -> dict[str, Any]:
    found = stated_in(str(path), evaluator())
    assert found is not None
    return dict(found)


def values_of(path: Path) -> dict[str, float]:
    """The givens of a workbook, as the command line has them."""
    question = Question(scenario=str(path), stated=stated(path))
    return dict(evaluator().givens(question).values)


def test_an_untouched_workbook_asks_the_same_question(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    path = tmp_path / "same.xlsx"
    path.write_bytes(asked[1])
    before = evaluator().givens(Question(RECORDS, ASKED))
    assert stated(path) == {**RECORDS, **ASKED} | {"tp": 8, "workspace_bytes": "3 GB"}
    assert values_of(path) == pytest.approx(dict(before.values), rel=1e-15)


def test_edits_arrive(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    edits = {"model": "llama2-70b", "tp": 4, "price": 5, "workspace_bytes": None, "gated": "no", "family": "hopper"}
    expected = Question(
        {**RECORDS, "model": "llama2-70b", "family": "hopper"},
        {**ASKED, "tp": 4, "price": "5 USD/hour", "gated": False},
    )
    del expected.values["workspace_bytes"]  # type: ignore[attr-defined]
    found = values_of(with_typed(asked, RECORDS, tmp_path / "edited.xlsx", edits))
    assert found == pytest.approx(dict(evaluator().givens(expected).values), rel=1e-15)


def test_an_edited_accelerator_is_one_of_its_own(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    edits = {"hardware: peak_16": 400, "hardware: memory_bandwidth": 3000, "hardware: link_bandwidth": None}
    path = with_typed(asked, RECORDS, tmp_path / "faster.xlsx", edits)
    found = stated(path)
    assert found["hardware"]["peak_16"] == "400 TFLOP/s"
    values = values_of(path)
    assert (values["peak_16"], values["memory_bandwidth"]) == (400e12, 3000e9)
    assert "link_bandwidth" not in values
    assert values["memory_efficiency"] == 0.85


def test_a_model_of_ones_own(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    own = {"model: layers": 10, "model: hidden": 640, "model: heads": 10, "model: vocab": 1000, "model: gated": "yes"}
    path = with_typed(asked, RECORDS, tmp_path / "own.xlsx", {"model": "Custom", "tp": None, **own})
    assert stated(path)["model"] == {
        "name": "Custom",
        "layers": 10,
        "hidden": 640,
        "heads": 10,
        "vocab": 1000,
        "gated": "yes",
    }
    answer = evaluator().evaluate(
        evaluator().givens(Question(scenario=str(path), stated=stated(path))), ["params.total"]
    )
    assert answer["params.total"].value == 10 * (4 * 640**2 + 3 * 640 * 2560) + 2 * 1000 * 640 + 21 * 640


def test_values_that_compute(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    path = with_typed(asked, RECORDS, tmp_path / "computed.xlsx", {"batch": "=2*8"})
    with pytest.raises(FormulaError, match="never computed"):
        stated(path)


def test_a_file_that_libreoffice_saved(asked: tuple[Book, bytes], office: Office, tmp_path: Path) -> None:
    book, contents = asked
    path, saved = tmp_path / "before.xlsx", tmp_path / "after.xlsx"
    path.write_bytes(contents)
    office.open(path)
    place = book.naming.places["batch"]
    office.ask("set", place.sheet, place.row, YOURS, None)
    office.ask("formula", place.sheet, place.row, YOURS, "=4*8")
    office.ask("save", str(saved))
    assert stated(saved) == {**RECORDS, **ASKED, "batch": 32}


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ({"tp": "eight"}, r"`tp = eight` is not a number"),
        ({"tp": 2.5}, r"`tp = 2.5` is not a whole number"),
        ({"tp": True}, r"`tp = true` is not a number"),
        ({"tp": -1}, r"`tp = -1` is outside 1 to 1,024"),
        ({"price": "a lot"}, r"`price = a lot` is not a number"),
        ({"price": "3 GB"}, r"`price = 3 GB` is byte, but USD/hour is needed"),
        ({"gated": "perhaps"}, r"`gated = perhaps` is not a flag"),
        ({"qk_norm": "lunch"}, r"`qk_norm = lunch` is none of none, per_head, keys_only, full_width"),
        ({"batch": "#REF!"}, r"`batch` holds the error #REF!"),
        ({"batch": "=E20"}, r"`batch` reads other cells: =E20"),
        ({"batch": "=tp*2"}, r"`batch` reads other cells: =tp\*2"),
        ({"batch": "=Calc!B9"}, r"`batch` reads other cells: =Calc!B9"),
        ({"model": "no-such-model"}, r"no model `no-such-model` in it"),
        ({"hardware: peak_16": "fast"}, r"`peak_16 = fast` is not a number"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_told(
    asked: tuple[Book, bytes], tmp_path: Path, edits: dict[str, Any], said: str
) -> None:
    path = with_typed(asked, RECORDS, tmp_path / "edited.xlsx", edits)
    with pytest.raises(FormulaError, match=said):
        values_of(path)


@pytest.mark.parametrize(
    ("edits", "wanted", "said"),
    [
        ({"model": "Custom"}, "params.total", r"lacks `hidden`"),
        ({"hardware: peak_16": None}, "operators.operators_time", r"lacks `peak_16`"),
    ],
    ids=str,
)
def test_a_record_that_lacks_what_is_asked_is_told(
    asked: tuple[Book, bytes], tmp_path: Path, edits: dict[str, Any], wanted: str, said: str
) -> None:
    path = with_typed(asked, RECORDS, tmp_path / "edited.xlsx", edits)
    question = Question(values={"phase": "decode"}, scenario=str(path), stated=stated(path))
    with pytest.raises(FormulaError, match=said):
        evaluator().evaluate(evaluator().givens(question), (wanted,))


def test_a_circle_is_told(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    rows = [asked[0].naming.places[name].row + 1 for name in ("batch", "prompt")]
    path = with_typed(asked, RECORDS, tmp_path / "circle.xlsx", {"batch": f"=C{rows[1]}+1", "prompt": f"=C{rows[0]}+1"})
    with pytest.raises(FormulaError, match="reads itself in a circle"):
        stated(path)


@pytest.mark.parametrize("title", ["Inputs", "Models", "Hardware"])
def test_a_deleted_sheet_is_told(asked: tuple[Book, bytes], tmp_path: Path, title: str) -> None:
    path = tmp_path / "deleted.xlsx"
    other = f'<sheet name="Not {title}"'.encode()
    replaced(asked[1], path, "xl/workbook.xml", lambda text: text.replace(f'<sheet name="{title}"'.encode(), other))
    with pytest.raises(FormulaError, match=f"has no sheet `{title}`"):
        stated(path)


def test_a_changed_heading_is_told(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    workbook = openpyxl.load_workbook(io.BytesIO(asked[1]))
    workbook["Inputs"]["C5"].value = "mine"
    workbook.save(tmp_path / "changed.xlsx")
    with pytest.raises(FormulaError, match="lacks the column `yours`"):
        stated(tmp_path / "changed.xlsx")


def test_what_is_no_workbook_is_told(tmp_path: Path) -> None:
    path = tmp_path / "no.xlsx"
    for contents in (b"", b"tp = 8\n", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 100, b"PK\x03\x04 and nothing more"):
        path.write_bytes(contents)
        with pytest.raises(FormulaError, match="is not an Excel workbook"):
            stated(path)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("readme.txt", "hello")
    with pytest.raises(FormulaError, match="is not an Excel workbook"):
        stated(path)
    with pytest.raises(FormulaError, match="Cannot read"):
        stated(tmp_path / "nowhere.xlsx")
    (tmp_path / "folder.xlsx").mkdir()
    with pytest.raises(FormulaError, match="Cannot read"):
        stated(tmp_path / "folder.xlsx")
    foreign = openpyxl.Workbook()
    foreign.save(path)
    with pytest.raises(FormulaError, match="has no sheet `Inputs`"):
        stated(path)


def test_a_damaged_workbook_is_told(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    path = tmp_path / "damaged.xlsx"
    for part in ("xl/workbook.xml", "xl/worksheets/sheet3.xml", "xl/styles.xml", "[Content_Types].xml"):
        replaced(asked[1], path, part, lambda text: text[: len(text) // 2])
        with pytest.raises(FormulaError, match="damaged workbook"):
            stated(path)
    with zipfile.ZipFile(io.BytesIO(asked[1])) as whole:
        start = whole.getinfo("xl/worksheets/sheet1.xml").header_offset
    for place in range(start + 100, start + 400, 20):
        flipped = bytearray(asked[1])
        flipped[place] ^= 0xFF
        path.write_bytes(flipped)
        with pytest.raises(FormulaError, match=r"damaged workbook|is not an Excel workbook"):
            stated(path)
    path.write_bytes(asked[1][:-3000])
    with pytest.raises(FormulaError, match="is not an Excel workbook"):
        stated(path)


def test_bombs_are_not_unpacked(asked: tuple[Book, bytes], tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    zeros = b"0" * 10_000_000
    with zipfile.ZipFile(io.BytesIO(asked[1])) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, old.read(part))
        for number in range(31):
            new.writestr(f"xl/media/{number}.xml", zeros)
    with pytest.raises(FormulaError, match="would unpack to far more"):
        stated(path)
    strings = b"<sst>" + b"<si><t/></si>" * 300_000 + b"</sst>"
    replaced(asked[1], path, "xl/sharedStrings.xml", lambda _: strings)
    with pytest.raises(FormulaError, match="far more cells and texts"):
        stated(path)
    laughs = b'<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>'
    replaced(asked[1], path, "xl/workbook.xml", lambda text: text.replace(b"?>", b"?>" + laughs, 1))
    with pytest.raises(FormulaError, match="declares entities"):
        stated(path)
    behind = b"<!--" + b"-" * 2_000_000 + b"-->" + laughs
    replaced(asked[1], path, "xl/workbook.xml", lambda text: text.replace(b"?>", b"?>" + behind, 1))
    with pytest.raises(FormulaError, match="declares entities"):
        stated(path)


def test_a_scenario_may_write_a_record_out(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("tp = 2\n[model]\nlayers = 10\nhidden = 640\nheads = 10\nvocab = 1000\n", encoding="utf-8")
    givens = evaluator().givens(Question(scenario=str(path)))
    assert givens.values["layers"] == 10
    assert givens.records["model"] == "custom"
    book, contents = book_of(document_from(path))
    assert book.tables["model"].rows[0].values["layers"] == 10
    (tmp_path / "own.xlsx").write_bytes(contents)
    shutil.copy(tmp_path / "own.xlsx", tmp_path / "copy.xlsx")
    assert stated(tmp_path / "copy.xlsx")["model"]["hidden"] == 640


def document_from(path: Path) -> Document:
    return document_of(evaluator(), Question(scenario=str(path)), evaluator().select(["params.*"]), named=True)
