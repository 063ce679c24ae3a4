"""Prices of accelerators: dated, of a provider, and none where nobody states one."""

import math
import statistics
from typing import Any

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.cli.command import main
from formula_eval.libraries import find_library
from formula_eval.records import record_files
from formula_eval.records.givens import Question
from formula_eval.records.record import RecordFile
from formula_eval.records.record_values import read_record
from libraries import checked

LIBRARY = find_library()
OUTPUT = "inference.usd_per_million_output_tokens"


def test_the_price_of_a_board_is_that_of_its_offer(formulas):
    result = formulas.evaluate(only=["price"], model="gpt2", hardware="h200-sxm")
    offer = formulas.evaluate(only=["price"], model="gpt2", hardware="h200-sxm", offer="median-h200-sxm")
    assert result["price"].value == offer["price"].value == pytest.approx(4.50 / 3600)


@pytest.mark.parametrize(("kind", "price"), [("on_demand", 3.99), ("lowest", 3.99), ("highest", 4.29)])
def test_the_kind_chooses_among_the_prices_of_an_offer(kind, price, formulas):
    result = formulas.evaluate(only=["price"], model="gpt2", offer="lambda-h100-sxm", price_kind=kind)
    assert result["price"].value == pytest.approx(price / 3600)


def test_a_given_price_beats_the_offer(formulas):
    dear, cheap = (formulas.evaluate(only=[OUTPUT], model="gpt2", price=f"{p} USD/hour")[OUTPUT].value for p in (8, 2))
    assert dear == pytest.approx(4 * cheap)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"hardware": "tpu-v7"}, "inference.price_known"),
        ({"offer": "nebius-h100-sxm", "price_kind": "reserved"}, "inference.price_of_kind_known"),
        ({"hardware": "h100-sxm", "price_kind": "three_years"}, "inference.price_of_kind_known"),
    ],
)
def test_without_a_price_there_is_no_cost(asked, says, formulas):
    result = formulas.evaluate(only=[OUTPUT], model="gpt2", **asked)
    assert result[OUTPUT].value is None
    assert [check.name for check in result.checks if "price" in check.name and not check.ok] == [says]


@pytest.mark.parametrize(
    ("kind", "price", "years"),
    [("one_year", 4.3344, 1), ("three_years", 2.97216, 3), ("reserved", 2.97216, 3), ("on_demand", 6.88, 0)],
)
@pytest.mark.parametrize("asked", [{"offer": "aws-h100-sxm"}, {"instance": "p5.48xlarge"}])
def test_a_commitment_is_priced_and_binds(asked, kind, price, years, formulas):
    names = ["price", "commitment_length", "inference.is_committed", "inference.commitment_break_even"]
    result = formulas.evaluate(only=names, model="gpt2", price_kind=kind, **asked)
    assert [result[each].value for each in names] == [
        pytest.approx(price / 3600),
        years * 8760 * 3600,
        years > 0,
        pytest.approx(price / 6.88),
    ]


def test_a_commitment_for_nobody_is_refused(formulas):
    with pytest.raises(FormulaError, match="commit to at least one"):
        formulas.evaluate(model="gpt2", instance="p5.48xlarge", price_kind="one_year", committed_replicas=0)


def test_what_a_fleet_costs_is_at_the_mean_price(formulas):
    asked = {"model": "llama3.1-8b", "instance": "p5.48xlarge", "tp": 8, "concurrency": 16, "price_kind": "three_years"}
    names = [
        "inference.usd_per_conversation",
        "inference.usd_per_request",
        "inference.fleet_bill_per_month",
        "inference.fleet_usd_per_hour",
    ]
    mixed = formulas.evaluate(only=names, **asked, serving_replicas=4, committed_replicas=3)
    alike = formulas.evaluate(only=names, **asked, serving_replicas=4, price="3.94912 USD/hour")
    assert [mixed[each].value for each in names] == pytest.approx([alike[each].value for each in names])


def test_a_machine_with_commitments_alone_has_no_price_on_demand_of_its_own(formulas):
    prices = {
        kind: formulas.evaluate(only=["price"], model="gpt2", instance="a4-highgpu-8g", price_kind=kind)["price"].value
        for kind in ("on_demand", "three_years")
    }
    board = formulas.evaluate(only=["price"], model="gpt2", hardware="b200-sxm")["price"].value
    assert prices == {"on_demand": board, "three_years": pytest.approx(56.7072 / 8 / 3600)}


def test_a_price_without_a_date_is_refused(formulas):
    undated = RecordFile("offer", "mine", "mine.toml", {"on_demand_price": "1 USD/hour"})
    with pytest.raises(FormulaError, match="lacks `price_date`"):
        read_record(undated, formulas.evaluator.schema)


@pytest.mark.slow
def test_check_finds_an_undated_price(tmp_path):
    mine = tmp_path / "mine"
    (mine / "presets").mkdir(parents=True)
    (mine / "formulas" / "mine").mkdir(parents=True)
    (mine / "formulas" / "mine" / "own.formula").write_text('"""Mine."""\n', encoding="utf-8")
    (mine / "presets" / "price.toml").write_text('[mine]\non_demand_price = "1 USD/hour"\n', encoding="utf-8")
    found = [each.message for each in checked(mine).findings]
    assert any("[mine] lacks `price_date`" in each for each in found), found


def test_the_ends_of_a_list_hold_its_other_prices(formulas):
    schema = formulas.evaluator.schema
    for record in seen(record_files.all_records(LIBRARY, schema.kinds["offer"])):
        prices = {name: value for name, value in read_record(record, schema).values.items() if name.endswith("_price")}
        low, high = prices.get("lowest_price", 0), prices.get("highest_price", math.inf)
        assert prices, record.id
        ask = prices.get("on_demand_price", high)
        assert low <= ask <= high, record.id
        for less in ("reserved_price", "spot_price", "one_year_price", "three_year_price"):
            assert prices.get(less, 0) <= ask, record.id
        assert prices.get("three_year_price", 0) <= prices.get("one_year_price", math.inf), record.id


def test_an_offer_alone_counts_the_board_that_it_is_of(formulas):
    evaluator = formulas.evaluator
    for record in seen(record_files.all_records(LIBRARY, evaluator.schema.kinds["offer"])):
        held = evaluator.givens(Question(records={"model": "gpt2", "offer": record.id})).records
        assert record.id.endswith(f"-{held['hardware']}"), record.id


def lists() -> dict[str, list[dict[str, Any]]]:
    """The offers of each board, by the board."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, offer in LIBRARY.last("presets/price.toml")[1].items():
        if not name.startswith("median-") and "on_demand_price" in offer:
            found.setdefault(offer["hardware"], []).append(offer)
    return found


@pytest.mark.parametrize("board", [board for board, offers in lists().items() if len(offers) > 1])
def test_several_lists_have_a_median_with_the_ends_of_them(board, formulas):
    offers = lists()[board]
    prices = [float(offer["on_demand_price"].split()[0]) for offer in offers]
    wanted = (statistics.median(prices), min(prices), max(prices))
    asked = ["price", "inference.lowest_listed_price", "inference.highest_listed_price"]
    result = formulas.evaluate(only=[*asked, "price_date"], model="gpt2", hardware=board)
    assert [3600 * result[each].value for each in asked] == pytest.approx(wanted)
    record = LIBRARY.last("presets/price.toml")[1][f"median-{board}"]
    assert record["price_date"] == max(offer["price_date"] for offer in offers)
    assert record["name"].startswith(f"Median of {len(offers)} price lists")
    cited = [each["source"].split(";")[0].split(", as transcribed")[0] for each in offers]
    told = [f"{source}, {offer['price_date']}" for source, offer in zip(cited, offers, strict=True)]
    assert record["source"] == f"Median of {'; '.join(told)}"


def test_the_board_of_an_offer_is_the_board_that_names_it(formulas):
    for record in seen(record_files.all_records(LIBRARY, formulas.evaluator.schema.kinds["hardware"])):
        assert record.data.get("offer", record.id).endswith(record.id)


def test_boards_of_ones_own_pay_their_purchase_over_their_life(formulas):
    asked = {"model": "llama3.1-8b", "gpu": "h100-sxm", "purchase_price": "36000 USD", "hardware_life": "3 year"}
    found = formulas.evaluate(only=["price", "commitment_length", "inference.is_committed"], **asked)
    assert float(found["price"]) * float(found["commitment_length"]) == pytest.approx(36000)
    assert found["inference.is_committed"].value
    rented = formulas.evaluate(only=["price"], **asked, price_kind="on_demand")
    assert float(rented["price"]) == float(
        formulas.evaluate(only=["price"], model="llama3.1-8b", gpu="h100-sxm")["price"]
    )


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"price_valid_until": "2026-12-31", "start_day": "2026-12-31"}, ""),
        ({"price_valid_until": "2026-12-31", "start_day": "2027-01-15"}, "expires on 2026-12-31, before 2027-01-15"),
        ({"price_valid_until": "2026-12-31", "start_day": "2027-01-15", "price": "2 USD/hour"}, ""),
        ({"price_valid_until": "2026-12-31", "start_day": "2027-01-15", "instance": "p5.48xlarge"}, ""),
        ({"price_valid_until": "2026-12-31"}, "expires on 2026-12-31: say when you begin"),
        ({"start_day": "2027-01-15"}, ""),
        ({"start_day": "2027-07-01"}, "234 days before 2027-07-01"),
        ({"start_day": "2027-07-01", "price_lasts": "365 day"}, ""),
        ({}, ""),
    ],
)
def test_an_expired_and_an_old_price_are_told_with_their_days(given, says, formulas):
    result = formulas.evaluate(model="gpt2", hardware="h100-sxm", **given)
    told = [each.message for each in result.checks if not each.ok and each.name.rpartition(".")[2].startswith("price_")]
    assert [says in each and bool(says) for each in told] == [True] * bool(says), told


@pytest.mark.parametrize(
    ("only", "is_told"),
    [("price", True), (OUTPUT, True), ("inference.fleet_usd_per_month", True), ("inference.ttft", False)],
)
def test_what_a_price_decides_tells_by_itself_that_it_expired(only, is_told, formulas):
    given = {"price_valid_until": "2026-12-31", "start_day": "2027-01-15", "request_rate": "5 request/s"}
    result = formulas.evaluate(only=[only], model="gpt2", hardware="h100-sxm", **given)
    told = [each.message for each in result.checks if not each.ok and each.name == "price_still_holds"]
    assert [("2026-12-31" in each, "2027-01-15" in each) for each in told] == [(True, True)] * is_told


@pytest.mark.parametrize(
    "asked",
    [
        ["whisper-large-v3"],
        ["bge-m3"],
        ["flux.1-dev"],
        ["--training", "--model", "flux.1-dev"],
        ["qwen2.5-vl-7b", "--images", "1"],
        ["--training", "--method", "grpo", "--model", "qwen3-8b"],
        ["--training", "--model", "llama3.1-8b", "--gpus", "8"],
    ],
    ids="_".join,
)
def test_every_answer_with_a_cost_tells_an_expired_price(asked, capsys):
    assert main([*asked, "--start-day", "2027-01-15", "--price-valid-until", "2026-12-31"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "which expires on 2026-12-31, before 2027-01-15" in told


@pytest.mark.slow
def test_a_plan_tells_an_expired_price(capsys):
    asked = ["plan", "llama3.1-8b", "h100", "--request-rate", "5/s", "--tp", "1", "--start-day", "2027-01-15"]
    assert main([*asked, "--price-valid-until", "2026-12-31"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "an offer of 2026-11-09, which expires on 2026-12-31, before 2027-01-15" in told
