"""What must hold for the time of any training job: parts add up, more work takes longer, nothing is hidden twice."""

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

pytestmark = pytest.mark.slow

ROUNDING = 1e-12  # terms of a sum that are 0 in one mode and cancel in another
MODES = ("none", "elementwise", "core", "attention", "norm_attention_norm", "selected", "full")
PARTS = (
    *("forward", "backward", "recomputation", "launches"),
    *("tensor_parallelism", "context_parallelism", "expert_parallelism", "sharding", "activation_offload"),
    *("messages", "bubble", "stragglers", "gradients", "optimizer", "fixed"),
)
BETTER = ({"peak_16": 2e15}, {"memory_bandwidth": 7e12}, {"link_bandwidth": 9e11}, {"network_bandwidth": 1e11})
HARDWARE = {"hardware": "h100-sxm"}
FOLDED = ("zero_bubble_v", "dual_pipe_v")
JOBS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "gpt2", "mixtral-8x7b", "qwen3-8b", "bloom-7b1", "deepseek-v3"]),
        "tp": st.sampled_from([1, 2, 4]),
        "pp": st.sampled_from([1, 2, 3, 4]),
        "dp": st.sampled_from([1, 2, 16]),
        "cp": st.sampled_from([1, 1, 2]),
        "micro_batch": st.sampled_from([1, 3]),
        "micro_batches": st.sampled_from([1, 4, 64]),
        "seq": st.sampled_from([512, 4096]),
        "schedule": st.sampled_from(["gpipe", "one_f_one_b", "zero_bubble_h1", "zero_bubble_h2", "dual_pipe", *FOLDED]),
        "zero_stage": st.sampled_from([0, 1, 2, 3]),
        "recompute": st.sampled_from(MODES),
        "overlap_dp": st.booleans(),
        "overlap_tp": st.booleans(),
        "collective_algorithm": st.sampled_from(["hierarchical", "tree", "flat", "in_switch", "in_network"]),
    }
)


@pytest.fixture(scope="module")
def ask(formulas: Formulas):
    def values(names: list[str], **job: Any) -> list[float]:
        wanted = [name if name.startswith("flops.") else f"training.{name}" for name in names]
        answer = formulas.evaluate(only=wanted, **(HARDWARE | job))
        return [answer.values[name].value for name in wanted]

    return values


@settings(max_examples=samples(25))
@given(job=JOBS)
def test_parts_add_up(ask, job) -> None:
    *parts, total = ask([*(f"step_parts.{part}.time" for part in PARTS), "step_time"], **job)
    assert all(part >= 0 for part in parts)
    assert sum(parts) == pytest.approx(total)
    shares = ask([f"step_parts.{part}.fraction" for part in PARTS], **job)
    assert sum(shares) == pytest.approx(1)


@settings(max_examples=samples(25))
@given(job=JOBS)
def test_parts_of_the_slowest_stage_are_its_time(ask, job) -> None:
    parts = ("forward", "backward", "recomputation", "launches", "tensor_parallelism", "context_parallelism")
    parts = (*parts, "expert_parallelism", "sharding")
    *each, slowest = ask([*(f"step_parts.{part}.micro_batch_time" for part in parts), "slowest_stage_time"], **job)
    assert sum(each) == pytest.approx(slowest)


@settings(max_examples=samples(25))
@given(job=JOBS, more=st.sampled_from([2, 3, 16]))
def test_more_micro_batches_take_longer_but_each_takes_less(ask, job, more) -> None:
    (few,) = ask(["step_time"], **job)
    (many,) = ask(["step_time"], **(job | {"micro_batches": job["micro_batches"] * more}))
    assert few < many <= few * more * (1 + 1e-12)


@settings(max_examples=samples(15))
@given(job=JOBS)
def test_one_stage_has_no_bubble_and_sends_nothing(ask, job) -> None:
    assert ask(["bubble_time", "messages_time", "bubble_fraction"], **(job | {"pp": 1})) == [0, 0, 0]


@pytest.mark.parametrize("stages", [2, 4, 8, 16])
def test_a_folded_pipeline_waits_as_long_as_two_directions_on_twice_the_stages(ask, stages) -> None:
    job = {"model": "llama2-7b", "micro_batches": 64}
    (folded,) = ask(["bubble_fraction"], **job, pp=stages, schedule="dual_pipe_v")
    (both_ways,) = ask(["bubble_fraction"], **job, pp=2 * stages, schedule="dual_pipe")
    assert folded == pytest.approx(both_ways / 2)  # of stages twice as long
    assert folded == pytest.approx((stages - 1) / 3 / 64)  # counted by hand in DualPipe's own picture of the schedule


@settings(max_examples=samples(15))
@given(job=JOBS)
def test_one_replica_exchanges_no_gradients(ask, job) -> None:
    alone = job | {"dp": 1, "cp": 1, "zero_stage": min(job["zero_stage"], 2)}
    assert ask(["gradients_time"], **alone) == [0]


@settings(max_examples=samples(15))
@given(job=JOBS)
def test_recomputing_changes_time_but_never_model_work(ask, job) -> None:
    times, work, executed = zip(
        *(ask(["step_time", "flops.training_step", "flops.executed_step"], **(job | {"recompute": m})) for m in MODES),
        strict=True,
    )
    assert len(set(work)) == 1
    assert times[0] <= min(times) * (1 + ROUNDING)
    assert max(times) * (1 - ROUNDING) <= times[-1] > times[0]
    assert min(executed) == executed[0]


@settings(max_examples=samples(15))
@given(job=JOBS)
def test_a_faster_machine_is_never_slower(ask, job) -> None:
    (base,) = ask(["step_time"], **job)
    for better in BETTER:
        assert ask(["step_time"], **(job | better | {"clock_factor": 1})) <= [base * (1 + 1e-12)]


def test_gathering_and_scattering_take_what_summing_takes(ask) -> None:
    job = {"model": "llama2-70b", "tp": 8, "seq": 4096, "switch_sums": False}
    (split,) = ask(["tp_boundary_time"], **job)
    (whole,) = ask(["tp_boundary_time"], **(job | {"sequence_parallel": False}))
    assert split == pytest.approx(whole, rel=0.1)


def test_adapters_train_faster_than_the_whole_model(ask) -> None:
    job = {"model": "llama2-7b", "seq": 2048, "lora_target_widths": 16384}
    (full,) = ask(["step_time"], **job)
    (lora,) = ask(["step_time"], **(job | {"tuning": "lora"}))
    (qlora,) = ask(["step_time"], **(job | {"tuning": "qlora", "weight_bits": 4}))
    assert lora < qlora < full
