"""The best of a search against every configuration one by one, and what is said where nothing is good enough."""

from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval import FormulaError, Formulas
from formula_eval.analyse.search import search_run
from samples import samples

GOAL = "training.step_time"
FIXED = {
    "answer": "training",
    "model": "gpt2",
    "hardware": "a100-sxm-80gb",
    "gpus": 8,
    "global_batch": 64,
    "seq": 1024,
    "cp": 1,
    "virtual_stages": 1,
    "schedule": "one_f_one_b",
    "weight_offload": 0,
    "optimizer_offload": 0,
    "activation_offload": 0,
}
# What reports/search/training.toml demands of these, in the words of a sweep.
DEMANDS = ["training.device_bytes <= memory_capacity", "zero_stage < 3 or pp == 1", "zero_stage != 2 or pp == 1"]
WHERE = "training.device_bytes <= 6 GB"


def several(values: list[Any]) -> st.SearchStrategy[list[Any]]:
    """Two or more of these, in any order: what varies stays the same, so that programs are compiled once."""
    return st.lists(st.sampled_from(values), min_size=2, unique=True)


@settings(max_examples=samples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tp=several([1, 2, 3, 4, 5]),
    pp=several([1, 2, 4, 8]),
    micro_batch=several([1, 2, 3, 4, 16]),
    recompute=several(["none", "core", "full"]),
    zero_stage=several([0, 1, 2, 3]),
)
def test_the_best_is_that_of_a_sweep_of_all(formulas: Formulas, **varied: list[Any]) -> None:
    swept = formulas.sweep(only=[GOAL, "training.device_bytes"], where=[*DEMANDS, WHERE], **FIXED, **varied)
    found = formulas.search(minimise=GOAL, where=WHERE, **FIXED, **varied)
    assert found.counts.kept == len(swept)
    times = swept[GOAL]
    if not times:
        assert found.best is None
        assert found.stops
        return
    assert found.best[GOAL] == min(times)
    best = next(row for row in swept if row[GOAL] == min(times))
    assert found.best["training.device_bytes"] in {
        row["training.device_bytes"] for row in swept if row[GOAL] == best[GOAL]
    }
    ranked = [found.best, *found.runners_up]
    assert [row[GOAL] for row in ranked] == sorted(times)
    assert formulas.evaluate(only=GOAL, **found.given)[GOAL].plain == found.best[GOAL]
    fronted = {(row[GOAL], row["training.device_bytes"]) for row in found.front}
    points = {(row[GOAL], row["training.device_bytes"]) for row in swept}
    assert fronted == {each for each in points if not any(beats(other, each) for other in points)}


SPACE = {
    "tp": several([1, 2, 4]),
    "pp": several([1, 2, 4]),
    "micro_batch": several([1, 2, 3, 4, 8, 16]),
    "global_batch": several([24, 32, 48, 64, 96]),
    "recompute": several(["none", "core", "full"]),
    "zero_stage": several([0, 1, 2, 3]),
}
GOALS = [{"minimise": GOAL}, {"maximise": "training.tokens_per_second"}]


@pytest.mark.slow
@settings(max_examples=samples(4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(goal=st.sampled_from(GOALS), limit=st.sampled_from([2, 4, 6, 80]), varied=st.fixed_dictionaries(SPACE))
def test_bounds_find_the_best_of_all_and_never_prove_too_much(
    formulas: Formulas, goal: dict[str, str], limit: int, varied: dict[str, list[Any]]
) -> None:
    asked = {**goal, **FIXED, **varied, "where": f"training.device_bytes <= {limit} GB"}
    whole = formulas.search(**asked)
    (name,) = goal.values()
    with mock.patch.object(search_run, "_MOST", 0):
        proven, hasty = formulas.search(**asked), formulas.search(**asked, seconds=0)
    assert proven.proof.is_proven
    assert (proven.best or {}).get(name) == (whole.best or {}).get(name)
    for each in (whole.proof, proven.proof, hasty.proof):
        assert each.computed + each.excluded + each.beaten + each.left == each.size == whole.counts.tried
    if whole.best is None:
        assert hasty.best is None
        return
    assert proven.proof.bound == whole.best[name]
    assert formulas.evaluate(only=name, **proven.given)[name].plain == whole.best[name]
    assert hasty.proof.is_proven <= (not hasty.proof.by_bounds)
    sign = -1 if "maximise" in goal else 1
    assert sign * hasty.proof.bound <= sign * whole.best[name]


@pytest.mark.slow
def test_records_are_compared_by_bounds_too(formulas: Formulas) -> None:
    varied = {"hardware": "a100-sxm-80gb,h100-sxm", "tp": [1, 2], "micro_batch": [1, 2, 4, 8], "pp": [1, 2, 4]}
    whole = formulas.search(minimise=GOAL, **{**FIXED, **varied})
    with mock.patch.object(search_run, "_MOST", 0):
        proven = formulas.search(minimise=GOAL, **{**FIXED, **varied})
    assert proven.proof.is_proven
    assert proven.best["hardware"] == whole.best["hardware"] == "h100-sxm"
    assert proven.proof.bound == proven.best[GOAL] == whole.best[GOAL]
    assert proven.proof.size == whole.proof.size


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def test_every_configuration_is_counted_once(formulas: Formulas) -> None:
    found = formulas.search(
        minimise=GOAL,
        where=WHERE,
        **FIXED,
        tp=[1, 2, 3, 4, 5],
        pp=[1, 2, 4, 8],
        micro_batch=[1, 2],
        recompute=["none", "core"],
        zero_stage=[1, 3],
        generated=[10, 20],
    )
    assert "`generated` changes nothing of what is sought" in str(found)
    assert found.given["generated"] == "10"
    tally = found.counts
    assert tally.tried == 5 * 4 * 2 * 2 * 2
    assert tally.kept <= tally.tried - tally.unanswered
    assert tally.refused["checks.tp_divides_heads"] == 4 * 2 * 2 * 2


def test_what_is_set_is_not_searched(formulas: Formulas) -> None:
    given = {"answer": "training", "model": "gpt2", "hardware": "a100-sxm-80gb", "gpus": 8}
    found = formulas.search(minimise=GOAL, **given, tp=2, pp=2)
    assert found.given["tp"] == "2"
    assert "tp" not in found.best
    assert found.best["micro_batch"] >= 1
    assert found.given["global_batch"] == "1536"


def test_records_vary_too(formulas: Formulas) -> None:
    varied = {"tp": [1, 2], "pp": [1, 2], "micro_batch": [1, 2], "recompute": ["none", "full"], "zero_stage": [1, 3]}
    both = formulas.search(minimise=GOAL, **{**FIXED, "hardware": "a100-sxm-80gb,h100-sxm"}, **varied)
    alone = formulas.search(minimise=GOAL, **{**FIXED, "hardware": "h100-sxm"}, **varied)
    assert both.best["hardware"] == both.given["hardware"] == "h100-sxm"
    assert both.best[GOAL] == alone.best[GOAL]
    assert {row["hardware"] for row in both.runners_up} == {"a100-sxm-80gb", "h100-sxm"}


@pytest.mark.slow
def test_a_rate_is_served_by_as_few_replicas_as_keep_the_targets(formulas: Formulas) -> None:
    asked = {"model": "llama2-7b", "hardware": "h100-sxm", "pp": 1, "ttft_target": "1 s", "tpot_target": "30 ms"}
    found = formulas.search(request_rate="60 request/s", tp=[1, 2], **asked)
    replicas = int(found.given["serving_replicas"])
    fewer = formulas.evaluate(**{**found.given, "serving_replicas": replicas - 1}, only="inference.targets_met")
    enough = formulas.evaluate(**found.given, only=["inference.targets_met", "inference.fleet_gpus"])
    assert enough["inference.targets_met"].plain is True
    assert fewer["inference.targets_met"].plain is False
    assert enough["inference.fleet_gpus"].plain == found.best["inference.fleet_gpus"]


def test_the_seed_decides_the_draws(formulas: Formulas) -> None:
    varied = {"tp": [1, 2], "pp": [1, 2], "micro_batch": [1, 2], "recompute": ["none", "full"], "zero_stage": [1, 3]}
    one, same, other = (formulas.search(minimise=GOAL, seed=seed, **FIXED, **varied).robustness for seed in (1, 1, 2))
    assert one == same != other
    assert 0 < one.share < 1


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"minimise": GOAL, "maximise": GOAL}, "both say what is sought"),
        ({"minimise": "training.no_such"}, "No quantity is named"),
        ({"minimise": "training.fits"}, "is a flag, of which nothing is largest"),
        ({"minimise": "training.stage_times"}, "names 48 quantities\\nhelp: Name one of them"),
        ({"minimise": GOAL, "where": "training.step_time < 8 GB"}, "In the condition"),
        ({"minimise": GOAL, "where": "as fast as can be"}, "In the condition"),
    ],
)
def test_what_cannot_be_sought_is_told(formulas: Formulas, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        formulas.search(**FIXED, tp=[1, 2], **asked)


@pytest.mark.slow
@pytest.mark.parametrize("load", [{}, {"request_rate": "500/s"}])
def test_a_model_that_only_reads_is_ranked_by_inputs(formulas: Formulas, load: dict[str, str]) -> None:
    best = formulas.search(model="bge-large-en-v1.5", hardware="h100-sxm", tp=1, pp=1, max_sequences=64, **load).best
    assert best is not None
    shown = {name for name in best if name.startswith("inference.")}
    assert "inference.serving_ttft" in shown
    assert not any("token" in name for name in shown)
