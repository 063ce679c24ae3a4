"""A batch job: full servers answer it by its deadline, one replica fewer does not, and each pays for its start."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas

NAMES = [f"inference.{each}" for each in ("job_time", "job_replicas", "job_gpu_hours", "job_cost")]


def values(formulas: Formulas, names: list[str], **givens: object) -> list[float]:
    result = formulas.evaluate(only=names, model="llama3.1-8b", hardware="l40s", price="2 USD/hour", **givens)
    return [float(result[name].value) for name in names]


@settings(max_examples=25)
@given(requests=st.integers(1_000, 10**8), hours=st.floats(1, 1000), tp=st.sampled_from([1, 2, 4]))
def test_as_few_replicas_as_keep_the_deadline(requests, hours, tp, formulas: Formulas):
    asked = {"job_requests": requests, "tp": tp, "deadline": hours * 3600}
    _, replicas, gpu_hours, cost = values(formulas, NAMES, **asked)
    time, start = values(formulas, ["inference.job_time", "inference.start_time"], serving_replicas=replicas, **asked)
    assert time <= hours * 3600 * (1 + 1e-12)
    assert replicas == 1 or start + (time - start) * replicas / (replicas - 1) > hours * 3600 * (1 - 1e-12)
    assert gpu_hours == pytest.approx(time / 3600 * replicas * tp, rel=1e-9)
    assert cost == pytest.approx(2 * gpu_hours, rel=1e-9)


def test_a_job_takes_and_pays_for_the_start_of_its_replicas(formulas: Formulas):
    asked = {"job_requests": 1_000_000, "tp": 2, "deadline": 12 * 3600}
    running = values(formulas, NAMES, **asked, job_starts_replicas=False)
    time, replicas, gpu_hours, cost = values(formulas, NAMES, **asked)
    [start] = values(formulas, ["inference.start_time"], **asked)
    assert start > 30
    assert time == pytest.approx(running[0] + start, rel=1e-9)
    assert replicas >= running[1]
    assert gpu_hours == pytest.approx(running[2] + 2 * replicas * start / 3600, rel=1e-9)
    assert cost == pytest.approx(2 * gpu_hours, rel=1e-9)


def test_a_full_server_is_no_slower_than_any_other(formulas: Formulas):
    """The rate of a job is that of a closed loop with as many clients as run at once, and no smaller loop beats it."""
    [time] = values(formulas, ["inference.job_time"], job_requests=10_000, job_starts_replicas=False)
    for clients in (1, 16, 64, 256):
        [rate] = values(formulas, ["inference.requests_per_second"], concurrency=clients)
        assert 10_000 / rate >= time * (1 - 1e-9)
