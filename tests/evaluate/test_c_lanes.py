"""C against NumPy: the same values and the same failures of one grid, as boxes and as lists, in one library for all."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evaluate.graphs import graph_of
from evaluate.test_arrays import BRANCHES
from formula_eval import FormulaError
from formula_eval.cache import Cache
from formula_eval.evaluate.partial_evaluation.c_compiler import compiler
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations
from formula_eval.evaluate.partial_evaluation.residual_program import ResidualProgram, residue_of
from formula_eval.evaluate.program import compile_program
from formula_eval.libraries import find_library
from samples import samples

pytestmark = pytest.mark.skipif(not compiler(), reason="there is no C compiler")
FORMULAS = {name: text for name, text in BRANCHES.items() if name.isidentifier()} | {
    "failing": "x / n + sqrt(x) + log2(n - 4) + x % n + ceildiv(x, n) + floordiv(x, n)",
    "rounded": "ceil(x) + floor(x) + round(x) + ceil(x / 0.1) % 7 + floordiv(x, 0.1)",
    "moved": "months_later(1970-01-31 + x * 1 day, n) - 1970-01-01",
    "broken": "(x / 3) ** (n / 7 - 1) + largest_divisor(n, x / n)",
    "small": "log1p(x / 1e9) * 1e9 + expm1(min(x, 5) / 1e9) * 1e9 + log1p(n - 3)",
    "absent": "(match mode: none -> x, core -> n)",
    "flagged": "one_if(not (gated and x > n)) + (x if gated else n)",
}
NAMES = {name: f"f_{name}" for name in FORMULAS}
AXES = {
    "x": [-3.5, -2, -1, 0, 0.1 + 0.2, 1, 2.5, 1.1 * 30, 7, 1e9 + 0.5, 1e300, math.inf],
    "n": [0, 1, 3, 4, 7, 12, 1e15],
    "mode": [0, 1, 2],
    "gated": [0, 1],
}
SIZES = [len(each) for each in AXES.values()]


def programs(cache: Cache, *, boxes: bool) -> tuple[ResidualProgram, ResidualProgram]:
    graph = graph_of(dict.fromkeys(AXES, ""), {NAMES[name]: text for name, text in FORMULAS.items()})
    program = compile_program(graph, list(NAMES.values()))
    shapes = [[-1 if axis == each else 1 for axis in range(len(AXES))] for each in range(len(AXES))]
    whole = {name: np.array(v, float).reshape(shape) for (name, v), shape in zip(AXES.items(), shapes, strict=True)}
    left = residue_of(program, graph, find_library().units, whole, ())
    numpy, c = ResidualProgram(program, left, whole, 0), ResidualProgram(program, left, whole, 0)
    c.use_c(cache, boxes=boxes)
    return numpy, c


def assert_same(found: tuple[Mapping[str, Any], Any], expected: tuple[Mapping[str, Any], Any], shape: Any) -> None:
    assert np.array_equal(np.broadcast_to(found[1], shape), np.broadcast_to(expected[1], shape))
    assert found[0].keys() == expected[0].keys()
    for name, value in expected[0].items():
        one, other = (np.broadcast_to(np.asarray(each, float), shape) for each in (found[0][name], value))
        np.testing.assert_allclose(one, other, rtol=1e-12, err_msg=name)


@pytest.fixture(scope="module")
def listed() -> tuple[ResidualProgram, ResidualProgram]:
    return programs(Cache(None), boxes=False)


@settings(max_examples=samples(60))
@given(places=st.lists(st.integers(0, math.prod(SIZES) - 1), min_size=1, max_size=400))
def test_lists_of_configurations(listed: tuple[ResidualProgram, ResidualProgram], places: list[int]) -> None:
    along = tuple(np.unravel_index(np.array(places), SIZES))
    numpy, c = (each.compute(Configurations(along, is_box=False)) for each in listed)
    assert_same(c, numpy, (len(places),))


def test_boxes_from_a_library_that_was_kept(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    programs(Cache(tmp_path), boxes=True)
    monkeypatch.setattr("formula_eval.evaluate.partial_evaluation.c_compiler._build", None)
    numpy, c = programs(Cache(tmp_path), boxes=True)
    for low, high in ((0, 9), (2, 3), (5, 9)):
        along = tuple(np.indices(SIZES, sparse=True))
        box = (along[0][low:high], *along[1:])
        shape = np.broadcast_shapes(*(each.shape for each in box))
        one, other = (each.compute(Configurations(box, is_box=True)) for each in (c, numpy))
        assert_same(one, other, shape)
        assert np.any(other[1])


@pytest.mark.parametrize("command", ["/bin/false", "no-such-compiler", "/bin/true"])
def test_a_compiler_that_fails_says_so(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(FormulaError, match="The C compiler failed"):
        programs(Cache(None), boxes=True)
