"""What is said about a formula without numbers."""

import pytest

from formula_eval import FormulaError


def test_formula(formulas):
    formula = formulas["params.total"]
    assert formula.text.startswith("total: param = layers_total + embeddings_total + outer_norms\n")
    assert formula.latex == "P = P_L + P_{eh} + P_{n,0}"
    assert formula.unit == "param"
    assert formula.source.key == "narayanan2021"
    assert formula.source.year == 2021
    assert str(formula.symbolic) == "params.embeddings_total + params.layers_total + params.outer_norms"
    assert "params.layers_total" in formula.reads
    assert "params.active" in formula.read_by
    assert formula._repr_latex_() == f"$$ {formula.latex} $$"


def test_kinds(formulas):
    names = ("tp", "memory.paged_tokens", "operators.pass_operators", "checks.tp_divides_heads", "phase")
    kinds = [formulas[name].page.kind for name in names]
    assert kinds == ["input", "function", "table", "check", "input"]


def test_every_formula_has_a_page(formulas):
    for name in formulas:
        formula = formulas[name]
        assert formula.text
        assert formula.latex


def test_unknown(formulas):
    with pytest.raises(FormulaError, match=r"params\.totl"):
        formulas["params.totl"]
