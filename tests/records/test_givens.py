"""Who wins when several say something, and who is named for it."""

import json

import pytest

from formula_eval import FormulaError


def inputs(formulas, **given):
    result = formulas.evaluate(only=["inference.tpot"], **{"model": "llama2-70b", **given})
    return {name: (value.value, value.origin) for name, value in result.inputs.items()}


def test_layers_of_authority(formulas, tmp_path):
    scenario = tmp_path / "scenario.toml"
    scenario.write_text('tp = 4\nbatch = 3\nmemory_bandwidth = "1 TB/s"\n', encoding="utf-8")
    found = inputs(formulas, inputs=scenario, batch=5)
    assert found["batch"] == (5, "argument")
    assert found["tp"] == (4, str(scenario))
    assert found["memory_bandwidth"] == (1e12, str(scenario))
    assert found["peak_16"] == (989.4e12, "hardware.toml [h100-sxm]")
    assert found["layers"] == (80, "models/llama2-70b.toml")
    assert found["gemm_efficiency_16"][1].startswith("presets/family.toml [")
    assert found["pp"] == (1, "default")


def test_presets_may_be_chosen(formulas):
    assert inputs(formulas, family="ampere")["gemm_efficiency_16"][1] == "presets/family.toml [ampere]"


def test_numbers_are_in_base_units_and_texts_in_any(formulas):
    assert inputs(formulas, memory_bandwidth=2.5e12) == inputs(formulas, memory_bandwidth="2.5 TB/s")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tpp": 8}, "`tpp` is not an input"),
        ({"params.total": 8}, "`params.total` is not an input"),
        ({"memory_bandwidth": float("nan")}, "out of range"),
        ({"tp": 3}, "cannot split 64 attention heads"),
        ({"engine": "none-such"}, "Unknown engine"),
    ],
)
def test_refused(given, says, formulas):
    with pytest.raises(FormulaError, match=says):
        inputs(formulas, **given)


def test_without_a_model(formulas):
    with pytest.raises(FormulaError, match="Which model"):
        formulas.evaluate(only=["params.total"])
    given = {"layers": 2, "hidden": 8, "heads": 2, "vocab": 9}
    assert formulas.evaluate(only=["params.total"], **given)["params.total"].value > 0


def test_one_missing_input_is_named(formulas):
    with pytest.raises(FormulaError, match="vocab"):
        formulas.evaluate(only=["params.total"], layers=2, hidden=8, heads=2)


@pytest.mark.slow
def test_what_is_absent_or_infinite_is_null_with_a_reason(formulas):
    data = formulas.evaluate(only=["*"], model="gpt2").to_data()
    null = [name for name, value in data["values"].items() if value["value"] is None]
    told = {each["name"] for each in data["checks"] if not each["ok"]}
    assert set(null) <= told
    assert json.loads(json.dumps(data, allow_nan=False))
