"""What must hold where documents are packed into sequences, and of what all wait for: checkpoints, the slowest."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

JOBS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "gemma2-9b", "mixtral-8x7b", "deepseek-v3.2"]),
        "hardware": st.just("h100-sxm"),
        "tp": st.sampled_from([1, 2]),
        "micro_batch": st.sampled_from([1, 2]),
    }
)
PAIRS = ("training.causal_pairs", "training.windowed_pairs", "training.selected_pairs")


@pytest.fixture(scope="module")
def ask(formulas: Formulas):
    def values(names, **job) -> list[float]:
        answer = formulas.evaluate(only=list(names), **job)
        return [answer.values[name].value for name in names]

    return values


@settings(max_examples=samples(15))
@given(job=JOBS, packed=st.sampled_from([2, 8, 64]))
def test_packed_documents_attend_like_short_sequences(ask, job, packed) -> None:
    names = [*PAIRS, "flops.training_attention", "flops.training_layers"]
    together = ask(names, **job | {"seq": 16384, "document_tokens": 16384 // packed})
    apart = ask(names, **job | {"seq": 16384 // packed, "micro_batch": job["micro_batch"] * packed})
    assert together == pytest.approx(apart)


@settings(max_examples=samples(10))
@given(job=JOBS)
def test_shorter_documents_are_never_slower(ask, job) -> None:
    names = ["training.step_time", "flops.training_step", "training.device_bytes"]
    sizes = [ask(names, **job | {"seq": 16384, "document_tokens": 16384 // packed}) for packed in (1, 2, 16, 256)]
    times, work, kept = zip(*sizes, strict=True)
    assert list(times) == sorted(times, reverse=True)
    assert list(work) == sorted(work, reverse=True)
    assert len(set(kept)) == 1
    assert times[-1] < times[0]


@settings(max_examples=samples(10))
@given(job=JOBS, stall=st.sampled_from([0.1, 5, 60]), write=st.sampled_from([60, 600]))
def test_a_checkpoint_beside_training_costs_less(ask, job, stall, write) -> None:
    names = ["training.goodput", "training.checkpoint_interval"]
    run = job | {"dp": 1024, "checkpoint_time": f"{write} s"}
    (stopped, _), (beside, interval) = ask(names, **run), ask(names, checkpoint_stall=f"{stall} s", **run)
    assert beside >= stopped * (1 - 1e-12)
    assert interval >= write


@settings(max_examples=samples(10))
@given(job=JOBS, every=st.sampled_from([1, 30, 120]), survived=st.sampled_from([0.5, 1]))
def test_copies_in_memory_lose_less(ask, job, every, survived) -> None:
    names = ["training.goodput", "training.mean_lost_time", "training.lost_time"]
    run = job | {"dp": 4096, "checkpoint_time": "300 s"}
    copies = {"memory_checkpoint_interval": f"{every} s", "memory_restored_share": survived}
    (without, lost, _), (share, less, storage) = ask(names, **run), ask(names, **run, **copies)
    assert lost == pytest.approx(storage)
    assert less < lost
    assert share > without
    unsurvived = ask(names, **run, **copies | {"memory_restored_share": 0})
    assert unsurvived == pytest.approx([without, lost, lost])


@settings(max_examples=samples(10))
@given(job=JOBS, spread=st.sampled_from([0.01, 0.05]))
def test_all_wait_for_the_slowest(ask, job, spread) -> None:
    few, many = (
        ask(["training.step_parts.stragglers.time", "training.slowest_kernels_time"], dp=dp, speed_spread=spread, **job)
        for dp in (8, 4096)
    )
    assert 0 < few[0] < many[0] < 5 * spread * many[1]
    assert ask(["training.step_parts.stragglers.time"], dp=8, **job) == [0]
