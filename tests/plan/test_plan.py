"""A plan: what it finds for each accelerator, what stops one, and how it says what is wrong with the demand."""

import csv
import io
import json
import math
import re

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.analyse.plan.values import values_of
from formula_eval.cli.command import main
from formula_eval.core.unit import PLAIN
from formula_eval.export.plan.data import plan_csv, plan_data
from plan.conftest import ASKED

LATE = "arrivals.late_beyond_share"


def _told(plan, number: int) -> dict[str, float]:
    return dict(zip([each.title for each in plan.columns], plan.alternatives[number].values, strict=True))


@pytest.mark.slow
def test_the_best_keeps_what_is_asked_with_the_fewest_accelerators(plan, formulas):
    best = plan.best
    asked = {**best.question.records, **best.question.values}
    names = ["arrivals.late_requests", "inference.fleet_gpus"]
    kept = formulas.evaluate(only=names, **asked)
    assert float(kept["arrivals.late_requests"]) <= ASKED["late_share"]
    fewer = asked | {"serving_replicas": int(asked["serving_replicas"]) - 1}
    assert float(formulas.evaluate(only=names, **fewer)["arrivals.late_requests"]) > ASKED["late_share"]
    told = _told(plan, 0)
    assert told["accelerators"] == float(kept["inference.fleet_gpus"])
    assert told["requests late"] <= 0.2
    assert told["first token, p50"] <= told["first token, p95"] <= told["first token, p99"]
    assert told["accelerators"] <= told["accelerators, twice the requests"] <= 2 * told["accelerators"]


@pytest.mark.slow
def test_more_requests_take_more_replicas(formulas):
    asked = formulas.plan(**ASKED, gpu="h100-sxm", request_rate=["5 request/s", "20 request/s", "60 request/s"])
    rows = [
        values_of(formulas.evaluator, each.hours["busiest"], ["request_rate", "serving_replicas"])
        for each in asked.alternatives
    ]
    replicas = [each["serving_replicas"] for each in sorted(rows, key=lambda row: row["request_rate"])]
    assert replicas == sorted(replicas)
    assert replicas[0] < replicas[-1]


@pytest.mark.slow
def test_what_stops_an_accelerator_is_said(plan):
    stopped = plan.alternatives[1]
    assert [text for _, text in stopped.varies] == ["t4"]
    assert stopped.stops[0] == "the cache of one request does not fit beside the weights"
    assert math.isnan(_told(plan, 1)["accelerators, twice the requests"])


@pytest.mark.slow
def test_cases_take_the_fewest_replicas_that_meet_the_targets(plan, formulas):
    told, titles = _told(plan, 0), {each.name: each.title for each in plan.cases.cases}
    gpus = {name: told[f"accelerators, {title}"] for name, title in titles.items()}
    rent = {name: told[f"hardware per month, {title}"] for name, title in titles.items()}
    assert gpus["quieter"] <= told["accelerators"] <= gpus["busier"] <= gpus["doubled"]
    assert gpus["faster"] <= told["accelerators"] <= gpus["slower"]
    assert gpus["dearer"] == gpus["cheaper"] == told["accelerators"]
    assert rent["dearer"] == pytest.approx(1.2 * told["hardware per month"])
    assert rent["cheaper"] == pytest.approx(0.8 * told["hardware per month"])
    for name in seen(["doubled", "busier", "quieter", "slower", "faster"]):
        question = plan.best.hours[name]
        count = values_of(formulas.evaluator, question, ["serving_replicas"])["serving_replicas"]
        fewer = question._replace(values={**question.values, "serving_replicas": count - 1})
        late = [values_of(formulas.evaluator, each, [LATE])[LATE] for each in (question, fewer)]
        assert late[0] <= 0 < late[1], name


@pytest.mark.slow
def test_a_case_states_no_target_that_nobody_states(formulas):
    """Every output token of this plan is later than the target that holds where none is stated."""
    found = formulas.plan(model="llama3-70b", gpu="l40s", request_rate="40 request/s", ttft_target="1 s", tp=2, pp=4)
    gpus = _told(found, 0)
    slower, faster = (gpus[f"accelerators, all times {each}"] for each in ("25% longer", "20% shorter"))
    assert faster <= gpus["accelerators"] <= slower < math.inf
    cases = [found.best.hours[each.name] for each in found.cases.cases]
    assert all("tpot_target" not in each.values for each in cases)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slower", "faster"])
def test_all_times_are_as_long_as_a_case_says(name, plan, formulas):
    """The same share is late as with each input that has a time in its unit scaled, but the rate and the targets."""
    evaluator = formulas.evaluator
    case = next(each for each in plan.cases.cases if each.name == name)
    times = 1 / case.scales["ttft_target"]
    question = plan.best.hours[name]
    asked = evaluator.givens(plan.best.question).values
    program = evaluator.program([LATE])
    replicas = values_of(evaluator, question, ["serving_replicas"])
    scaled, stretched = {**asked, **replicas}, []
    for each in program.inputs:
        quantity = evaluator.schema.inputs[each].quantity
        dimension = evaluator.library.units.parse(quantity.dimension).dimension if quantity.dimension else PLAIN
        power = dict(dimension.exponents).get("s", 0)
        if power and each not in case.scales:
            value = values_of(evaluator, plan.best.question, [each])[each]
            if math.isfinite(value) and value:
                scaled[each] = value * times ** float(power)
                stretched.append(each)
    assert len(stretched) > 5, stretched
    late = values_of(evaluator, question, ["arrivals.late_requests"])["arrivals.late_requests"]
    found = evaluator.program(["arrivals.late_requests"]).evaluate(scaled)["arrivals.late_requests"]
    assert found == pytest.approx(late, rel=1e-6)


@pytest.mark.slow
def test_files_hold_every_alternative(plan, formulas):
    data = json.loads(json.dumps(plan_data(plan, formulas.evaluator, "again"), allow_nan=False))
    assert [each["keeps_targets"] for each in data["alternatives"]] == [True, False]
    rows = list(csv.reader(io.StringIO(plan_csv(plan, formulas.evaluator))))
    assert [each[0] for each in rows[1:]] == ["h100-sxm", "t4"]
    assert rows[2][-1]


def test_a_class_with_all_requests_is_that_workload(formulas):
    names = ["prompt", "generated", "cached", "prompt_spread", "generated_spread"]
    rows = {
        f"traffic.{number}.{name}": value
        for number, share in ((1, 0.25), (2, 0.75))
        for name, value in (
            ("filled", True),
            ("share", share),
            ("prompt_median", 1730),
            ("prompt_ninetieth", 5696),
            ("answer_median", 415),
            ("answer_ninetieth", 834),
        )
    }
    whole, parts = (formulas.evaluate(only=names, **given) for given in ({"workload": "chat"}, rows))
    assert [float(parts[name]) for name in names] == pytest.approx([float(whole[name]) for name in names])


@pytest.mark.parametrize(
    ("traffic", "says"),
    [
        ("chat=0.6,code=0.3", "do not add up to 1"),
        ("chat=-1", "is not a workload with a share between 0 and 1"),
        ("nobody=1", "nobody"),
        ("chat=0.6,code", "not a workload|add up"),
    ],
)
def test_a_wrong_mix_is_refused(traffic, says, formulas):
    with pytest.raises(FormulaError, match=says):
        formulas.plan(**ASKED, gpu="h100-sxm", request_rate="1 request/s", traffic=traffic)


def test_a_plan_for_no_requests_is_refused(capsys):
    assert main(["plan", "--model", "llama3-8b", "--request-rate", "0"]) == 2
    assert "needs requests" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("width", [[], ["4bit"]])
def test_words_stand_beside_all_records_of_a_kind(width, capsys):
    """A kind of which all are asked for has no record that a width could be of."""
    assert main(["plan", "llama3.3-70b", "h200", *width, "--api", "all", "--request-rate", "5rps"]) == 0
    assert "at the API" in capsys.readouterr().out


@pytest.mark.slow
def test_spare_replicas_are_the_fewest_that_keep_enough_up_and_are_paid_for(formulas):
    asked = {**ASKED, "gpu": "h100-sxm", "request_rate": "20 request/s", "replica_availability": 0.98}
    bare, safe = (formulas.plan(**asked, **more) for more in ({}, {"availability": "99.9%"}))
    needed, spare = (int(_told(safe, 0)[title]) for title in ("replicas", "spare replicas"))
    assert _told(bare, 0)["replicas"] == needed
    assert "spare replicas" not in _told(bare, 0)

    def up(spares: int) -> float:
        together = needed + spares
        return sum(math.comb(together, k) * 0.98**k * 0.02 ** (together - k) for k in range(needed, together + 1))

    assert up(spare) >= 0.999 > up(spare - 1)
    rents = [_told(each, 0)["hardware per month"] for each in (bare, safe)]
    assert rents[1] == pytest.approx(rents[0] * (needed + spare) / needed)
    assert _told(safe, 0)["hardware per year"] == pytest.approx(12 * rents[1])


@pytest.mark.parametrize("share", ["100%", "120%", "-1%"])
def test_an_availability_of_all_of_the_time_is_refused(share, capsys):
    asked = ["plan", "--model", "llama3-8b", "--request-rate", "5/s", f"--availability={share}"]
    assert main(asked) == 2
    assert "availability" in capsys.readouterr().err


@pytest.mark.slow
def test_what_was_measured_goes_before_what_is_a_little_cheaper_and_has_a_price(formulas):
    job = {"model": "llama3-8b", "tp": 1, "pp": 1, "job_requests": 1e5, "prompt": 2000, "generated": 300}
    asked = {"gpu": ["h100-sxm", "vr200", "rtx-5090"], "deadline": "12 hour"}
    names, by_cost, dear = (
        [each.name for each in formulas.plan(**job, **asked, evidence_premium=premium).alternatives]
        for premium in (0.25, 0, 10)
    )
    assert names[-1] == by_cost[-1] == "vr200"
    assert dear == ["h100-sxm", "rtx-5090", "vr200"]
    assert by_cost == ["rtx-5090", "h100-sxm", "vr200"]


@pytest.mark.slow
def test_an_answer_that_is_due_at_once_tells_of_every_accelerator(formulas):
    asked = {"model": "llama3.1-8b", "request_rate": "60 request/s", "ttft_target": "1 s", "tpot_target": "50 ms"}
    gpus = ["h200-sxm", "l40s"]
    hurried, whole = (formulas.plan(gpu=gpus, **asked, **more) for more in ({"seconds": 0}, {}))
    assert sorted(each.name for each in hurried.alternatives) == gpus
    assert whole.mix is not None
    assert hurried.mix is None
    assert all(each.stops == ["Not reached within 0 s."] for each in hurried.alternatives)
    assert not any(each.is_reached for each in hurried.alternatives)
    assert all(each.is_reached for each in whole.alternatives)


def test_accelerators_beyond_the_time_are_named_apart_from_those_that_fail(capsys):
    asked = ["plan", "llama3.1-8b", "--gpu", "h200-sxm,l40s", "--request-rate", "60/s", "--tp", "1", "--seconds", "0"]
    main(asked)
    text = " ".join(capsys.readouterr().out.split())
    assert "Not reached within 0 s: l40s, h200-sxm." in text
    assert "Nothing meets the targets" not in text
    assert "better ones may exist" not in text


@pytest.mark.slow
def test_its_headline_has_the_electricity_that_is_paid_apart(capsys):
    line = ["plan", "llama3.1-8b", "h100", "--request-rate", "20/s", "--tp", "1", "--purchase-price", "30000 USD"]
    assert main([*line, "--own-electricity-price", "0.15 USD/kWh"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    bill = text.partition("hardware and electricity per month ")[2].partition(" USD")[0]
    assert f"{bill} USD a month with electricity" in text
    assert "rent" not in text
    assert main(line) == 0
    assert "500.00 USD a month;" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_it_tells_the_hours_and_the_peak_that_users_are_spread_over(capsys):
    asked = ["plan", "llama3.1-8b", "h100", "--users", "5000", "--questions-per-day", "12", "--tp", "1"]
    assert main([*asked, "--hours-per-day", "10", "--peak-to-mean", "2"]) == 0
    told = dict(each.rsplit("  ", 1) for each in capsys.readouterr().out.splitlines() if "  " in each.strip())
    found = {title.strip(): text.strip() for title, text in told.items()}
    assert found["hours of a day with requests"] == "10"
    assert found["busiest hour over the average one"] == "2"


@pytest.mark.slow
def test_a_workload_brings_its_targets_where_nobody_states_any(capsys):
    asked = ["plan", "llama3.1-8b", "h100", "--request-rate", "5/s", "--tp", "1", "--workload", "chat"]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert re.search(r"targets from +workload chat", text)
    assert re.search(r"first token within +2 s", text)
    assert re.search(r"output token within +200 ms", text)
    assert main([*asked, "--ttft-target", "1 s"]) == 0
    text = capsys.readouterr().out
    assert "targets from" not in text
    assert re.search(r"first token within +1 s", text)
    assert "output token within" not in text  # a target for the first token alone
