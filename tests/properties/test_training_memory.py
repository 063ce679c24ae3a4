"""What must hold for the memory of any training job: parts add up, sharing and recomputing only save."""

from typing import Any

import pytest
from hypothesis import given, reject, settings, strategies as st

from counted import seen
from formula_eval import FormulaError, Formulas
from samples import samples

RECOMPUTED_MORE_AND_MORE = ("none", "core", "attention", "norm_attention_norm", "full")
STATES = ("weights_bytes", "gradients_bytes", "optimizer_bytes")
PARTS = (*STATES, "gathered_bytes", "activation_bytes", "temporary_bytes")
STAGES = ("first", "inner", "last")
FOLDED = ("zero_bubble_v", "dual_pipe_v")
JOBS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "gpt2", "mixtral-8x7b", "qwen3-8b", "bloom-7b1", "pythia-6.9b"]),
        "tp": st.sampled_from([1, 2, 4]),
        "pp": st.sampled_from([1, 2, 3, 4, 8]),
        "dp": st.sampled_from([1, 2, 16]),
        "cp": st.sampled_from([1, 1, 2]),
        "micro_batch": st.sampled_from([1, 3]),
        "micro_batches": st.sampled_from([1, 4, 64]),
        "seq": st.sampled_from([512, 4096]),
        "schedule": st.sampled_from(["gpipe", "one_f_one_b", "zero_bubble_h1", "zero_bubble_h2", "dual_pipe", *FOLDED]),
        "stage_split": st.sampled_from(["uniform", "balanced"]),
        "attention_kernel": st.sampled_from(["fused", "unfused"]),
        "dropout": st.booleans(),
        "recipe": st.sampled_from(["zero_fp16", "megatron", "deepspeed_bf16", "fsdp", "pure_16bit", "fp8"]),
        "optimizer": st.sampled_from(["adam", "adam_8bit", "sgd", "lion", "adafactor", "muon"]),
        "zero_stage": st.sampled_from([0, 1, 2, 3]),
        "recompute": st.sampled_from([*RECOMPUTED_MORE_AND_MORE, "selected"]),
    }
)


@pytest.fixture(scope="module")
def ask(formulas: Formulas):
    def values(names: list[str], **job: Any) -> list[float]:
        try:
            answer = formulas.evaluate(only=[f"training.{name}" for name in names], memory_capacity="80 GiB", **job)
        except FormulaError:
            reject()  # a check refuses it, and says why
        return [answer.values[f"training.{name}"].value for name in names]

    return values


def states(ask, **job: Any) -> float:
    return sum(ask([f"stages.{stage}.{part}" for stage in STAGES for part in STATES], **job))


@settings(max_examples=samples(25))
@given(job=JOBS)
def test_parts_add_up(ask, job) -> None:
    for stage in STAGES:
        *parts, total = ask([f"stages.{stage}.{part}" for part in (*PARTS, "total_bytes")], **job)
        assert sum(parts) == pytest.approx(total)
    rows = ("weights", "gradients", "states", "gathered", "activations", "temporaries", "gaps", "runtime")
    *parts, total = ask([*(f"memory_parts.{row}.bytes" for row in rows), "device_bytes"], **job)
    assert sum(parts) == pytest.approx(total)


@settings(max_examples=samples(25))
@given(job=JOBS)
def test_stages_hold_the_whole_model(formulas: Formulas, ask, job) -> None:
    job["pp"] = {3: 4, 8: 4}.get(job["pp"], job["pp"])  # divides the layers of all these models
    job["stage_split"] = "uniform"
    columns = ("stages", "dense_params", "expert_params")
    held = 0.0
    for stage in STAGES:
        count, dense, routed = ask([f"stages.{stage}.{column}" for column in columns], **job)
        held += count * job["tp"] * (dense + routed)
    names = ["params.total", "params.embedding"]
    answer = formulas.evaluate(only=names, model=job["model"])
    total, embedding = (answer.values[name].value for name in names)
    tied = {"gpt2", "bloom-7b1"}
    copies = 1 if job["pp"] > 1 and job["model"] in tied and job["schedule"] not in FOLDED else 0
    assert held == pytest.approx(total + copies * embedding)


@pytest.mark.parametrize("schedule", FOLDED)
@pytest.mark.parametrize("split", ["uniform", "balanced"])
def test_both_ends_of_a_folded_pipeline_lie_on_its_first_stage(ask, schedule, split) -> None:
    job = {"model": "llama2-7b", "layers": 30, "pp": 4, "micro_batches": 8, "schedule": schedule, "stage_split": split}
    first, last = ask(["stages.first.end_params", "stages.last.end_params"], **job)
    assert (first, last) == (2 * 32000 * 4096 + 4096, 0)  # embedding, output matrix and the last norm
    counts = ask([f"stages.{stage}.layers" for stage in STAGES], **job)
    assert counts[0] + 2 * counts[1] + counts[2] == 30
    assert counts == ([8, 8, 6] if split == "uniform" else [6, 8, 8])


@settings(max_examples=samples(25))
@given(job=JOBS)
def test_sharing_only_saves(ask, job) -> None:
    kept = [states(ask, **(job | {"zero_stage": stage})) for stage in range(4)]
    assert kept == sorted(kept, reverse=True)


@settings(max_examples=samples(15))
@given(job=JOBS)
def test_one_replica_has_nothing_to_share(ask, job) -> None:
    job |= {"dp": 1, "cp": 1, "tp": 1}
    kept = [states(ask, **(job | {"zero_stage": stage})) for stage in range(4)]
    assert kept == pytest.approx([kept[0]] * 4)


@settings(max_examples=samples(25))
@given(job=JOBS)
def test_recomputing_only_saves_activations(ask, job) -> None:
    names = [f"stages.{stage}.activation_bytes" for stage in STAGES]
    kept = [sum(ask(names, **(job | {"recompute": mode}))) for mode in RECOMPUTED_MORE_AND_MORE]
    assert kept == sorted(kept, reverse=True)
    for mode in ("selected", "elementwise"):
        assert kept[-1] <= sum(ask(names, **(job | {"recompute": mode}))) <= kept[0]


@settings(max_examples=samples(25))
@given(job=JOBS, name=st.sampled_from(["micro_batch", "micro_batches", "seq"]))
def test_more_tokens_take_more(ask, job, name) -> None:
    less, more = (ask(["allocated_bytes"], **(job | {name: job[name] * k}))[0] for k in (1, 2))
    assert less <= more


@settings(max_examples=samples(15))
@given(job=JOBS, part=st.sampled_from(["weight_offload", "optimizer_offload", "activation_offload"]))
def test_the_host_takes_what_leaves_the_accelerator(ask, job, part) -> None:
    job |= {"pp": 1, "zero_stage": 3, "dp": 2 * job["dp"]}
    (before,) = ask(["allocated_bytes"], **job)
    after, moved = ask(["allocated_bytes", "offloaded_bytes"], **(job | {part: 0.5}))
    assert after + moved == pytest.approx(before)


@pytest.mark.parametrize("recipe", ["megatron", "zero_fp16", "pure_16bit", "pure_32bit", "fp8", "deepspeed_fp16"])
def test_one_accelerator_holds_bytes_for_each_parameter(formulas: Formulas, recipe: str) -> None:
    names = [f"training.{part}_bytes_per_param" for part in ("weight", "gradient", "optimizer")]
    held = [f"training.{part}" for part in STATES]
    answer = formulas.evaluate(only=[*names, *held, "params.total"], model="llama2-7b", recipe=recipe)
    for each, whole in seen(zip(names, held, strict=True)):
        total = answer.values["params.total"].value
        assert answer.values[whole].value == pytest.approx(answer.values[each].value * total)


def test_a_dense_model_has_no_experts(ask) -> None:
    assert ask(["stages.first.expert_params", "stages.first.moe_ffns"], model="llama2-7b") == [0, 0]


@pytest.mark.parametrize(("recipe", "held"), [("pure_16bit", 4), ("pure_32bit", 8), ("megatron", 12), ("fsdp", 8)])
def test_adam_keeps_two_moments_as_wide_as_its_weights(ask, recipe: str, held: int) -> None:
    """Counted by hand: two moments of 2 bytes, or of 4, and 4 more where there is a copy in 32 bits."""
    assert ask(["optimizer_bytes_per_param"], model="llama2-7b", recipe=recipe) == [held]
