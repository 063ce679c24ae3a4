"""A day by the hour: the replicas of an hour are those of a plan at its rate, sums add up, wrong files are refused."""

import json
import os

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.analyse.plan.day import HourSums, day_of
from formula_eval.ask.day_profile import day_rates
from formula_eval.cli.command import main
from formula_eval.export.plan.data import plan_data
from formula_eval.export.plan.rows import verdict_of

ASKED = {"model": "llama3-8b", "gpu": "h100-sxm", "tp": 1, "pp": 1, "prompt": 2000, "generated": 300}
RATES = [0.0] * 8 + [20.0, 45.0, 90.0, 45.0] + [20.0] * 6 + [5.0] * 6


@pytest.fixture(scope="module")
def planned(formulas):
    return formulas.plan(**ASKED, profile=RATES)


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
def test_the_sums_of_the_day_add_up(planned, formulas):
    day = planned.best.day
    rents = [_column(planned, each, "rent") for each in day.hours]
    assert day.scaled[0] == pytest.approx(sum(rents))
    assert day.steady[0] == pytest.approx(24 * max(rents))
    assert day.scaled[1] < day.steady[1]
    told = json.loads(json.dumps(plan_data(planned, formulas.evaluator, "again"), allow_nan=False))
    (first,) = told["alternatives"]
    assert first["day"]["by_the_hour"]["rent of a day"] == pytest.approx(sum(rents))
    assert len(first["day"]["hours"]) == 24
    assert "less than" in verdict_of(planned, formulas.evaluator)


@pytest.mark.slow
def test_a_rate_of_the_busiest_hour_makes_the_rates_a_shape(planned, formulas):
    shaped = formulas.plan(**ASKED, profile=[each / 90 for each in RATES], request_rate="90 request/s")
    assert [each.rate for each in shaped.best.day.hours] == pytest.approx(RATES)
    assert shaped.best.day.scaled == pytest.approx(planned.best.day.scaled)


def test_replicas_that_start_are_counted_around_midnight():
    def fewest(rate: float) -> HourSums:
        return HourSums([rate], [2 * rate], rate)

    day = day_of([3.0, 1.0] + [2.0] * 22, fewest, lambda _: fewest(3), 5)
    assert day.starts == 2
    assert day.scaled == [2 * 48]
    assert day.steady == [24 * 6]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(["5"] * 24),
        "hour,rate\n" + "\n".join(f"{hour},5" for hour in range(24)),
        "\n".join(f"{hour}:00, 5" for hour in range(24)),
        "requests/s\n" + "\n".join(["5"] * 24) + "\n\n",
    ],
)
def test_rates_stand_by_themselves_or_behind_their_hour(text, tmp_path):
    (tmp_path / "day.csv").write_text(text)
    assert day_rates(tmp_path / "day.csv") == [5.0] * 24


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\n".join(["5"] * 23), "has 23 rates, and a day has 24"),
        ("\n".join(["5"] * 25), "has 25 rates, and a day has 24"),
        ("", "has 0 rates"),
        ("\n".join(["5"] * 23 + ["-1"]), "'-1' of hour 24 is no rate"),
        ("\n".join(["5"] * 23 + ["many"]), "'many' of hour 24 is no rate"),
        ("\n".join(["5"] * 23 + ["nan"]), "'nan' of hour 24 is no rate"),
        ("\n".join(["0"] * 24), "no requests arrive all day"),
        ("\n".join(["1,2,3"] * 24), "more than two columns"),
        ("\n".join(["7,5"] * 24), "does not count the hours"),
        ("x" * 200_000, "field larger"),
        ("5\n" * 600_000, "larger than 1 MB"),
    ],
)
def test_a_wrong_file_is_refused(text, says, tmp_path, capsys):
    (tmp_path / "day.csv").write_text(text)
    assert main(["plan", "--model", "llama3-8b", "--profile", str(tmp_path / "day.csv")]) == 2
    assert says in capsys.readouterr().err


def test_a_pipe_a_folder_and_no_file_are_refused(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    for name, says in (("pipe", "it is a pipe"), ("", "is a directory"), ("none.csv", "no such file")):
        assert main(["plan", "--model", "llama3-8b", "--profile", str(tmp_path / name)]) == 2
        assert says in capsys.readouterr().err


@pytest.mark.slow
def test_a_pipe_of_a_shell_is_read_once(capsys):
    read, write = os.pipe()
    os.write(write, b"5\n" * 24)
    os.close(write)
    asked = ["plan", "--model", "llama3-8b", "--tp", "1", "--pp", "1", "--profile", f"/dev/fd/{read}"]
    assert main([*asked, "--format", "csv"]) == 0
    os.close(read)
    assert "rent of a day, by the hour" in capsys.readouterr().out


@pytest.mark.parametrize("more", [{"job_requests": 1e6}, {"answer": "training", "training_tokens": 1e12}])
def test_a_day_of_a_job_is_refused(more, formulas):
    with pytest.raises(FormulaError, match="no requests arrive at a rate"):
        formulas.plan(model="llama3-8b", gpu="h100-sxm", profile=RATES, **more)
