"""Graphs built by hand, compiled and run: values, absent inputs, errors, arrays and grids."""

import math
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from formula_eval.core import expression as e
from formula_eval.core.declaration import FormulaDeclaration
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.graph import Node
from formula_eval.core.rewriting import rebuild
from formula_eval.core.span import Span
from formula_eval.core.type import Choice
from formula_eval.core.type import Flag
from formula_eval.core.type import Quantity
from formula_eval.core.type import Record
from formula_eval.core.type import Type
from formula_eval.core.unit import unit_table
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.source import program_source
from formula_eval.language.reader import Reader
from formula_eval.symbolic import Oracle

ROOT = Path(__file__).parents[2]
READER = Reader(unit_table(tomllib.loads((ROOT / "formulas" / "units.toml").read_text(encoding="utf-8"))))
MODE = Choice(("none", "core", "full"), "mode")
TYPES: Mapping[str, Type] = {"gated": Flag(), "tied": Flag(), "mode": MODE, "draft": Record("model")}
NUMBER = Quantity()


def lowered(x: e.Expression) -> e.Expression:
    match x:
        case e.Name((word,)) if word in MODE.values:
            return e.ChoiceValue(word, MODE.values.index(word))
        case e.Name(path):
            return e.Reference(".".join(path))
        case e.Call("given", (e.Name(path),)):
            return e.Given(".".join(path))
    return rebuild(x, lowered)


def read(text: str, line: int = 1) -> e.Expression:
    expression, findings = READER.expression(text, "costs.formula")
    assert expression is not None, findings
    return replace(expression, span=Span("costs.formula", line, 1, line, len(text) + 1))


def graph_of(
    inputs: Mapping[str, str], formulas: Mapping[str, str], guards: Mapping[str, str] | None = None
) -> FormulaGraph:
    """Inputs with their default (or nothing), formulas in order; line n of the file holds the nth formula."""
    nodes: dict[str, Node] = {}
    for line, (name, text) in enumerate((inputs | formulas).items(), 1):
        author = read(text, line) if text else None
        expression = lowered(author) if author is not None else None
        declaration = FormulaDeclaration(name=name, expression=author or e.Number("0"))
        guard = lowered(read(guards[name])) if guards and name in guards else None
        kind = "input" if name in inputs else "formula"
        type_ = TYPES.get(name, NUMBER)
        nodes[name] = Node(name, kind, type_, "", expression, declaration, author=author, guard=guard)
    parents = {name: parents_of(node) for name, node in nodes.items()}
    children = {name: tuple(each for each in nodes if name in parents[each]) for name in nodes}
    return FormulaGraph(nodes, parents, children)


def parents_of(node: Node) -> tuple[str, ...]:
    parts = (node.expression, node.guard)
    return tuple(dict.fromkeys(name for part in parts if part is not None for name in e.references(part)))


def program_of(
    inputs: Mapping[str, str], formulas: Mapping[str, str], guards: Mapping[str, str] | None = None
) -> Program:
    return compile_program(graph_of(inputs, formulas, guards), list(formulas))


def finding(error: pytest.ExceptionInfo[FormulaError]) -> Diagnostic:
    return error.value.diagnostics[0]


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
    assert program.evaluate_many({"x": np.array([1.0, 2.0])})["c@x=1, a-b"].tolist() == [5, 6]


def test_source_is_one_readable_statement_for_each_formula() -> None:
    source = program_source(graph_of(*COST), ["params.total"])
    assert "    hidden = given['hidden'] if 'hidden' in given else 4.0 * layers\n" in source
    assert "    params__total = 12.0 * layers * hidden ** 2.0 / tp\n" in source


def test_a_program_comes_back_from_bytes_without_heavy_imports() -> None:
    payload = program_of(*COST).payload()
    script = (
        "import sys; from formula_eval.evaluate.program import Program; "
        "print(Program.from_payload(sys.stdin.buffer.read()).evaluate({})['params.total'], "
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
    assert program.evaluate_many({"draft": "llama", "x": np.ones(2)})["a"].tolist() == [1, 1]


# -- absent inputs


def test_absent_stays_absent_and_says_why() -> None:
    program = program_of(
        {"gpus": "", "tp": "1", "mode": ""}, {"a": "gpus / tp", "b": "max(tp, a)", "c": "tp", "d": "mode"}
    )
    values = program.evaluate({})
    assert math.isnan(values["b"])
    assert program.why_absent(values, "b") == "gpus"
    assert program.why_absent(values, "d") == "mode"
    assert program.why_absent(values, "c") is None
    assert program.evaluate({"gpus": math.nan, "mode": 2})["d"] == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 if gated else 2", 2),
        ("1 if not gated else 2", 1),
        ("1 if gated or tied else 2", 1),
        ("one_if(gated)", 0),
        ("1 if gated == true else 2", 2),
        ("1 if (gated if tied else tied) else 2", 2),
        ("1 if x > 0 else 2", 2),
        ("1 if given(x) and 1 / x > 0 else 2", 2),
    ],
)
def test_what_is_absent_does_not_hold(text: str, value: float) -> None:
    program = program_of({"gated": "", "x": "", "tied": "true", "y": "1"}, {"a": text})
    assert program.evaluate({})["a"] == value
    nans = np.array([math.nan, math.nan])
    assert program.evaluate_many({"y": np.ones(2)})["a"].tolist() == pytest.approx([value, value])
    assert program.evaluate_many({"gated": nans, "x": nans})["a"].tolist() == [value, value]


def test_a_match_on_an_absent_choice_is_absent() -> None:
    program = program_of({"mode": ""}, {"a": "(match mode: none -> 1, core | full -> 2)"})
    assert math.isnan(program.evaluate({})["a"])
    many = program.evaluate_many({"mode": np.array([0, 1, 2, math.nan])})["a"]
    assert many[:3].tolist() == [1, 2, 2]
    assert math.isnan(many[3])


def test_a_lane_with_nan_takes_the_default() -> None:
    program = program_of(
        {"x": "3", "y": "x if given(x) else 7", "gated": "true"}, {"a": "x + y", "b": "1 if gated else 2"}
    )
    given = {"x": np.array([1.0, math.nan]), "gated": np.array([0.0, math.nan])}
    many = program.evaluate_many(given)
    assert many["a"].tolist() == [2, 10]
    assert many["b"].tolist() == [2, 1]
    assert [program.evaluate({"x": x})["a"] for x in (1.0, math.nan)] == [2, 10]


def test_a_guard_that_does_not_hold_counts_nothing() -> None:
    program = program_of({"n": "0"}, {"a": "1 / n"}, {"a": "n > 0"})
    assert program.evaluate({})["a"] == 0
    assert program.evaluate_many({"n": np.array([0.0, 2.0])})["a"].tolist() == [0, 0.5]


# -- errors


@pytest.mark.parametrize(
    ("text", "given", "code", "message", "help_"),
    [
        ("x / y", 0, "division-by-zero", "`cost` divides by zero: `x / y`", "Here x = 3, y = 0."),
        ("x % y", 0, "division-by-zero", "`cost` divides by zero: `x % y`", "Here x = 3, y = 0."),
        ("ceildiv(x, y)", 0, "division-by-zero", "`cost` divides by zero: `ceildiv(x, y)`", "Here x = 3, y = 0."),
        ("y ** -1", 0, "division-by-zero", "`cost` divides by zero: `y ** -1`", "Here y = 0."),
        ("exp(y)", 1e3, "overflow", "`cost` is too large a number: `exp(y)`", "Here y = 1000."),
        ("y ** x", 1e200, "overflow", "`cost` is too large a number: `y ** x`", "Here y = 1e+200, x = 3."),
        (
            "log2(y)",
            0,
            "not-a-number",
            "`cost` is not a number (a logarithm or root of a number that has none): `log2(y)`",
            "Here y = 0.",
        ),
        (
            "y ** 0.5",
            -1,
            "not-a-number",
            "`cost` is not a number (a broken power of a negative number): `y ** 0.5`",
            "Here y = -1.",
        ),
        (
            "largest_divisor(y, x)",
            1.5,
            "not-a-number",
            "`cost` is not a number (largest_divisor takes a whole number from 1 to 2**53): `largest_divisor(y, x)`",
            "Here y = 1.5, x = 3.",
        ),
        ("y - y", math.inf, "not-a-number", "`cost` is not a number: `y - y`", "Here y = inf."),
    ],
)
def test_an_error_is_that_of_a_formula(text: str, given: float, code: str, message: str, help_: str) -> None:
    program = program_of({"x": "3", "y": "1"}, {"before": "x + 1", "cost": text, "after": "cost + 1"})
    with pytest.raises(FormulaError) as error:
        program.evaluate({"y": given})
    assert (finding(error).code, finding(error).message, finding(error).help) == (code, message, help_)
    assert str(error.value) == f"costs.formula:4:1: {message}"
    with pytest.raises(FormulaError) as many:
        program.evaluate_many({"y": np.array([2.0, 4.0, given])})
    assert finding(many).message == f"{message} (configuration 2)"
    marked = program.evaluate_many({"y": np.array([2.0, given])}, failures="nan")
    assert np.isnan(marked["cost"]).tolist() == np.isnan(marked["before"]).tolist() == [False, True]


def test_the_first_failing_configuration_of_a_grid_is_named() -> None:
    program = program_of({"x": "1", "y": "1"}, {"cost": "1 / (x - y)"})
    x, y = np.arange(5.0)[:, None], np.arange(3.0, 6.0)[None, :]
    with pytest.raises(FormulaError, match=r"\(configuration 3, 0\)"):
        program.evaluate_many({"x": x, "y": y}, chunk=4)
    assert np.isnan(program.evaluate_many({"x": x, "y": y}, failures="nan")["cost"]).sum() == 2


def test_absence_in_one_lane_is_no_error_but_a_missing_number_is() -> None:
    program = program_of({"x": "", "y": "1"}, {"cost": "x - y"})
    many = program.evaluate_many({"x": np.array([math.nan, 3.0]), "y": np.ones(2)})["cost"]
    assert math.isnan(many[0])
    assert many[1] == 2
    with pytest.raises(FormulaError, match=r"`cost` is not a number: `x - y` \(configuration 2\)"):
        program.evaluate_many({"x": np.array([math.nan, 3.0, math.inf]), "y": np.array([1.0, 1.0, math.inf])})


# -- arrays


BRANCHES = {
    "if": "x / n if n > 0 else -1",
    "nested": "(log2(x) if x > 0 else x / n if n > 0 else sqrt(n)) + 1",
    "and": "one_if(n != 0 and x / n > 1)",
    "or": "one_if(n == 0 or x / n > 1)",
    "match": "(match mode: none -> 0, core -> x / n if n > 0 else 5, full -> sqrt(max(x, 0)))",
    "divisor": "largest_divisor(n, x) if n > 0 else 0",
    "largest": "(match mode: none -> 1, core -> 2, full -> 3) * max(x, n, 2)",
    "rounded": "ceildiv(x, 3) + floordiv(x, 2) + ceil(x / 2) + floor(x / 3) + abs(x) + clamp(x, 0, 2) + x % 3",
    "power": "(n ** x if n > 0 else 0) + exp(min(x, 9)) + ln(n + 1)",
}


@pytest.mark.parametrize("name", BRANCHES)
@pytest.mark.parametrize("chunk", [1, 7, 16384])
def test_arrays_agree_with_single_configurations(name: str, chunk: int) -> None:
    program = program_of({"x": "1", "n": "1", "mode": "none"}, {"a": BRANCHES[name]})
    x, n, mode = (part.ravel() for part in np.meshgrid(np.arange(-3.0, 5.0), np.arange(0.0, 13.0, 4), [0, 1, 2]))
    many = program.evaluate_many({"x": x, "n": n, "mode": mode}, chunk=chunk)["a"]
    single = [program.evaluate({"x": a, "n": b, "mode": c})["a"] for a, b, c in zip(x, n, mode, strict=True)]
    assert many.tolist() == pytest.approx(single, rel=1e-12, abs=1e-15)


def test_a_choice_of_the_largest() -> None:
    graph = graph_of({"x": "1", "y": "2"}, {"mode": "largest(x, y, 2)"})
    program = compile_program(graph, ["mode"])
    assert program.evaluate({})["mode"] == 1
    assert program.evaluate_many({"x": np.array([0.0, 5.0, 2.0])})["mode"].tolist() == [1, 0, 0]


def test_a_grid_has_an_axis_for_each_input() -> None:
    program = program_of({"x": "1", "y": "2", "z": "3"}, {"a": "x * y + z", "b": "x + 1", "c": "z"})
    x, y = np.arange(4.0)[:, None], np.arange(50.0)[None, :]
    many = program.evaluate_many({"x": x, "y": y}, chunk=16)
    assert np.array_equal(many["a"], x * y + 3)
    assert np.array_equal(many["b"], np.broadcast_to(x + 1, (4, 50)))
    assert many["c"].shape == (4, 50)


@pytest.mark.parametrize(
    ("given", "shape"), [({}, ()), ({"x": 2}, ()), ({"x": np.zeros(0)}, (0,)), ({"x": [1, 2]}, (2,))]
)
def test_any_shape_will_do(given: dict[str, object], shape: tuple[int, ...]) -> None:
    assert program_of({"x": "1"}, {"a": "x + 1"}).evaluate_many(given)["a"].shape == shape


def test_a_table_may_have_many_rows() -> None:
    total = e.Call("sum", tuple(e.Reference("x") for _ in range(400)))
    graph = graph_of({"x": "1"}, {"a": "x"})
    node = graph.nodes["a"]
    nodes = {**graph.nodes, "a": Node(node.name, node.kind, node.type, "", total, node.declaration)}
    assert compile_program(FormulaGraph(nodes, graph.parents, graph.children), ["a"]).evaluate({})["a"] == 400


# -- the oracle


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
