"""Library records to arrays of givens: many configurations, at random or on a grid."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from formula_eval.core.record_kind import brought_by
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

Array = NDArray[Any]

HEADLINES = (
    "params.total",
    "memory.total_bytes",
    "memory.largest_batch",
    "inference.ttft",
    "inference.tpot",
    "inference.latency",
    "inference.tokens_per_second",
    "inference.usd_per_million_output_tokens",
)
MODELS = (
    "llama2-7b",
    "llama2-70b",
    "llama3.1-8b",
    "llama3.1-405b",
    "qwen3-32b",
    "qwen3-30b-a3b",
    "gemma2-9b",
    "opt-66b",
)
HARDWARE = ("a100-sxm-80gb", "h100-sxm", "h200-sxm", "b200-sxm", "mi300x", "l40s")
WORKLOAD = {
    "tp": (1, 2, 4, 8),
    "batch": (1, 2, 4, 8, 16, 32, 64, 128),
    "prompt": (128, 256, 512, 1024, 2048, 4096, 8192),
    "generated": (64, 128, 256, 512),
    "weight_bits": (16, 8, 4),
    "kv_bits": (16, 8),
}


JOB = ("training.step_time", "training.mfu", "training.device_bytes")
TRAINING_MODELS = ("llama2-7b", "llama2-70b", "llama3.1-405b", "mixtral-8x7b")
TRAINING = {
    "tp": (1, 2, 4, 8),
    "pp": (1, 2, 4),
    "dp": (1, 8, 64),
    "micro_batch": (1, 2, 4),
    "micro_batches": (1, 8, 64),
    "seq": (2048, 4096, 8192),
    "zero_stage": (0, 1, 2, 3),
    "sequence_parallel": (0, 1),
}


def jobs_at_random(evaluator: Evaluator, count: int, seed: int = 0) -> dict[str, Array]:
    """So many training jobs, each value drawn on its own."""
    models, hardware = _table(evaluator, "model", TRAINING_MODELS), _table(evaluator, "hardware", HARDWARE)
    draw = np.random.default_rng(seed)
    model, accelerator = (draw.integers(len(each), size=count) for each in (TRAINING_MODELS, HARDWARE))
    givens = {name: column[model] for name, column in models.items()}
    givens |= {name: column[accelerator] for name, column in hardware.items()}
    return givens | {name: draw.choice(np.array(values, float), size=count) for name, values in TRAINING.items()}


def tables(evaluator: Evaluator) -> tuple[dict[str, Array], dict[str, Array]]:
    """For each input of a model and of an accelerator, its value in each of them; nan where a default holds."""
    return _table(evaluator, "model", MODELS), _table(evaluator, "hardware", HARDWARE)


def _table(evaluator: Evaluator, supplier: str, names: tuple[str, ...]) -> dict[str, Array]:
    suppliers = {supplier, *brought_by(supplier, evaluator.schema.kinds)}
    wanted = [name for name, each in evaluator.schema.inputs.items() if each.supplier in suppliers]
    rows = [evaluator.givens(Question({supplier: name})).values for name in names]
    return {
        name: np.array([float(row.get(name, math.nan)) for row in rows])
        for name in wanted
        if any(name in row for row in rows)
    }


def at_random(evaluator: Evaluator, count: int, seed: int = 0) -> dict[str, Array]:
    """So many configurations, each value drawn on its own."""
    models, hardware = tables(evaluator)
    draw = np.random.default_rng(seed)
    model, accelerator = draw.integers(len(MODELS), size=count), draw.integers(len(HARDWARE), size=count)
    givens = {name: column[model] for name, column in models.items()}
    givens |= {name: column[accelerator] for name, column in hardware.items()}
    return givens | {name: draw.choice(np.array(values, float), size=count) for name, values in WORKLOAD.items()}


def on_a_grid(evaluator: Evaluator) -> dict[str, Array]:
    """Every combination, each input along an axis of its own."""
    models, hardware = tables(evaluator)
    axes: list[dict[str, Array]] = [models, hardware, *({n: np.array(v, float)} for n, v in WORKLOAD.items())]
    shapes = np.eye(len(axes), dtype=int)
    return {
        name: column.reshape([-1 if own else 1 for own in shapes[number]])
        for number, axis in enumerate(axes)
        for name, column in axis.items()
    }
