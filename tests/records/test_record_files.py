"""Records: found by id, alias or path, and checked key by key."""

import pytest

from counted import seen
from formula_eval import FormulaError, load
from formula_eval.core.record_kind import RecordKind
from formula_eval.libraries import find_library
from formula_eval.library import Library
from formula_eval.records import record_files
from formula_eval.records.record import RecordFile
from formula_eval.records.record_values import read_record

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


@pytest.mark.parametrize("supplier", ["model", "hardware", "family", "engine", "format", "offer"])
def test_all_of_ours_are_read_and_have_a_source(supplier, formulas):
    for record in seen(record_files.all_records(LIBRARY, formulas.evaluator.schema.kinds[supplier])):
        assert read_record(record, formulas.evaluator.schema).origin
        assert record.data["source"]


def test_ids_and_aliases_are_unique(formulas):
    for supplier in ("model", "hardware"):
        names = [
            name.lower()
            for each in record_files.all_records(LIBRARY, formulas.evaluator.schema.kinds[supplier])
            for name in {each.id, *each.data.get("aliases", ())}
        ]
        assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"layers": 2, "hidden": 8, "heads": 2}, "lacks `vocab`"),
        ({"layers": 2, "hidden": 8, "heads": 2, "vocab": 9, "tp": 2}, "`tp` is not an input of a model"),
        ({"layers": 2, "hidden": 8, "heads": 2, "vocab": "9 s"}, "is s, but a plain number"),
        ({"layers": [2], "hidden": 8, "heads": 2, "vocab": 9}, "is not a number"),
        ({"layers": True, "hidden": 8, "heads": 2, "vocab": 9}, "is not a number"),
    ],
)
def test_refused(data, says, formulas):
    with pytest.raises(FormulaError, match=says):
        read_record(RecordFile("model", "mine", "mine.toml", data), formulas.evaluator.schema)


@pytest.mark.slow
def test_a_library_of_ones_own(tmp_path):
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


@pytest.mark.parametrize(
    ("wanted", "found", "warned"),
    [
        ("vllm", "vllm-1", False),
        ("vllm-0.12", "vllm-1", False),
        ("vllm-0.7", "vllm-0.8", False),
        ("vllm-0.6.3", "vllm-0.6", True),
        ("vllm-0.0.1", "vllm-0.2", True),
        ("vllm-2", "vllm-1", True),
        ("TRTLLM-9", "tensorrt-llm-1.0", True),
        ("sglang-0.5.10", "sglang-0.5", True),
    ],
)
def test_an_unknown_version_is_the_nearest_older_one(wanted, found, warned, formulas):
    record = record_files.find_record(LIBRARY, formulas.evaluator.schema, "engine", wanted)
    assert record.id == found
    assert bool(record.remark) == warned


@pytest.mark.parametrize(("supplier", "wanted"), [("engine", "none-such-1"), ("engine", "mlx-1"), ("model", "gpt-99")])
def test_a_version_of_nothing_is_refused(supplier, wanted, formulas):
    with pytest.raises(FormulaError, match="Unknown"):
        record_files.find_record(LIBRARY, formulas.evaluator.schema, supplier, wanted)


def test_a_bare_name_is_the_newest_version(formulas):
    kind = formulas.evaluator.schema.kinds["engine"]
    versions = {}
    for each in seen(record_files.all_records(LIBRARY, kind)):
        if "version" in each.data:
            stem = each.id.removesuffix(f"-{each.data['version']}")
            assert stem != each.id
            newest = max(versions.get(stem, (0,)), tuple(map(int, each.data["version"].split("."))))
            versions[stem] = newest
    for stem, newest in seen(versions.items()):
        found = record_files.find_record(LIBRARY, formulas.evaluator.schema, "engine", stem)
        assert found.id == f"{stem}-{'.'.join(map(str, newest))}"


def test_a_version_that_stands_nowhere_is_told(formulas):
    asked = formulas.evaluate(model="llama2-7b", engine="vllm-0.6.3")
    (told,) = [each for each in asked.checks if each.name == "engine.version"]
    assert "There is no engine `vllm-0.6.3`: `vllm-0.6` is used instead" in told.message
    assert (told.level, told.ok) == ("warn", False)


def test_a_library_that_holds_what_it_read_sees_no_later_file(tmp_path):
    (tmp_path / "things").mkdir()
    plain = Library((tmp_path,))
    kind, held = RecordKind("thing", "things/"), plain.holding()
    (tmp_path / "things" / "one.toml").write_text("x = 1\n")
    assert [each.id for each in record_files.all_records(held, kind)] == ["one"]
    assert [path.stem for _, path in held.files("things/*.toml")] == ["one"]
    (tmp_path / "things" / "two.toml").write_text("x = 2\n")
    assert [each.id for each in record_files.all_records(plain, kind)] == ["one", "two"]
    assert [each.id for each in record_files.all_records(held, kind)] == ["one"]
    assert [path.stem for _, path in held.files("things/*.toml")] == ["one"]
