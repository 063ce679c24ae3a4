"""What other programs call our inputs, records and words: it leads to ours, or says what to give instead."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.core.option_names import OPTIONS
from formula_eval.libraries import find_library
from formula_eval.records.synonyms import FILE, misnamed, synonyms_in

LIBRARY = find_library()
SYNONYMS = synonyms_in(LIBRARY.synonyms, FILE)


def test_all_lead_to_what_there_is(formulas):
    schema = formulas.evaluator.schema
    words = {word for each in schema.inputs.values() for word in each.quantity.words}
    known = {"inputs": schema.inputs, "records": schema.kinds, "words": words, "tunings": schema.kinds}
    units = {*schema.units.units, *filter(schema.units.explains, SYNONYMS.units.values())}
    known |= {"quantities": schema.formulas, "units": units}
    assert list(misnamed(SYNONYMS, known)) == []
    # Hours of a sentence may be those of a recording, a day or a job; --hours is those of a day.
    assert {*SYNONYMS.advice} & {*schema.inputs, *SYNONYMS.inputs, *SYNONYMS.records} == {"hours"}


def test_advice_names_options_that_there_are(formulas):
    schema = formulas.evaluator.schema
    libraries = Path(__file__).parents[2] / "libraries"
    texts = [path.read_text() for path in libraries.rglob("*.formula")]
    beyond = {name for text in texts for name in re.findall(r"^input (\w+)", text, re.MULTILINE)}
    for path in libraries.rglob("synonyms.toml"):
        synonyms = synonyms_in(tomllib.loads(path.read_text()), str(path))
        beyond |= {*synonyms.inputs, *synonyms.sizes}
    others = OPTIONS | {"help", "number_format", "training", *SYNONYMS.inputs} | beyond
    named = {each for text in SYNONYMS.advice.values() for each in re.findall(r"--[a-z0-9-]+", text)}
    for option in seen(named, at_least=20):
        name = option[2:].replace("-", "_")
        assert name in others or name in schema.inputs or schema.kind_named(name), option


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"tensor_parallel_size": 2}, "tp", 2),
        ({"isl": "1k", "osl": 7}, "prompt", 1000),
        ({"dtype": "fp8"}, "weight_bits", 8),
        ({"quantization": "awq"}, "weight_bits", 4),
        ({"schedule": "1f1b"}, "schedule", "one_f_one_b"),
        ({"optimizer": "AdamW"}, "optimizer", "adam"),
        ({"recompute": "selective"}, "recompute", "core"),
        ({"lora_targets": "q,v"}, "lora_target_widths", 16384),
        ({"lora_target_modules": "all-linear"}, "lora_target_widths", 4 * 2 * 4096 + 3 * (4096 + 11008)),
        ({"memory_bandwidth": "+10%"}, "memory_bandwidth", 3.685e12),
        ({"memory_bandwidth": "-10%"}, "memory_bandwidth", 3.015e12),
        ({"prompt": "+100%"}, "prompt", 1024),
        ({"memory_efficiency": "10%"}, "memory_efficiency", 0.1),
        ({"power_cap": "500W"}, "power_limit", 500.0),
        ({"carbon_intensity": "400 g/kWh"}, "carbon_intensity", 0.4 / 3.6e6),
        ({"carbon_intensity": "0.4 kg per kWh"}, "carbon_intensity", 0.4 / 3.6e6),
        ({"carbon_intensity": "0.4 gram/Wh"}, "carbon_intensity", 0.4 / 3.6e6),
        ({"price": "$2.50/h"}, "price", 2.5 / 3600),
        ({"price": "2.5 usd per hour"}, "price", 2.5 / 3600),
        ({"price": "2.5 USD/hrs"}, "price", 2.5 / 3600),
        ({"request_rate": "10rps"}, "request_rate", 10.0),
        ({"request_rate": "600 reqs/min"}, "request_rate", 10.0),
        ({"request_rate": "10/s"}, "request_rate", 10.0),
        ({"prompt": "+300%", "step_context": "+100%", "generated": 200}, "step_context", 2 * (4 * 512 + 100)),
    ],
)
def test_they_mean_the_same(given, name, value, formulas):
    found = formulas.evaluate(model="llama2-7b", only=[name], **given)[name].value
    assert found == (pytest.approx(value, rel=1e-15) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"max_output_len": 4096}, "not an input"),
        ({"tp": 2, "tensor_parallel_size": 4}, "both are `tp`"),
        ({"gpu": "h100", "hardware": "a100"}, "both are `hardware`"),
        ({"tp": "+10%"}, "is not a whole number"),
        ({"gpus": "+10%"}, "relative to a value that is not given"),
        ({"memory_efficiency": "+50%"}, "outside"),
        ({"batch": 10**400}, "out of range"),
    ],
)
def test_refused(given, says, formulas):
    with pytest.raises(FormulaError, match=says):
        formulas.evaluate(model="llama2-7b", only="tp", **given)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"inputs": {"tp": "tp_size"}}, "not a list of texts"),
        ({"inputs": {"tp": ["x"], "pp": ["x"]}}, "means both `tp` and `pp`"),
        ({"options": {}}, "has no key `options`"),
    ],
)
def test_a_file_of_another_form_is_refused(data, says):
    with pytest.raises(FormulaError, match=says):
        synonyms_in(data, "mine.toml")


SCENARIO = {"model": "llama2-7b", "tensor-parallel-size": 2, "memory_bandwidth": "+10%", "prompt": "4k"}
FORMS = {
    "s.json": json.dumps(SCENARIO),
    "s.toml": "".join(f"{key} = {json.dumps(value)}\n" for key, value in SCENARIO.items()),
    "s.yaml": "".join(f"{key}: {value}\n" for key, value in SCENARIO.items()),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_scenario_in_each_form_says_the_same(name, tmp_path, formulas):
    pytest.importorskip("yaml")
    (tmp_path / name).write_text(FORMS[name], encoding="utf-8")
    found = formulas.evaluate(inputs=tmp_path / name, only=["tp", "memory_bandwidth", "prompt"])
    assert [found[each].value for each in ("tp", "memory_bandwidth", "prompt")] == [2, 3.685e12, 4000]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.json", "{", "is not valid JSON"),
        ("s.json", "[1]", "does not hold names with values"),
        ("s.json", "[" * 100_000, "is not valid JSON"),
        ("s.yaml", "a: [", "is not valid YAML"),
        ("s.json", '{"tp": 1, "tp": 2}', "`tp` stands twice"),
        ("s.yaml", "tp: 1\ntp: 2\n", "`tp` stands twice"),
        ("s.yaml", "tp: 1\n---\ntp: 2\n", "does not hold names with values"),
        ("s.yaml", "a: &a [1, 1]\n" + f"b: &b [{'*a,' * 500}]\nc: [{'*b,' * 500}]\n", "references unfold"),
        ("s.yml", "!!python/object/apply:os.system [ls]", "is not valid YAML"),
        ("s.yaml", "- 1", "does not hold names with values"),
        ("s.yaml", "tpp: 2", "s.yaml: `tpp` is not an input"),
        ("s.toml", "tp = 2\ntensor_parallel_size = 4", "contradicts"),
    ],
)
def test_a_scenario_that_is_none(name, text, says, tmp_path, formulas):
    pytest.importorskip("yaml")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(FormulaError, match=says):
        formulas.evaluate(inputs=tmp_path / name, model="llama2-7b", only="tp")
