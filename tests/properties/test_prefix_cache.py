"""The beginning of prompts in a cache: held once where all share it, and found in one tier or another, or not."""

import pytest

from formula_eval import Formulas

ASKED = {"hardware": "h100-sxm", "prompt": 3200, "generated": 160, "page": 16}
MODELS = {"llama3-70b": {"tp": 8}, "deepseek-v3": {"hardware": "h200-sxm", "tp": 8, "weight_bits": 8}, "llama3-8b": {}}


def values(formulas: Formulas, names: tuple[str, ...], model: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), model=model, **{**ASKED, **MODELS[model], **givens})
    return [float(result[name].value) for name in names]


def value(formulas: Formulas, name: str, model: str, **givens: object) -> float:
    return values(formulas, (name,), model, **givens)[0]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_shared_is_held_once(model, formulas):
    """So many sequences take the shared tokens once, and the others each."""
    name = "memory.kv_cache_bytes"
    token = value(formulas, "memory.kv_bytes_per_token", model)
    for batch in (1, 7, 100):
        apart = value(formulas, name, model, batch=batch)
        shared = value(formulas, name, model, batch=batch, shared_prefix=1600)
        assert apart == pytest.approx(batch * 3360 * token)
        assert shared == pytest.approx((1600 + batch * 1760) * token)


@pytest.mark.parametrize("model", MODELS)
def test_a_page_that_is_not_full_is_not_shared(model, formulas):
    name = "memory.kv_cache_bytes"
    whole, part, more = (value(formulas, name, model, batch=9, shared_prefix=each) for each in (1600, 1615, 1616))
    assert whole == part > more


@pytest.mark.parametrize("model", MODELS)
def test_more_sequences_run_where_they_share(model, formulas):
    names = ("memory.running_capacity", "memory.saturated_batch", "memory.largest_batch", "memory.room_bytes")
    given = {"max_sequences": 10**6}
    apart, shared = (values(formulas, names, model, **given, shared_prefix=each) for each in (0, 1600))
    assert all(y > 1.3 * x for x, y in zip(apart[:3], shared[:3], strict=True))
    token = value(formulas, "memory.kv_bytes_per_token", model)
    assert apart[3] - shared[3] == pytest.approx(1600 * token)


@pytest.mark.parametrize("model", MODELS)
def test_a_longer_context_fits_where_it_is_shared(model, formulas):
    given = {"max_context": 10**8, "batch": 10}
    apart, shared = (
        value(formulas, "memory.largest_context", model, **given, shared_prefix=each) for each in (0, 1600)
    )
    assert shared - apart == pytest.approx(1600 * 9 / 10, abs=17)


@pytest.mark.parametrize("model", MODELS)
def test_hits_and_misses_are_weighted(model, formulas):
    names = ("inference.lone_prefill_time", "inference.shared_prefill_time")
    hit = values(formulas, names, model, cached=1600)
    missed = values(formulas, names, model)
    half = values(formulas, names, model, cached=1600, prefix_hits=0.5)
    never = values(formulas, names, model, cached=1600, prefix_hits=0)
    assert half == pytest.approx([(x + y) / 2 for x, y in zip(hit, missed, strict=True)])
    assert never == pytest.approx(missed)
    assert values(formulas, names, model, prefix_hits=0.3) == missed


@pytest.mark.parametrize("model", MODELS)
def test_slower_tiers_take_longer(model, formulas):
    """Bytes over the link of each tier, and no more work than if they had been on the accelerator."""
    names = ("inference.lone_prefill_time", "inference.shared_prefill_time")
    given = {"cached": 1600, "host_bandwidth": "20 GB/s", "nvme_bandwidth": "5 GB/s"}
    device = values(formulas, names, model, **given)
    host = values(formulas, names, model, **given, prefix_host_hits=1)
    disk = values(formulas, names, model, **given, prefix_disk_hits=1)
    size = 1600 * value(formulas, "memory.kv_bytes_per_token", model)
    assert host[0] - device[0] == pytest.approx(size / 20e9)
    assert disk[0] - device[0] == pytest.approx(size / 5e9)
    assert host[1] == device[1] == disk[1]


def test_more_hits_serve_more(formulas):
    name = "inference.serving_tokens_per_second"
    rates = [
        value(formulas, name, "llama3-70b", cached=3000, concurrency=64, prefix_hits=each) for each in (0, 0.3, 0.9, 1)
    ]
    assert rates == sorted(rates)
    assert rates[-1] > 1.3 * rates[0]


def test_as_many_clients_find_their_beginnings_as_memory_holds(formulas):
    """The hits, times what they keep, fit; more clients find no more in all; a share of 1 where all begin alike."""
    names = ("inference.held_beginnings", "memory.cache_capacity", "prefix_hits", "inference.serving_tokens_per_second")
    found = {}
    for clients in (1, 8, 64, 512):
        held, room, hits, found[clients] = values(formulas, names, "llama3-8b", concurrency=clients, cached=3000)
        assert hits == held <= 1
        assert clients * held * 3000 == pytest.approx(min(room, clients * 3000))
    shared = values(formulas, names, "llama3-8b", concurrency=512, cached=3000, shared_prefix=3000)
    assert shared[0] == shared[2] == 1
    assert shared[3] > found[512]
    alone = values(formulas, names, "llama3-8b", batch=512, cached=3000)
    assert alone[0] == alone[2] == 1
