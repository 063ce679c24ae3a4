"""On random valid givens every node of the library has one value: by plain Python, by NumPy, and exactly by SymPy."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.core.type import Record
from formula_eval.evaluate import batch as many_module
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program, compile_program
from formula_eval.evaluate.vector import Lanes
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question
from formula_eval.records.record_files import record_ids
from oracle import Oracle
from properties.moved_lanes import MovedLanes
from rounding import errors_of
from samples import samples

pytestmark = pytest.mark.slow

PUBLISHED = sorted(folder.name for folder in find_library().folders[0].glob("formulas/published/*/"))
ORDINARY = (
    "gpt2",
    "llama2-7b",
    "llama2-70b",
    "llama3-8b",
    "mixtral-8x7b",
    "falcon-180b",
    "qwen3-8b",
)  # what tools know
COMPLETE = ("h100-sxm", "h200-sxm", "h100-pcie")  # with links and an 8-bit peak: the tools divide by both
PARTS = ("serving", "training", *PUBLISHED)
SCENARIOS = {"serving": 1, "training": 4}  # for each share, of a hundred
Value = Any
TINY = 2.0**-1000  # what underflows has fewer digits


@pytest.fixture(scope="module")
def evaluator(formulas: Formulas) -> Evaluator:
    return formulas.evaluator


def part_of(name: str) -> str:
    """The tool whose formula it is; of our own, whether it speaks of training."""
    first, second, *_ = (*name.split("."), "")
    if first == "published":
        return second
    return "training" if first == "training" else "serving"


@pytest.fixture(scope="module", params=PARTS)
def part(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def program(evaluator: Evaluator, part: str):
    nodes = evaluator.graph.nodes.items()
    wanted = [name for name, node in nodes if not isinstance(node.type, Record) and part_of(name) == part]
    return compile_program(evaluator.graph, wanted)


@pytest.fixture(scope="module")
def oracle(evaluator: Evaluator) -> Oracle:
    return Oracle(evaluator.graph)


def serving(draw: Random) -> dict[str, object]:
    """Requests on an engine."""
    prompt = draw.choice((1, 7, 128, 1000, 4096, 100_000))
    asked: dict[str, object] = {
        "tp": draw.choice((1, 1, 2, 3, 4, 8, 16)),
        "pp": draw.choice((1, 1, 1, 2, 4, 7)),
        "batch": draw.choice((1, 3, 16, 250, 4096)),
        "prompt": prompt,
        "generated": draw.choice((1, 2, 100, 3000)),
        "cached": draw.choice((0, 0, prompt // 2)),
        "phase": draw.choice(("prefill", "decode")),
        "weight_bits": draw.choice((32, 16, 8, 4.5, 4, 2)),
        "weight_group": draw.choice((0, 32, 128)),
        "activation_bits": draw.choice((32, 16, 16, 8, 4)),
        "kv_bits": draw.choice((16, 8, 4)),
        "memory_fraction": draw.choice((0.9, 0.85, 1)),
        "page": draw.choice((1, 16, 32)),
        "ep": draw.choice((1, 1, 2, 8)),
        "attention_dp": draw.choice((1, 1, 2, 8)),
        "beams": draw.choice((1, 1, 4)),
        "beams_share_reads": draw.choice((True, False)),
        "mixed_prefill_tokens": draw.choice((0, 0, 100)),
        "concurrency": draw.choice((1, 50, 10_000)),
        "request_rate": draw.choice(("0 request/s", "2 request/s", "500 request/s")),
        "chunk_tokens": draw.choice((64, 8192)),
        "drafted_tokens": draw.choice((0, 0, 4)),
        "drafter": draw.choice(("lookup", "own_layer")),
        "acceptance_rate": draw.choice((0, 0.8, 1)),
        "offloaded_weights": draw.choice((0, 0, 0.5, 1)),
        "offloaded_kv": draw.choice((0, 0, 1)),
        "decode_tp": draw.choice((1, 8)),
        "expert_processor": draw.choice(("accelerator", "accelerator", "host")),
        "redundant_experts": draw.choice((0, 0, 16, 64)),
        "unpacked_rows": draw.choice((1, 64)),
        "scan_count": draw.choice(("recurrence", "matrix_products")),
        "sparse_pairs": draw.choice(("selected", "all")),
        "latent_products": draw.choice(("as_served", "expanded", "absorbed")),
    }
    return asked | {"step_context": draw.choice((0, 15, 16, 5000))} if draw.random() < 0.5 else asked


def training(draw: Random) -> dict[str, object]:
    """A training job."""
    return {
        "tp": draw.choice((1, 2, 4, 8)),
        "pp": draw.choice((1, 1, 2, 4)),
        "dp": draw.choice((1, 2, 8, 100)),
        "cp": draw.choice((1, 1, 2)),
        "ep": draw.choice((1, 1, 2, 8)),
        "seq": draw.choice((512, 4096, 131_072)),
        "micro_batch": draw.choice((1, 3)),
        "micro_batches": draw.choice((1, 8, 64)),
        "training_tokens": draw.choice((0, 1e12)),
        "schedule": draw.choice(
            (
                "gpipe",
                "one_f_one_b",
                "interleaved",
                "zero_bubble_h1",
                "zero_bubble_h2",
                "zero_bubble_v",
                "dual_pipe",
                "dual_pipe_v",
            )
        ),
        "stage_split": draw.choice(("uniform", "balanced")),
        "virtual_stages": draw.choice((1, 1, 2)),
        "zero_stage": draw.choice((0, 1, 2, 3)),
        "reshard": draw.choice((True, False)),
        "recompute": draw.choice(
            ("none", "core", "attention", "norm_attention_norm", "full", "selected", "elementwise")
        ),
        "attention_kernel": draw.choice(("fused", "fused", "unfused")),
        "context_algorithm": draw.choice(("ring", "all_gather", "all_to_all")),
        "dropout": draw.choice((True, False)),
        "training_bits": draw.choice((32, 16, 16, 8)),
        "recipe": draw.choice(("zero_fp16", "megatron", "deepspeed_bf16", "fsdp", "pure_16bit", "fp8")),
        "optimizer": draw.choice(("adam", "adam_8bit", "sgd", "sgd_momentum", "lion", "adafactor", "muon", "lamb")),
        "tuning": draw.choice(("full", "full", "lora", "qlora", "adapter")),
        "lora_target_widths": 16_384,
        "overlap_tp": draw.choice((True, False)),
        "overlap_dp": draw.choice((True, False)),
        "overlap_ep": draw.choice((True, False)),
        "expert_dispatch": draw.choice(("per_expert", "per_rank")),
        "collective_algorithm": draw.choice(("hierarchical", "tree", "flat", "in_switch", "in_network")),
    }


def scenarios(evaluator: Evaluator, part: str, draw: Random):
    """Givens that no check of the tool refuses: any model on any accelerator, any workload or job."""
    library, schema = evaluator.library, evaluator.schema
    models, hardware = (record_ids(library, schema.kinds[kind]) for kind in ("model", "hardware"))
    if part in PUBLISHED:
        models, hardware = ORDINARY, COMPLETE
    speaking = {part, "serving"} if part == "training" else {part}
    checks = (each for each in schema.checks.values() if each.level == "refuse")
    refusing = [each.name for each in checks if part_of(each.name) in speaking]
    allowed = evaluator.program(refusing)
    while True:
        asked = (training if part == "training" else serving)(draw)
        question = Question({"model": draw.choice(models), "hardware": draw.choice(hardware)}, asked)
        givens = evaluator.givens(question).values
        values = allowed.evaluate(givens)
        if all(values[name] for name in refusing):
            yield givens


def exact(value) -> Fraction | bool | int:
    return value if isinstance(value, bool | int) else Fraction(value)


def agree(ours: Value, theirs: Value, error: Value) -> Value:
    """Whether two computed numbers are the same but for what rounding may make of each (tests/rounding.py)."""
    with np.errstate(invalid="ignore"):  # the difference of infinities
        near = np.abs(ours - theirs) <= 2 * error + TINY
    return near | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))


def number(value) -> float:
    if getattr(value, "is_Rational", False):  # some have more digits than Python prints
        return value.p / value.q
    text = str(value)
    spelled = {"oo": math.inf, "-oo": -math.inf, "nan": math.nan, "zoo": math.nan, "True": 1.0, "False": 0.0}
    return spelled[text] if text in spelled else float(value)


@pytest.mark.parametrize("share", range(2))
def test_sympy_and_the_compiled_program_agree_on_every_node(
    evaluator: Evaluator, oracle: Oracle, part: str, program, share: int
) -> None:
    drawn = scenarios(evaluator, part, Random(share))
    for _ in seen(range(samples(SCENARIOS.get(part, 10)))):
        givens = next(drawn)
        values = program.evaluate(givens)
        errors = errors_of(program, givens, ())
        exactly = oracle.values(program.names, {n: exact(v) for n, v in givens.items() if n in program.inputs})
        for name in seen(program.wanted):
            ours, theirs = float(values[name]), number(exactly[name])
            assert agree(ours, theirs, errors[name]), (name, ours, theirs, errors[name], givens)
            if theirs % 1 == 0 and getattr(evaluator.graph.nodes[name].type, "whole", False) and abs(theirs) < 2**53:
                assert ours == theirs, (name, ours, theirs)


class Many(NamedTuple):
    """Many scenarios: as they are, as arrays, what NumPy makes of them, and by how much that may be off."""

    every: list[Mapping[str, Any]]
    arrays: dict[str, Value]
    values: Value
    errors: Value


@pytest.fixture(scope="module")
def many(evaluator: Evaluator, part: str, program: Program) -> Many:
    drawn = scenarios(evaluator, part, Random(99))
    every = [next(drawn) for _ in range(samples(200))]
    arrays = {
        name: np.array([float(each.get(name, math.nan)) for each in every])
        for name in program.inputs
        if any(name in each for each in every)
    }
    errors = errors_of(program, arrays, (len(every),))
    return Many(every, arrays, computed(program, arrays), np.array([errors[name] for name in program.wanted]))


def computed(program: Program, arrays: Mapping[str, Value]) -> Value:
    found = evaluate_many(program, arrays, chunk=64)
    return np.array([found[name] for name in program.wanted], dtype=float)


def test_numpy_and_plain_python_agree_on_every_node(program: Program, many: Many) -> None:
    for place, givens in seen(enumerate(many.every)):
        values = program.evaluate(givens)
        ours = np.array([values[name] for name in program.wanted], dtype=float)
        same = agree(ours, many.values[:, place], many.errors[:, place])
        assert same.all(), ([program.wanted[each] for each in np.flatnonzero(~same)], place)


class OtherProcessor(MovedLanes):
    """The same last bits each time that a program is computed."""

    def __init__(self, given: Mapping[str, Any], divisor: Callable[[float, float], float]) -> None:
        super().__init__(given, divisor, np.random.default_rng(32))

    def log2(self, x: Any) -> Any:
        """Every library takes the exponent of a power of two as it is."""
        return self._whole_alone(super().log2(x), Lanes.log2(self, x), whole=True)

    def power(self, base: Any, exponent: Any) -> Any:
        """A small whole power of a whole number is whole."""
        return self._whole_alone(
            super().power(base, exponent), Lanes.power(self, base, exponent), np.floor(base) == base
        )

    @staticmethod
    def _whole_alone(moved: Any, found: Any, whole: Any) -> Any:
        return np.where(whole & (np.floor(found) == found) & (found < 2.0**52), found, moved)


def test_another_processor_gives_every_node_the_same_value(program: Program, many: Many, monkeypatch) -> None:
    """Functions up to two ulp off, as those of one with AVX-512 are."""
    monkeypatch.setattr(many_module, "Lanes", OtherProcessor)
    theirs = computed(program, many.arrays)
    same = agree(many.values, theirs, many.errors)
    assert same.all(), {program.wanted[node]: int(place) for node, place in np.argwhere(~same)}
    assert part_of(program.wanted[0]) in PUBLISHED or (theirs != many.values).any()


def test_few_values_are_far_from_as_good_as_a_double_can_be(many: Many) -> None:
    """What the other tests allow is no more than rounding makes of it: twelve digits of nearly every value."""
    numbers = np.isfinite(many.values) & (many.values != 0)
    assert np.quantile(many.errors[numbers] / np.abs(many.values[numbers]), 0.95) < 1e-12
