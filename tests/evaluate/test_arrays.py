"""Programs of graphs built by hand: arrays and grids, and SymPy as the oracle."""

import numpy as np
import pytest

from evaluate.graphs import graph_of, program_of
from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.unit import NO_UNIT
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program
from oracle import Oracle

BRANCHES = {
    "if": "x / n if n > 0 else -1",
    "nested": "(log2(x) if x > 0 else x / n if n > 0 else sqrt(n)) + 1",
    "and": "one_if(n != 0 and x / n > 1)",
    "or": "one_if(n == 0 or x / n > 1)",
    "match": "(match mode: none -> 0, core -> x / n if n > 0 else 5, full -> sqrt(max(x, 0)))",
    "moved": "(months_later(1970-01-31 + x * 1 day, n) - 1970-01-01) / 1 day",
    "divisor": "largest_divisor(n, x) if n > 0 else 0",
    "largest": "(match mode: none -> 1, core -> 2, full -> 3) * max(x, n, 2)",
    "rounded": "ceildiv(x, 3) + floordiv(x, 2) + ceil(x / 2) + floor(x / 3) + abs(x) + clamp(x, 0, 2) + x % 3",
    "nearest": "round(x / 2) + round(-x / 4) + (round(n / x) if x != 0 else 0)",
    "power": "(n ** x if n > 0 else 0) + exp(min(x, 9)) + ln(n + 1) + expm1(min(x, 9)) + log1p(n)",
}


@pytest.mark.parametrize("name", BRANCHES)
@pytest.mark.parametrize("chunk", [1, 7, 16384])
def test_arrays_agree_with_single_configurations(name: str, chunk: int) -> None:
    program = program_of({"x": "1", "n": "1", "mode": "none"}, {"a": BRANCHES[name]})
    x, n, mode = (part.ravel() for part in np.meshgrid(np.arange(-3.0, 5.0), np.arange(0.0, 13.0, 4), [0, 1, 2]))
    many = evaluate_many(program, {"x": x, "n": n, "mode": mode}, chunk=chunk)["a"]
    single = [program.evaluate({"x": a, "n": b, "mode": c})["a"] for a, b, c in zip(x, n, mode, strict=True)]
    assert many.tolist() == pytest.approx(single, rel=1e-12, abs=1e-15)


def test_a_choice_of_the_largest() -> None:
    graph = graph_of({"x": "1", "y": "2"}, {"mode": "largest(x, y, 2)"})
    program = compile_program(graph, ["mode"])
    assert program.evaluate({})["mode"] == 1
    assert evaluate_many(program, {"x": np.array([0.0, 5.0, 2.0])})["mode"].tolist() == [1, 0, 0]


def test_a_grid_has_an_axis_for_each_input() -> None:
    program = program_of({"x": "1", "y": "2", "z": "3"}, {"a": "x * y + z", "b": "x + 1", "c": "z"})
    x, y = np.arange(4.0)[:, None], np.arange(50.0)[None, :]
    many = evaluate_many(program, {"x": x, "y": y}, chunk=16)
    assert np.array_equal(many["a"], x * y + 3)
    assert np.array_equal(many["b"], np.broadcast_to(x + 1, (4, 50)))
    assert many["c"].shape == (4, 50)


@pytest.mark.parametrize(
    ("given", "shape"), [({}, ()), ({"x": 2}, ()), ({"x": np.zeros(0)}, (0,)), ({"x": [1, 2]}, (2,))]
)
def test_any_shape_will_do(given: dict[str, object], shape: tuple[int, ...]) -> None:
    assert evaluate_many(program_of({"x": "1"}, {"a": "x + 1"}), given)["a"].shape == shape


def test_a_table_may_have_many_rows() -> None:
    total = e.Call("sum", tuple(e.Reference("x") for _ in range(400)))
    graph = graph_of({"x": "1"}, {"a": "x"})
    node = graph.nodes["a"]
    nodes = {**graph.nodes, "a": Node(node.name, node.kind, node.type, NO_UNIT, total, node.declaration)}
    assert compile_program(FormulaGraph(nodes, graph.parents), ["a"]).evaluate({})["a"] == 400


@pytest.mark.parametrize("name", BRANCHES)
def test_sympy_agrees(name: str) -> None:
    graph = graph_of({"x": "1", "n": "1", "mode": "none"}, {"a": BRANCHES[name]})
    program = compile_program(graph, ["a"])
    for given in ({"x": -3, "n": 0, "mode": 1}, {"x": 4, "n": 12, "mode": 1}, {"x": 2, "n": 8, "mode": 2}):
        exact = Oracle(graph).value("a", given)
        assert float(exact) == pytest.approx(program.evaluate(given)["a"], rel=1e-12)


def test_the_oracle_knows_guards_and_given() -> None:
    graph = graph_of({"n": ""}, {"a": "1 / n", "b": "1 if given(n) else 2"}, {"a": "given(n)"})
    assert Oracle(graph).value("a", {}) == 0
    assert Oracle(graph).value("a", {"n": 2}) * 2 == 1
    assert Oracle(graph).value("b", {}) == 2
