"""Price lists of APIs and intensities of grids: dated, sourced, plausible, and under names that people type."""

import datetime as dt

import pytest

from counted import seen
from formula_eval import FormulaError, Formulas
from formula_eval.libraries import find_library
from formula_eval.records import record_files
from formula_eval.records.record_values import read_record

LIBRARY = find_library()
RATE = "inference.own_over_api"


@pytest.mark.parametrize("kind", ["api", "grid"])
def test_a_record_says_when_and_where(kind, formulas: Formulas):
    for record in seen(record_files.all_records(LIBRARY, formulas.evaluator.schema.kinds[kind])):
        assert dt.date.fromisoformat(record.data["date"]) >= dt.date(2023, 1, 1), record.id
        assert "https://" in record.data["source"], record.id


def test_what_a_cache_holds_costs_no_more_and_an_answer_no_less_than_a_prompt(formulas: Formulas):
    schema = formulas.evaluator.schema
    for record in seen(record_files.all_records(LIBRARY, schema.kinds["api"])):
        asked = read_record(record, schema).values
        price = {kind: asked.get(f"api_usd_per_million_{kind}_tokens") for kind in ("cached", "input", "output")}
        assert 0 < price["input"] <= price["output"] < 100, record.id
        assert price["cached"] is None or price["cached"] <= price["input"] / 2, record.id


def test_a_grid_lies_between_water_and_coal(formulas: Formulas):
    schema = formulas.evaluator.schema
    for record in seen(record_files.all_records(LIBRARY, schema.kinds["grid"])):
        grams = read_record(record, schema).values["carbon_intensity"] * 3.6e9  # kg/J to gram/kWh
        assert 20 < grams < 1000, record.id


@pytest.mark.parametrize("name", ["france", "FR", "fra", "France"])
def test_a_grid_is_known_by_its_name_and_codes(name, formulas: Formulas):
    found = formulas.evaluate(only=["carbon_intensity"], model="gpt2", grid=name)["carbon_intensity"]
    assert found.value * 3.6e9 == pytest.approx(44.18)


def test_a_given_intensity_beats_the_grid(formulas: Formulas):
    asked = {"model": "gpt2", "grid": "france", "carbon_intensity": "10 gram/kWh"}
    assert formulas.evaluate(only=["carbon_intensity"], **asked)["carbon_intensity"].value * 3.6e9 == pytest.approx(10)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"grid": "frence"}, "Unknown grid `frence`"),
        ({"api": "cerebras-llama-8b"}, "Unknown api `cerebras-llama-8b`"),
        ({"api_usd_per_million_input_tokens": "3"}, "lacks its unit, USD"),
    ],
)
def test_what_is_unknown_or_without_a_unit_is_refused(asked, said, formulas: Formulas):
    with pytest.raises(FormulaError, match=said):
        formulas.evaluate(only=[RATE], model="gpt2", **asked)
