"""What a grid leaves open of formulas gives the values and the failures of the formulas themselves.

What is alike in all configurations is computed once, by the C library, from which NumPy differs in the last bits.
"""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval import Formulas
from formula_eval.analyse.sweep.sweep_batches import Sweep, SweepQuantities
from formula_eval.core import expression as e
from formula_eval.evaluate.batch import evaluate_block, held_arrays
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations
from formula_eval.evaluate.partial_evaluation.residual_program import ResidualProgram, residue_of
from formula_eval.evaluate.program import compile_program
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question
from properties.test_bounds import with_places_as_words
from properties.test_notations_agree import conditions, graph_of, positives, wholes
from samples import samples

UNITS = find_library().units
absent = st.just(math.nan)
axes = st.fixed_dictionaries(
    {
        "a": st.lists(st.integers(-6, 12) | absent, min_size=1, max_size=3),
        "b": st.lists(st.integers(-2, 4) | absent, min_size=1, max_size=3),
        "c": st.lists(st.integers(0, 64), min_size=1, max_size=3),
        "gated": st.lists(st.booleans() | absent, min_size=1, max_size=2),
        "mode": st.lists(st.integers(0, 2) | absent, min_size=1, max_size=3),
    }
)
flags = conditions(wholes(1), 2).map(lambda flag: e.Call("one_if", (flag,)))
trees = st.one_of(wholes(3), positives(3), flags).map(with_places_as_words)


def grid(axes: dict[str, list[Any]]) -> dict[str, Any]:
    """An axis for each input; one value alone is a plain number."""
    shapes = [[-1 if axis == each else 1 for axis in range(len(axes))] for each in range(len(axes))]
    arrays = (np.array(values, float).reshape(shape) for values, shape in zip(axes.values(), shapes, strict=True))
    return {name: array if array.size > 1 else array.item() for name, array in zip(axes, arrays, strict=True)}


def assert_same(found: tuple[Any, Any], expected: tuple[Any, Any], shape: tuple[int, ...]) -> None:
    """The same failures, and the same values elsewhere, up to the last bits of a function computed once."""
    (values, failed), (others, failing) = found, expected
    failed, failing = np.broadcast_to(failed, shape), np.broadcast_to(failing, shape)
    assert failed.tolist() == failing.tolist()
    for name, value in others.items():
        one, other = (np.broadcast_to(np.asarray(each, float), shape)[~failed] for each in (values[name], value))
        with np.errstate(invalid="ignore"):  # infinite less infinite
            near = np.absolute(one - other) <= 4 * np.spacing(np.absolute(other))
        same = near | (one == other) | (np.isnan(one) & np.isnan(other))
        assert same.all(), name


@settings(
    max_examples=samples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(tree=trees, axes=axes, most=st.sampled_from([0, 4, 1000]))
def test_random_trees_over_random_grids(tree: e.Expression, axes: dict[str, list[Any]], most: int) -> None:
    graph = graph_of(tree)
    program, whole = compile_program(graph, ["cost"]), grid(axes)
    sizes = [len(each) for each in axes.values()]
    residual = ResidualProgram(program, residue_of(program, graph, UNITS, whole, ()), whole, most)
    held = held_arrays(program, whole)
    box = Configurations(tuple(np.indices(sizes, sparse=True)), is_box=True)
    assert_same(residual.compute(box), evaluate_block(program, held), tuple(sizes))
    places = np.arange(0, math.prod(sizes), 2)
    some = Configurations(tuple(np.unravel_index(places, sizes)), is_box=False)
    lanes = {name: np.broadcast_to(value, sizes).ravel()[places] for name, value in held.items()}
    assert_same(residual.compute(some), evaluate_block(program, lanes), (len(places),))


SERVING = Question(
    {"model": "llama2-7b,mixtral-8x7b,deepseek-v3", "hardware": "h100-sxm,a100-sxm-80gb,mi300x"},
    {"tp": "1,3,8", "batch": "1..64:3", "prompt": "1..8000:3", "weight_bits": "16,8", "price": "2 USD/hour,+10%"},
)
TRAINING = Question(
    {"model": "gpt3-175b,mixtral-8x7b"},
    {"gpus": "96,100", "tp": "1,8", "pp": "1,3,8", "schedule": "gpipe,one_f_one_b", "zero_stage": "1,2", "ep": "1,2"},
    purpose="training",
)


@pytest.mark.parametrize(
    ("question", "only"),
    [
        (SERVING, ("memory.*", "inference.tpot", "inference.ttft")),
        (TRAINING, ("training.step_time", "training.*bytes")),
    ],
    ids=["serving", "training"],
)
def test_the_library(formulas: Formulas, question: Question, only: tuple[str, ...]) -> None:
    sweep = Sweep(formulas.evaluator, question, SweepQuantities(only))
    plain, specialised = sweep.values(), sweep.values()
    specialised.specialise()
    for block in sweep.blocks(most=500):
        values, failed = plain.of(block)[:2]
        shape = np.broadcast_shapes(*(each.shape for each in block.along))
        assert_same(specialised.of(block)[:2], (values, failed), shape)
