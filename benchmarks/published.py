"""Answers per second of three published tools as formulas, against one call of each tool."""

import argparse
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from throughput import seconds

from formula_eval.evaluate.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.givens import Question
from formula_eval.evaluate.program import Program
from formula_eval.library import find_library

COUNT = 100_000
ONE_BY_ONE = 1_000


class Tool(NamedTuple):
    """What is asked of a tool, and the time of one call of the tool itself.

    That time is not measured here: it was taken on another machine, in the runs that made the tool's golden cases.
    """

    namespace: str
    purpose: str
    records: Mapping[str, str]
    givens: Mapping[str, object]
    varied: Mapping[str, tuple[float, ...]]
    call: float


LLAMA = {"model": "llama2-70b", "hardware": "a100-sxm-80gb"}
BATCHES = (1, 2, 4, 8, 16, 32)
PROMPTS = (128, 256, 512, 1024, 2048)
SERVING = {"tp": (2, 4, 8), "batch": BATCHES, "prompt": PROMPTS}
TRAINING = {"tp": (1, 2, 4, 8), "dp": (8, 16, 32), "seq": PROMPTS, "micro_batch": (1, 2, 4), "zero_stage": (0, 1, 2, 3)}
RUN = {"recompute": "core", "training_tokens": 1e12}
TOOLS = (
    Tool("published.llm_analysis", "training", LLAMA, RUN, TRAINING, 0.25e-3),
    Tool("published.llm_analysis", "inference", LLAMA, {}, SERVING, 0.25e-3),
    Tool("published.llm_profiler", "", LLAMA, {}, SERVING, 0.2e-3),
    Tool("published.genz", "", LLAMA, {}, SERVING, 40e-3),
)


def asked(evaluator: Evaluator, tool: Tool) -> Program:
    """The program of all quantities of a tool, or of one of its folders."""
    inside = f"{tool.namespace}.{tool.purpose}*"
    return evaluator.program(evaluator.select([inside], tool.namespace))


def compare(evaluator: Evaluator, tool: Tool) -> None:
    """Print the time of one answer, one at a time and many at once, beside a call of the tool."""
    program = asked(evaluator, tool)
    given = evaluator.givens(Question(tool.records, tool.givens, namespace=tool.namespace)).values
    draw = np.random.default_rng(0)
    varied = {name: draw.choice(np.array(values, float), COUNT) for name, values in tool.varied.items()}
    few = [{**given, **{name: float(each[i]) for name, each in varied.items()}} for i in range(ONE_BY_ONE)]
    one = seconds(lambda: [program.evaluate(each) for each in few]) / ONE_BY_ONE
    many = seconds(lambda: program.evaluate_many({**given, **varied}))
    print(
        f"{tool.namespace} {tool.purpose}: {len(program.wanted)} quantities; a call of the tool {tool.call * 1e3:g} ms"
    )
    print(f"  one at a time: {one * 1e3:11.3f} ms, {tool.call / one:8,.1f} x")
    print(f"  {COUNT:,} at random: {many:6.2f} s,  {tool.call * COUNT / many:8,.0f} x")


def main() -> None:
    """Measure and print, for the namespaces that the library has."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    evaluator = Evaluator(find_library(), Cache(None))
    for tool in TOOLS:
        if any(name.startswith(f"{tool.namespace}.") for name in evaluator.schema.formulas):
            compare(evaluator, tool)


if __name__ == "__main__":
    main()
