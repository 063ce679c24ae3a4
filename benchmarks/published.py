"""Answers per second of three published tools as formulas, against calls of the tools themselves where installed."""

import argparse
import contextlib
import io
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from throughput import seconds

from formula_eval.cache import Cache
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question

COUNT = 100_000
ONE_BY_ONE = 1_000
CALLS = 10


class Tool(NamedTuple):
    """What is asked of a tool: all it knows, and what a sweep compares; and the time of one call of the tool itself."""

    namespace: str
    purpose: str
    records: Mapping[str, str]
    givens: Mapping[str, object]
    varied: Mapping[str, tuple[float, ...]]
    compared: tuple[str, ...]
    call: float
    package: str = ""
    own: Callable[[], Callable[[], object]] | None = None


def llm_analysis(kind: str) -> Callable[[], object]:
    """One call of llm-analysis: `train` or `infer`."""
    from llm_analysis import analysis, config  # noqa: PLC0415 - optional

    logging.disable(logging.CRITICAL)
    opt = config.get_model_config_by_name("facebook_opt-125m")
    gpu = config.get_gpu_config_by_name("a100-sxm-80gb")
    dtype = config.get_dtype_config_by_name("w16a16e16")
    layout = config.ParallelismConfig(tp_size=2, dp_size=8)
    tool = analysis.LLMAnalysis(opt, gpu, dtype, layout, flops_efficiency=0.5, hbm_memory_efficiency=0.9)
    if kind == "inference":
        return lambda: tool.inference(batch_size_per_gpu=8, seq_len=512, num_tokens_to_generate=32)
    return lambda: tool.training(batch_size_per_gpu=2, seq_len=1024, total_num_tokens=1e12)


def genz() -> Callable[[], object]:
    """One prefill and one decode of GenZ."""
    from GenZ import decode_moddeling, prefill_moddeling  # noqa: PLC0415 - optional

    asked = {"model": "llama2_70b", "batch_size": 8, "input_tokens": 1024, "system_name": "A100_80GB_GPU"}
    layout = {"bits": "bf16", "tensor_parallel": 8}

    def both() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            prefill_moddeling(**asked, **layout)
            decode_moddeling(**asked, **layout, output_tokens=128, Bb=1)

    return both


LLAMA = {"model": "llama2-70b", "hardware": "a100-sxm-80gb"}
BATCHES = tuple(range(1, 65))
PROMPTS = tuple(range(128, 4097, 128))
SERVING = {"tp": (2, 4, 8), "batch": BATCHES, "prompt": PROMPTS, "generated": tuple(range(32, 1025, 32))}
TRAINING = {
    "tp": (1, 2, 4, 8),
    "dp": tuple(range(8, 136, 8)),
    "seq": PROMPTS,
    "micro_batch": tuple(range(1, 17)),
    "zero_stage": (0, 1, 2, 3),
}
STEP = ("training.peak_bytes", "training.step_time", "training.run_time")
REQUEST = ("inference.prefill_time", "inference.decode_time", "inference.kv_cache_bytes")
PASSES = ("prefill_time", "decode_time", "request_time", "held_weights_bytes", "held_cache_bytes")
RUN = {"recompute": "core", "training_tokens": 1e12}
ANALYSIS = "published.llm_analysis"
TOOLS = (
    Tool(ANALYSIS, "training", LLAMA, RUN, TRAINING, STEP, 0.25e-3, "llm_analysis", lambda: llm_analysis("training")),
    Tool(
        ANALYSIS, "inference", LLAMA, {}, SERVING, REQUEST, 0.25e-3, "llm_analysis", lambda: llm_analysis("inference")
    ),
    Tool("published.llm_profiler", "", LLAMA, {}, SERVING, ("prefill_time", "decode_time", "total_time"), 0.2e-3),
    Tool("published.genz", "", LLAMA, {}, SERVING, PASSES, 40e-3, "GenZ", genz),
)


def programs(evaluator: Evaluator, tool: Tool) -> dict[str, Program]:
    """The program of all quantities of a tool, or of one of its folders, and that of what a sweep compares."""
    everything = evaluator.select([f"{tool.namespace}.{tool.purpose}*"], Question(namespace=tool.namespace))
    compared = [f"{tool.namespace}.{name}" for name in tool.compared]
    return {f"{len(each)} quantities": evaluator.program(each) for each in (everything, compared)}


def call_of(tool: Tool) -> tuple[float, str]:
    """Seconds of one call of the tool, and where that figure is from."""
    if tool.own is None or not find_spec(tool.package):
        return tool.call, "as published"
    call = tool.own()
    return seconds(lambda: [call() for _ in range(CALLS)]) / CALLS, "measured in this run"


def compare(evaluator: Evaluator, tool: Tool) -> None:
    """Print the time of an answer, one at a time, many at random and on a grid, beside a call of the tool."""
    given = evaluator.givens(Question(tool.records, tool.givens, namespace=tool.namespace)).values
    draw = np.random.default_rng(0)
    varied = {name: draw.choice(np.array(values, float), COUNT) for name, values in tool.varied.items()}
    few = [{**given, **{name: float(each[i]) for name, each in varied.items()}} for i in range(ONE_BY_ONE)]
    axes = np.ix_(*(np.array(values, float) for values in tool.varied.values()))
    grid = {**given, **dict(zip(tool.varied, axes, strict=True))}
    size = int(np.prod(np.broadcast_shapes(*(each.shape for each in axes))))
    call, origin = call_of(tool)
    print(f"{tool.namespace} {tool.purpose}: a call {call * 1e3:.3g} ms, {origin}")
    for name, program in programs(evaluator, tool).items():
        times = {
            "one at a time": seconds(partial(each_alone, program, few)) / ONE_BY_ONE,
            f"{COUNT:,} at random": seconds(partial(evaluate_many, program, {**given, **varied})) / COUNT,
            f"a grid of {size:,}": seconds(partial(evaluate_many, program, grid)) / size,
        }
        for way, each in times.items():
            print(f"  {name:16} {way:20} {each * 1e6:10.3f} us {call / each:10,.0f} x")


def each_alone(program: Program, asked: Sequence[Mapping[str, float]]) -> None:
    """Answer one question after another."""
    for each in asked:
        program.evaluate(each)


def main() -> None:
    """Measure and print, for the namespaces that the library has."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    evaluator = Evaluator(find_library(), Cache(None))
    for tool in TOOLS:
        if any(name.startswith(f"{tool.namespace}.") for name in evaluator.schema.formulas):
            compare(evaluator, tool)


if __name__ == "__main__":
    main()
