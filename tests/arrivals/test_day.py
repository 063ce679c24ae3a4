"""The fleet of each hour of a planned day against a simulated engine: enough replicas, and one fewer too few."""

import pytest

from arrivals.simulation import Requests, simulate
from arrivals.test_percentiles import SERVICES, engine_of
from counted import seen
from formula_eval import Formulas

pytestmark = pytest.mark.slow

_COUNT, _RUNS = 6_000, 2
_FIRST, _TOKEN, _LATE = 0.25, 0.014, 0.05
_NEAR = 0.01  # beyond the share that may be late, for so short a simulation


def late_share(formulas: Formulas, name: str, rate: float, replicas: int) -> float:
    """The share of requests that miss a target on a replica that gets every nth of them."""
    asked, late = SERVICES[name], []
    lengths = asked.prompt, asked.prompt_spread, asked.generated, asked.generated_spread
    requests = Requests(rate / replicas, asked.arrival_burstiness / replicas, *lengths)
    for seed in range(_RUNS):
        found = simulate(engine_of(formulas, name), requests, _COUNT, seed)
        first, token = (found.first_token > _FIRST).mean(), (found.output_token > _TOKEN).mean()
        late.append(first + token * (1 - first))
    return sum(late) / _RUNS


def test_each_hour_has_enough_replicas_and_none_to_spare(formulas: Formulas) -> None:
    givens = SERVICES["spread"].givens(request_rate=60, peak_to_mean=3, tp=1, pp=1)
    del givens["serving_replicas"]
    targets = {"ttft_target": f"{_FIRST} s", "tpot_target": f"{_TOKEN} s", "late_share": _LATE}
    found = formulas.plan(profile="triangle", **givens, **targets)
    columns = [each.name for each in found.day.columns]
    hours = {
        each.rate: int(each.values[columns.index("serving_replicas")]) for each in found.best.day.hours if each.rate
    }
    assert len(set(hours.values())) > 2
    for rate, replicas in seen(sorted(hours.items())):
        assert late_share(formulas, "spread", rate, replicas) <= _LATE + _NEAR, (rate, replicas)
        assert replicas == 1 or late_share(formulas, "spread", rate, replicas - 1) > _LATE, (rate, replicas)
