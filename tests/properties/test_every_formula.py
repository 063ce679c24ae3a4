"""On random valid givens every node of the library has one value: by plain Python, by NumPy, and exactly by SymPy."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from formula_eval.core.type import Record
from formula_eval.evaluate.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.givens import Question
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.records import all_records
from formula_eval.library import find_library
from formula_eval.symbolic import Oracle

SCENARIOS = 40
SHARES = 4
SPACES = ("", *sorted(folder.name for folder in find_library().folders[0].glob("formulas/published/*/")))
RELATIVE = 1e-12


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(find_library(), Cache(None))


def space_of(name: str) -> str:
    """The namespace of a published tool; our own model has none."""
    parts = name.split(".")
    return parts[1] if parts[0] == "published" else ""


@pytest.fixture(scope="module", params=SPACES)
def space(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def program(evaluator: Evaluator, space: str):
    nodes = evaluator.graph.nodes.items()
    wanted = [name for name, node in nodes if not isinstance(node.type, Record) and space_of(name) == space]
    return compile_program(evaluator.graph, wanted)


def scenarios(evaluator: Evaluator, space: str, draw: Random):
    """Givens that no check of a namespace refuses: any model on any accelerator, any workload and number formats."""
    library, schema = evaluator.library, evaluator.schema
    models = [record.id for record in all_records(library, "model")]
    hardware = [record.id for record in all_records(library, "hardware")]
    checks = schema.checks.values()
    refusing = [each.name for each in checks if each.level == "refuse" and space_of(each.name) == space]
    allowed = evaluator.program(refusing)
    while True:
        prompt = draw.choice((1, 7, 128, 1000, 4096, 100_000))
        asked = {
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
            "carried_tokens": draw.choice((0, 0, 100)),
            "concurrency": draw.choice((1, 50, 10_000)),
            "request_rate": draw.choice(("0 request/s", "2 request/s", "500 request/s")),
            "chunk_tokens": draw.choice((64, 8192)),
            "drafted_tokens": draw.choice((0, 0, 4)),
            "drafter": draw.choice(("lookup", "own_layer")),
            "acceptance_rate": draw.choice((0, 0.8, 1)),
            "offloaded_weights": draw.choice((0, 0, 0.5, 1)),
            "offloaded_kv": draw.choice((0, 0, 1)),
            "decode_tp": draw.choice((1, 8)),
        }
        if draw.random() < 0.5:
            asked["context"] = draw.choice((0, 15, 16, 5000))
        question = Question({"model": draw.choice(models), "hardware": draw.choice(hardware)}, asked)
        givens = evaluator.givens(question).values
        values = allowed.evaluate(givens)
        if all(values[name] for name in refusing):
            yield givens


def exact(value) -> Fraction | bool | int:
    return value if isinstance(value, bool | int) else Fraction(value)


def same(ours: float, theirs: float) -> bool:
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    if ours == theirs:
        return True
    return abs(ours - theirs) <= RELATIVE * max(abs(ours), abs(theirs))


def number(value) -> float:
    text = str(value)
    spelled = {"oo": math.inf, "-oo": -math.inf, "nan": math.nan, "zoo": math.nan, "True": 1.0, "False": 0.0}
    return spelled[text] if text in spelled else float(value)


@pytest.mark.parametrize("share", range(SHARES))
def test_sympy_and_the_compiled_program_agree_on_every_node(
    evaluator: Evaluator, space: str, program, share: int
) -> None:
    drawn, oracle = scenarios(evaluator, space, Random(share)), Oracle(evaluator.graph)
    for _ in range(SCENARIOS // SHARES):
        givens = next(drawn)
        values = program.evaluate(givens)
        exactly = oracle.values(program.names, {n: exact(v) for n, v in givens.items() if n in program.inputs})
        for name in program.names:
            ours, theirs = float(values[name]), number(exactly[name])
            assert same(ours, theirs), (name, ours, theirs, givens)
            if getattr(evaluator.graph.nodes[name].type, "whole", False) and abs(theirs) < 2**53:
                assert ours == theirs, (name, ours, theirs)


def test_numpy_and_plain_python_agree_on_every_node(evaluator: Evaluator, space: str, program) -> None:
    drawn = scenarios(evaluator, space, Random(99))
    every = [next(drawn) for _ in range(300)]
    arrays = {
        name: np.array([float(each.get(name, math.nan)) for each in every])
        for name in program.inputs
        if any(name in each for each in every)
    }
    many = program.evaluate_many(arrays, chunk=64)
    for place, givens in enumerate(every):
        values = program.evaluate(givens)
        for name in program.wanted:
            assert same(float(values[name]), float(many[name][place])), (name, place)
