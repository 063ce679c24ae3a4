"""What is told of a server under load agrees with itself, and with an idle server where there is next to no load."""

from itertools import pairwise

import pytest

from formula_eval import Formulas
from properties.test_arrivals import LOADS, SERVERS, most, values

TOLD = (
    "inference.requests_per_second",
    "inference.running_requests",
    "inference.waiting_requests",
    "inference.waiting_time",
    "inference.serving_ttft",
    "inference.running_tpot",
    "inference.serving_latency",
    "inference.serving_tokens_per_second",
    "inference.utilization",
)


def told(formulas: Formulas, model: str, **load: object) -> dict[str, float]:
    found = values(formulas, TOLD, model, **load)
    return {name.rpartition(".")[2]: each for name, each in zip(TOLD, found, strict=True)}


def agrees(found: dict[str, float], generated: int = 300, outside: float = 0) -> None:
    """Little's law, and the parts of a request, of which the front end holds no place, and of the throughput."""
    inside = found["running_requests"] + found["waiting_requests"]
    rate = found["requests_per_second"]
    assert inside == pytest.approx(rate * (found["serving_latency"] - outside), rel=1e-9)
    assert found["waiting_requests"] == pytest.approx(rate * found["waiting_time"], rel=1e-9)
    rest = (generated - 1) * found["running_tpot"]
    assert found["serving_latency"] == pytest.approx(found["serving_ttft"] + rest, rel=1e-9)
    assert found["serving_tokens_per_second"] == pytest.approx(rate * generated, rel=1e-9)


@pytest.mark.parametrize("model", SERVERS)
@pytest.mark.parametrize("clients", [1, 7, 60, 3000])
def test_clients_are_those_that_run_and_those_that_wait(model, clients, formulas):
    groups = SERVERS[model].get("attention_dp", 1)
    found = told(formulas, model, concurrency=clients)
    agrees(found)
    assert found["running_requests"] + found["waiting_requests"] == pytest.approx(groups * clients, rel=1e-9)
    assert 0 < found["utilization"] <= 1 + 1e-9


@pytest.mark.parametrize("model", SERVERS)
def test_arrivals_are_those_that_leave(model, formulas):
    rate = most(formulas, model)
    for load in LOADS:
        found = told(formulas, model, request_rate=load * rate)
        agrees(found, outside=values(formulas, ("arrivals.mean_host_time",), model, request_rate=load * rate)[0])
        assert found["requests_per_second"] == pytest.approx(load * rate, rel=1e-12)
        assert found["utilization"] == pytest.approx(load, rel=1e-9)


@pytest.mark.parametrize("model", SERVERS)
def test_more_clients_use_more(model, formulas):
    found = [told(formulas, model, concurrency=each)["utilization"] for each in (1, 4, 16, 64, 256)]
    assert all(before <= after * (1 + 1e-9) for before, after in pairwise(found))


@pytest.mark.parametrize("model", [each for each in SERVERS if "drafted_tokens" not in SERVERS[each]])
def test_next_to_no_load_is_an_idle_server(model, formulas):
    """A lone client, or a request now and then, finds the times of a batch of one."""
    idle = {"gathering_steps": 0}
    alone = values(formulas, ("inference.ttft", "inference.tpot", "inference.latency"), model, batch=1, **idle)
    names = ("inference.serving_ttft", "inference.running_tpot", "inference.serving_latency")
    lone = [] if "attention_dp" in SERVERS[model] else [{"concurrency": 1}]  # one client in each group is not alone
    for load in ({"request_rate": 1e-9}, *lone):
        assert values(formulas, names, model, **load, **idle) == pytest.approx(alone, rel=1e-6)
