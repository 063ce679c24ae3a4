"""A day by the hour: the replicas of an hour are those of a plan at its rate, sums add up, wrong files are refused."""

import io
import json
import math
from itertools import pairwise

import openpyxl
import pytest
from selenium.webdriver.common.by import By

from counted import seen
from export.browser import showing
from export.pages import logged
from formula_eval.analyse.plan.planned import HourSums, day_of
from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.plan_layout import read_plan_layout
from formula_eval.cli.command import main
from formula_eval.export.plan.data import plan_data
from formula_eval.export.plan.heading import verdict_of
from formula_eval.export.plan.plan_page import plan_page
from formula_eval.export.plan.plan_sheet import plan_workbook
from formula_eval.export.plan.rows import read_plan_page
from plan.sheets import plan_sheet_of

ASKED = {"model": "llama3-8b", "gpu": "h100-sxm", "tp": 1, "pp": 1, "prompt": 2000, "generated": 300}
RATES = [0.0] * 8 + [20.0, 45.0, 90.0, 45.0] + [20.0] * 6 + [5.0] * 6


COMMITS = {"offer": "aws-h100-sxm", "price_kind": "three_years"}  # boards by themselves: a machine is rented whole


@pytest.fixture(scope="module")
def planned(formulas):
    return formulas.plan(**ASKED, profile=RATES)


@pytest.fixture(scope="module")
def committed(formulas):
    return formulas.plan(**ASKED, **COMMITS, profile=RATES)


def _column(plan, hour, title: str) -> float:
    return dict(zip([each.title for each in plan.day.columns], hour.values, strict=True))[title]


@pytest.mark.slow
def test_the_replicas_of_an_hour_are_those_of_a_plan_at_its_rate(planned, formulas):
    for hour in seen(planned.best.day.hours[9:12:2]):
        alone = formulas.plan(**ASKED, request_rate=f"{hour.rate} request/s")
        replicas = dict(zip([each.title for each in alone.columns], alone.best.values, strict=True))["replicas"]
        assert _column(planned, hour, "replicas") == replicas


@pytest.mark.slow
def test_more_requests_never_take_fewer_replicas_and_a_quiet_hour_keeps_one(planned):
    hours = sorted(planned.best.day.hours, key=lambda each: each.rate)
    replicas = [_column(planned, each, "replicas") for each in hours]
    assert replicas == sorted(replicas)
    assert replicas[0] == 1 < replicas[-1]


@pytest.mark.slow
def test_hours_without_requests_tell_the_replica_that_they_keep(planned, formulas):
    [price] = {_column(planned, each, "hardware") for each in planned.best.day.hours if not each.rate}
    assert price == pytest.approx(3.92)  # one H100 for an hour
    text = verdict_of(planned, formulas.evaluator)
    assert "8 hours without requests keep one replica, for 31.36 USD of that; --scale-to-zero keeps none" in text


@pytest.mark.slow
def test_replicas_scale_to_zero_in_hours_without_requests(planned, formulas):
    """The rent is that of the day but for those hours, and of the replica that starts behind them."""
    found = formulas.plan(**ASKED, profile=RATES, scale_to_zero=True)
    for before, hour in zip(planned.best.day.hours, found.best.day.hours, strict=True):
        assert _column(found, hour, "replicas") == (_column(planned, before, "replicas") if hour.rate else 0)
        assert hour.rate or math.isnan(_column(found, hour, "load"))
    day, kept = found.best.day, planned.best.day
    starts = formulas.evaluate(only="inference.start_time", **ASKED)["inference.start_time"]
    more = (day.starts - kept.starts) * 3.92 * float(starts) / 3600
    assert day.scaled[0] == pytest.approx(kept.scaled[0] - 8 * 3.92 + more)
    assert day.steady[0] == kept.steady[0]
    assert "8 hours without requests keep no replica: a request that comes then waits" in verdict_of(
        found, formulas.evaluator
    )


@pytest.mark.slow
def test_a_commitment_keeps_its_replicas_in_hours_without_requests(formulas):
    found = formulas.plan(**ASKED, **COMMITS, profile=RATES, scale_to_zero=True)
    assert all(_column(found, hour, "replicas") >= 1 for hour in seen(found.best.day.hours))


@pytest.mark.slow
def test_the_sums_of_the_day_add_up(planned, formulas):
    day = planned.best.day
    rents = [_column(planned, each, "hardware") for each in day.hours]
    assert day.scaled[0] == pytest.approx(sum(rents))
    busiest = max(day.hours, key=lambda each: each.rate)
    names = ["inference.fleet_usd_per_hour", "inference.replica_start_usd"]
    hour, start = (values_of(formulas.evaluator, planned.best.question, names)[name] for name in names)
    assert _column(planned, busiest, "hardware") == pytest.approx(hour + busiest.starts * start)
    assert day.steady[0] == pytest.approx(24 * hour)
    assert day.scaled[1] < day.steady[1]
    told = json.loads(json.dumps(plan_data(planned, formulas.evaluator, "again"), allow_nan=False))
    (first,) = told["alternatives"]
    assert first["day"]["by_the_hour"]["hardware per day"] == pytest.approx(sum(rents))
    assert len(first["day"]["hours"]) == 24
    assert "less than" in verdict_of(planned, formulas.evaluator)


@pytest.mark.slow
def test_a_commitment_is_for_the_replicas_that_are_needed_long_enough(committed, formulas):
    """A replica is worth it where the hours that need it cost more on demand than all hours under the commitment."""
    best, day = committed.best, committed.best.day
    prices = values_of(formulas.evaluator, best.question, ["price", "uncommitted_price", "inference.replica_gpus"])
    least_hours = 24 * prices["price"] / prices["uncommitted_price"]
    needed = [_column(committed, hour, "replicas") for hour in day.hours]
    worth = [count for count in range(1, int(max(needed)) + 1) if sum(each >= count for each in needed) > least_hours]
    assert 0 < day.committed == max(worth) < max(needed)
    rented = [max(each, day.committed) for each in needed]
    hour = 3600 * prices["inference.replica_gpus"]
    beyond = sum(rented) - 24 * day.committed
    rent = hour * (24 * day.committed * prices["price"] + beyond * prices["uncommitted_price"])
    starts = sum(max(later - sooner, 0) for sooner, later in pairwise([rented[-1], *rented]))
    start = values_of(formulas.evaluator, best.question, ["inference.start_time"])["inference.start_time"]
    more = starts * start * prices["uncommitted_price"] * prices["inference.replica_gpus"]
    assert day.scaled[0] == pytest.approx(rent + more)
    assert day.steady[0] == pytest.approx(24 * hour * max(needed) * prices["price"])
    assert f"a commitment for {day.committed:.0f} of them" in verdict_of(committed, formulas.evaluator)


@pytest.mark.slow
def test_all_are_committed_where_none_can_be_rented_on_demand(formulas):
    plan = formulas.plan(**{**ASKED, "gpu": "b200-sxm"}, offer="civo-b200-sxm", price_kind="three_years", profile=RATES)
    day = plan.best.day
    assert day.committed == max(_column(plan, hour, "replicas") for hour in day.hours) > 1
    assert day.scaled[0] == pytest.approx(day.steady[0])
    assert "all replicas are committed" in verdict_of(plan, formulas.evaluator)


@pytest.mark.slow
def test_a_rate_of_the_busiest_hour_makes_the_rates_a_shape(planned, formulas):
    shaped = formulas.plan(**ASKED, profile=[each / 90 for each in RATES], request_rate="90 request/s")
    assert [each.rate for each in shaped.best.day.hours] == pytest.approx(RATES)
    assert shaped.best.day.scaled == pytest.approx(planned.best.day.scaled)


@pytest.mark.slow
def test_a_day_without_rates_has_the_shape_that_a_word_names(formulas):
    people = {"users": 200_000, "hours_per_day": 9, "peak_to_mean": 4.5}
    planned = formulas.plan(**ASKED, **people, busiest_hour=20, profile="triangle")
    (hours,) = [each.day.hours for each in planned.alternatives]
    assert [each.hour for each in hours if each.rate > 0] == [19, 20, 21]
    assert sum(each.rate for each in hours) * 3600 == pytest.approx(200_000 * 3.7)
    assert [_column(planned, each, "requests") for each in hours] == [each.rate for each in hours]


def test_replicas_that_start_are_counted_around_midnight():
    def fewest(rate: float) -> HourSums:
        return HourSums([rate], [2 * rate], rate)

    day = day_of([3.0, 1.0] + [2.0] * 22, fewest, lambda _: fewest(3), HourSums([0.25], [0.5], 0), 5)
    assert [each.starts for each in day.hours] == [1, 0, 1, *[0] * 21]
    assert [each.values[0] for each in day.hours[:3]] == [3.25, 1, 2.25]
    assert day.scaled == [2 * 48 + 2 * 0.5]
    assert day.steady == [24 * 6]


def sheet_of(plan, formulas) -> openpyxl.Workbook:
    evaluator = formulas.evaluator
    layout = plan_sheet_of(evaluator, "serving")
    return openpyxl.load_workbook(io.BytesIO(plan_workbook(plan, evaluator, layout, "again")))


def _computed(office, book, path, title: str) -> dict[str, list]:
    book.save(path)
    office.open(path)
    return {row[0]: row for row in office.read(title) if row and row[0]}


@pytest.mark.slow
@pytest.mark.parametrize("commits", [False, True])
def test_its_sheet_computes_all_from_the_rates(commits, request, formulas, office, tmp_path):
    planned = request.getfixturevalue("committed" if commits else "planned")
    book = sheet_of(planned, formulas)
    title = planned.day.title
    day = planned.best.day
    found = _computed(office, book, tmp_path / "day.xlsx", title)
    head = found["hour"]
    for hour in day.hours:
        row = dict(zip(head, found[f"{hour.hour:02}:00"], strict=False))
        assert row["replicas"] == _column(planned, hour, "replicas")
        assert row["hardware, USD"] == pytest.approx(_column(planned, hour, "hardware"))
        assert row["start"] == hour.starts
    rent = head.index("hardware, USD")
    assert found["hardware per day, by the hour"][rent] == pytest.approx(day.scaled[0])
    assert found["hardware per day, never scaled"][rent] == pytest.approx(day.steady[0])
    plan_sheet = book.worksheets[0]
    busiest = next(row for row in plan_sheet.iter_rows() if row[0].value == "requests, busiest hour")
    busiest[2].value /= 2
    half = _computed(office, book, tmp_path / "half.xlsx", title)
    assert [half[hour][1] for hour in ("08:00", "10:00")] == pytest.approx([10, 45])
    assert half["10:00"][head.index("replicas")] < found["10:00"][head.index("replicas")]
    busiest[2].value *= 2
    sheet = book[title]
    eight = next(row for row in sheet.iter_rows() if row[0].value == "08:00")
    eight[1].value = 70
    busier = _computed(office, book, tmp_path / "busier.xlsx", title)
    rates = [70.0 if hour == 8 else rate for hour, rate in enumerate(RATES)]
    kept = {**COMMITS, "committed_replicas": day.committed} if commits else {}
    again = formulas.plan(**ASKED, **kept, profile=rates).best.day
    assert busier["hardware per day, by the hour"][rent] == pytest.approx(again.scaled[0])


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["planned", "committed"])
def test_its_page_computes_the_sums(asked, request, formulas, tmp_path):
    planned = request.getfixturevalue(asked)
    evaluator = formulas.evaluator
    layout = read_plan_layout(evaluator.library, "serving", evaluator.schema)
    file = tmp_path / "day.html"
    page = read_plan_page(evaluator.library, "serving", evaluator.schema, layout)
    file.write_text(plan_page(planned, evaluator, page, "again"))
    with showing(file) as shown:
        sums = shown.execute_script("return formulaEvalPlan.sums(0)")
        rows = [each.text for each in shown.find_elements(By.CSS_SELECTOR, "#day tbody th")]
        midnight = shown.find_elements(By.CSS_SELECTOR, "#day tbody tr")[-24].text
        assert not logged(shown)
    assert midnight.startswith("00:00 0 requests/s")
    day = planned.best.day
    assert [pair[0] for pair in sums] == pytest.approx(day.scaled)
    assert [pair[1] for pair in sums] == pytest.approx(day.steady)
    assert rows[-24:] == [f"{hour:02}:00" for hour in range(24)]


@pytest.mark.slow
def test_the_day_that_costs_least_stands_first(formulas):
    asked = {"model": "llama3-8b", "ttft_target": "1 s", "tpot_target": "50 ms", "peak_to_mean": 3}
    found = formulas.plan(gpu="h100-sxm,l40s", request_rate="60 request/s", profile="triangle", **asked)
    days = [each.day.scaled[0] for each in found.alternatives]
    assert days == sorted(days)
    rents = [
        each.values[[column.title for column in found.columns].index("hardware per month")]
        for each in found.alternatives
    ]
    assert rents != sorted(rents)


@pytest.mark.slow
def test_what_shapes_a_day_counts_for_something(capsys):
    words = [
        "plan",
        "llama3-8b",
        "h100-sxm",
        "--tp",
        "1",
        "--pp",
        "1",
        "--profile",
        "triangle",
        "--request-rate",
        "20/s",
    ]
    assert main([*words, "--peak-to-mean", "2", "--busiest-hour", "10"]) == 0
    assert "no effect" not in capsys.readouterr().err
