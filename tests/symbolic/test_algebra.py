"""Every node of the library is a SymPy expression, and algebra on them gives what a person would find."""

import pytest
import sympy

from formula_eval import Formulas
from formula_eval.core.graph import FormulaGraph
from formula_eval.symbolic import graph_symbols, symbolic
from samples import thorough

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graph(formulas: Formulas) -> FormulaGraph:
    return formulas.evaluator.graph


def expression(graph: FormulaGraph, name: str) -> sympy.Expr:
    return symbolic(graph.nodes[name].expression, graph_symbols(graph))


def test_every_node_becomes_an_expression_of_what_it_reads(graph: FormulaGraph) -> None:
    """And some of the copies of formulas under other inputs, which say what those say."""
    symbols = graph_symbols(graph)
    for number, (name, node) in enumerate(graph.nodes.items()):
        if node.expression is not None and (thorough() or not node.original or number % 20 == 0):
            known = {str(symbols(each)) for each in graph.parents[name]}
            known |= {f"given({each})" for each in graph.parents[name]}
            assert {str(each) for each in expression(graph, name).free_symbols} <= known, name
    assert str(symbols("params.total")) == "params.total"


def test_a_formula_grows_with_what_it_is_a_multiple_of(graph: FormulaGraph) -> None:
    symbols = graph_symbols(graph)
    load_time = expression(graph, "memory.load_time")
    slope = sympy.diff(load_time, symbols("memory.weights_bytes"))
    assert sympy.expand(slope * symbols("memory.weights_bytes") - load_time) == 0
