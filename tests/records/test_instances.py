"""Machines of clouds: which boards they have, how many, and what one of these costs."""

import tomllib
from pathlib import Path

import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.libraries import find_library
from formula_eval.records import record_files
from formula_eval.records.record_values import read_record

INSTANCES = tomllib.loads((Path(__file__).parent / "instances.toml").read_text(encoding="utf-8"))
WORTH = ["price", "instance_gpus", "serving_replicas"]


@pytest.mark.parametrize("said", INSTANCES)
@pytest.mark.parametrize("option", ["instance", "hardware"])
def test_a_machine_brings_boards_count_and_price(said: str, option: str, formulas: Formulas) -> None:
    board, count, price = INSTANCES[said]
    result = formulas.evaluate(only=WORTH, model="gpt2", **{option: said})
    assert result.givens.records["hardware"] == board
    assert result["instance_gpus"].value == result["serving_replicas"].value == count
    if price:
        assert result["price"].value == pytest.approx(price / 3600)
    elif (alone := formulas.evaluate(only=WORTH, model="gpt2", hardware=board)["price"].value) is not None:
        assert result["price"].value == alone


def test_a_price_that_the_machine_lacks_is_none(formulas: Formulas) -> None:
    spot = {
        each: formulas.evaluate(only=["price"], model="gpt2", instance=each, price_kind="lowest")["price"].value
        for each in ("a3-highgpu-8g", "p5.48xlarge")
    }
    assert spot["a3-highgpu-8g"] == pytest.approx(50.315338521 / 8 / 3600)
    assert spot["p5.48xlarge"] is None


def test_what_is_stated_beats_the_machine(formulas: Formulas) -> None:
    asked = {"model": "gpt2", "instance": "p5.48xlarge", "gpus": 4, "price": "2 USD/hour"}
    result = formulas.evaluate(only=[*WORTH, "inference.rented_gpus"], **asked)
    assert result["serving_replicas"].value == 4
    assert result["inference.rented_gpus"].value == 8
    assert result["price"].value == pytest.approx(2 / 3600)


def test_part_of_a_machine_is_told_with_how_much_more_the_whole_costs(formulas: Formulas) -> None:
    result = formulas.evaluate(model="llama3.1-8b", instance="g6e.12xlarge", gpus=1)
    said = next(each.message for each in result.checks if each.name == "inference.instances_all_used")
    assert "1 of 4 are used, and all are paid, 4 times as much as those in use" in said


@pytest.mark.parametrize("kind", ["on_demand", "one_year"])
def test_a_service_pays_for_whole_machines(kind: str, formulas: Formulas) -> None:
    """Three replicas of two boards cost what a machine of eight does, over each sum that holds its rent."""
    asked = {"model": "llama3.1-8b", "instance": "p5.48xlarge", "tp": 2, "concurrency": 8, "price_kind": kind}
    sums = ["inference.fleet_usd_per_month", "inference.fleet_usd_per_hour", "inference.fleet_bill_per_month"]
    three, four = (formulas.evaluate(only=sums, **asked, serving_replicas=each) for each in (3, 4))
    assert [three[each].value for each in sums] == pytest.approx([four[each].value for each in sums])
    names = ["inference.usd_per_request", "inference.serving_usd_per_million_output_tokens"]
    three, four = (formulas.evaluate(only=names, **asked, serving_replicas=each) for each in (3, 4))
    assert [three[each].value * 3 for each in names] == pytest.approx([four[each].value * 4 for each in names])


def test_machines_are_dated_or_without_a_price_or_of_an_undated_copy(formulas: Formulas) -> None:
    library, schema = find_library(), formulas.evaluator.schema
    boards = {each.id for each in record_files.all_records(library, schema.kinds["hardware"])}
    for record in seen(record_files.all_records(library, schema.kinds["instance"])):
        values = read_record(record, schema).values
        prices = [values.get(f"instance_{kind}price", 0) for kind in ("spot_", "")]
        assert record.data["hardware"] in boards, record.id
        assert record.data["source"], record.id
        assert prices == sorted(prices), record.id
        assert not prices[-1] or "instance_date" in record.data or "catalog" in record.data["source"], record.id
