"""Programs of graphs built by hand: values, names, source and payload."""

import marshal
import subprocess
import sys

import numpy as np
import pytest

from evaluate.graphs import ROOT, graph_of, program_of
from formula_eval import Formulas
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.scalar_source import program_source

COST = {"layers": "2", "hidden": "4 * layers", "tp": "1"}, {"params.total": "12 * layers * hidden ** 2 / tp"}


def test_defaults_are_formulas_of_other_inputs() -> None:
    program = program_of(*COST)
    assert program.evaluate({}) == {"layers": 2, "hidden": 8, "tp": 1, "params.total": 1536}
    assert program.evaluate({"layers": 1, "tp": 2})["params.total"] == 96
    assert program.inputs == {"layers": "number", "hidden": "number", "tp": "number"}
    assert program.names == ("layers", "hidden", "tp", "params.total")
    assert program.wanted == ("params.total",)


def test_only_what_is_wanted_is_computed() -> None:
    graph = graph_of({"layers": "2", "tp": "0"}, {"a": "layers / tp", "b": "layers + 1"})
    assert compile_program(graph, ["b"]).evaluate({}) == {"layers": 2, "b": 3}


def test_whole_numbers_given_are_computed_with_as_floats() -> None:
    program = program_of({"a": ""}, {"b": "a * a"})
    assert program.evaluate({"a": 6_000_000_000_000})["b"] == 3.6e25


def test_names_that_are_no_python_names_stay_apart() -> None:
    formulas = {"a.b": "x + 1", "a__b": "x + 2", "c@x=1, a+b": "x + 3", "c@x=1, a-b": "x + 4"}
    given = {"x": "1", "min": "2", "lambda": "3", "given": "4", "where": "5", "nan": "6"}
    program = program_of(given, {**formulas, "sum_": "min + lambda + given + where + nan"})
    values = program.evaluate({})
    assert [values[name] for name in (*formulas, "sum_")] == [2, 3, 4, 5, 20]
    assert evaluate_many(program, {"x": np.array([1.0, 2.0])})["c@x=1, a-b"].tolist() == [5, 6]


def test_source_is_one_statement_for_each_formula() -> None:
    source = "\n".join(program_source(graph_of(*COST), ["params.total"]).texts)
    assert "    n1 = given['hidden'] if 'hidden' in given else 4.0 * n0\n" in source
    assert "    n3 = 12.0 * n0 * n1 ** 2 / n2\n" in source


def test_a_program_comes_back_from_bytes_without_heavy_imports() -> None:
    payload = marshal.dumps(program_of(*COST).codes)
    script = (
        "import marshal, sys; from formula_eval.evaluate.program import Later, Program; "
        "codes = marshal.loads(sys.stdin.buffer.read()); "
        "print(Program(codes, Later(list, str, str)).evaluate({})['params.total'], "
        "sorted({'numpy', 'sympy', 'lark', 'formula_eval.resolve', 'formula_eval.printing'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script]
    environment = {"PYTHONPATH": str(ROOT / "engine")}
    done = subprocess.run(command, input=payload, capture_output=True, check=True, env=environment)
    assert done.stdout.decode().strip() == "1536.0 []"


def test_a_record_enters_a_program_only_as_given_or_not() -> None:
    program = program_of({"draft": "", "x": "1"}, {"a": "x if given(draft) else 0"})
    assert program.evaluate({})["a"] == 0
    assert program.evaluate({"draft": "llama"})["a"] == 1  # type: ignore[dict-item]
    assert "draft" not in program.inputs
    assert evaluate_many(program, {"draft": "llama", "x": np.ones(2)})["a"].tolist() == [1, 1]


@pytest.mark.slow
def test_programs_used_longest_ago_are_let_go(formulas: Formulas, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, other = (Evaluator(formulas.evaluator.library, formulas.evaluator.cache) for _ in range(2))
    total, active = ours.program(["params.total"]), ours.program(["params.active"])
    assert ours.program(["params.total"]) is total
    both = total.size + other.program(["params.embedding"]).size
    monkeypatch.setattr("formula_eval.evaluate.evaluator._MOST_CODE", both)
    ours.program(["params.embedding"])
    assert ours.program(["params.total"]) is total
    assert ours.program(["params.active"]) is not active
