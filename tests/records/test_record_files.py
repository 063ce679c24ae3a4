"""Records: found by id, alias or path, and checked key by key."""

import pytest

from formula_eval import FormulaError, load
from formula_eval.library import find_library
from formula_eval.records import record_files
from formula_eval.records.record import RecordFile

LIBRARY = find_library()


@pytest.mark.parametrize(
    ("supplier", "wanted", "found"),
    [
        ("model", "llama2-70b", "llama2-70b"),
        ("model", "meta-llama/Llama-2-70b-hf", "llama2-70b"),
        ("model", "LLAMA2-70B", "llama2-70b"),
        ("hardware", "h100-sxm", "h100-sxm"),
        ("hardware", "H100", "h100-sxm"),
    ],
)
def test_found(supplier, wanted, found, formulas):
    assert record_files.find_record(LIBRARY, formulas.evaluator.schema, supplier, wanted).id == found


@pytest.mark.parametrize("supplier", ["model", "hardware", "family", "engine", "format"])
def test_all_of_ours_are_read_and_have_a_source(supplier, formulas):
    for record in record_files.all_records(LIBRARY, supplier):
        assert record_files.read_record(record, formulas.evaluator.schema, LIBRARY).origin
        assert record.data["source"]


def test_ids_and_aliases_are_unique():
    for supplier in ("model", "hardware"):
        names = [
            name.lower()
            for each in record_files.all_records(LIBRARY, supplier)
            for name in {each.id, *each.data.get("aliases", ())}
        ]
        assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"layers": 2, "hidden": 8, "heads": 2}, "lacks `vocab`"),
        ({"layers": 2, "hidden": 8, "heads": 2, "vocab": 9, "tp": 2}, "`tp` is no input of a model"),
        ({"layers": 2, "hidden": 8, "heads": 2, "vocab": "9 s"}, "is s, but a plain number"),
        ({"layers": [2], "hidden": 8, "heads": 2, "vocab": 9}, "is no number"),
        ({"layers": True, "hidden": 8, "heads": 2, "vocab": 9}, "is no number"),
    ],
)
def test_refused(data, says, formulas):
    with pytest.raises(FormulaError, match=says):
        record_files.read_record(RecordFile("model", "mine", "mine.toml", data), formulas.evaluator.schema, LIBRARY)


def test_a_library_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.setenv("FORMULA_EVAL_CACHE", str(tmp_path / "cache"))
    mine = tmp_path / "mine"
    (mine / "models").mkdir(parents=True)
    (mine / "formulas" / "mine").mkdir(parents=True)
    (mine / "models" / "tiny.toml").write_text("layers = 2\nhidden = 8\nheads = 2\nvocab = 9\n", encoding="utf-8")
    (mine / "hardware.toml").write_text(
        '[toy]\npeak_16 = "1 TFLOP/s"\nmemory_capacity = "1 GB"\nmemory_bandwidth = "1 TB/s"\n', encoding="utf-8"
    )
    (mine / "formulas" / "mine" / "own.formula").write_text(
        '"""Mine."""\n\nper_layer: param = params.total / layers\n    "Parameters for each layer"\n', encoding="utf-8"
    )
    result = load(mine).evaluate(only=["mine.per_layer"], model="tiny", gpu="toy")
    assert result["mine.per_layer"].value > 0
    assert result.inputs["layers"].origin == str(mine / "models" / "tiny.toml")
    (mine / "models" / "tiny.toml").write_text("layers = 2\n", encoding="utf-8")
    with pytest.raises(FormulaError, match="lacks `hidden`"):
        load(mine).evaluate(only=["mine.per_layer"], model="tiny")
