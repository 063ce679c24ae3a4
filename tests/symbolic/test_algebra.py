"""Every node of the library is a SymPy expression, and algebra on them gives what a person would find."""

import pytest
import sympy

from formula_eval import Formulas
from formula_eval.core.graph import FormulaGraph
from formula_eval.symbolic import derivative, equal, graph_symbols, simplified, symbolic

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graph(formulas: Formulas) -> FormulaGraph:
    return formulas.evaluator.graph


def expression(graph: FormulaGraph, name: str) -> sympy.Expr:
    return symbolic(graph.nodes[name].expression, graph_symbols(graph))


def test_every_node_becomes_an_expression_of_what_it_reads(graph: FormulaGraph) -> None:
    symbols = graph_symbols(graph)
    for name, node in graph.nodes.items():
        if node.expression is not None:
            known = {str(symbols(each)) for each in graph.parents[name]}
            known |= {f"given({each})" for each in graph.parents[name]}
            assert {str(each) for each in expression(graph, name).free_symbols} <= known, name
    assert str(symbols("params.total")) == "params.total"


def test_a_formula_grows_with_what_it_is_a_multiple_of(graph: FormulaGraph) -> None:
    symbols = graph_symbols(graph)
    load_time = expression(graph, "memory.load_time")
    slope = derivative(load_time, symbols("memory.weights_bytes"))
    assert equal(slope * symbols("memory.weights_bytes"), load_time) is True
    assert equal(slope, load_time) is False


def test_equal_proves_and_refutes(graph: FormulaGraph) -> None:
    x, y, z = (graph_symbols(graph)(name) for name in ("layers", "hidden", "heads"))
    assert equal(x * (y + z), x * y + x * z) is True
    assert equal(x * (y + z), x * y + z) is False
    assert simplified((x**2 - y**2) / (x - y)) == x + y
