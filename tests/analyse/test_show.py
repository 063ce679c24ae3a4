"""What is said about a formula without numbers."""

import pytest

from formula_eval import FormulaError


def test_formula(formulas):
    formula = formulas["params.total"]
    assert formula.text.startswith("total: param = layers_total + encoder_total + outer_total\n")
    assert formula.latex == r"P = P_L + P_{\mathrm{enc}} + P_0"
    assert formula.unit == "param"
    assert formula.source is None
    assert formula.derived == "every tensor of the published checkpoint once"
    assert formulas["params.embedding"].source.key == "vaswani2017"
    assert formulas["params.embedding"].source.year == 2017
    assert str(formula.symbolic) == "params.encoder_total + params.layers_total + params.outer_total"
    assert "params.layers_total" in formula.reads
    assert "params.active" in formula.read_by
    assert formula._repr_latex_() == f"$$ {formula.latex} $$"


def test_kinds(formulas):
    names = ("tp", "memory.paged_tokens", "operators.pass_operators", "checks.tp_divides_heads", "phase")
    kinds = [formulas[name].description.kind for name in names]
    assert kinds == ["input", "function", "table", "check", "input"]


@pytest.mark.slow
def test_every_formula_has_a_page(formulas):
    schema = formulas.evaluator.schema
    rows = {shape[0][0] for shape in schema.tables.values() if shape[0]}
    written = [n for n in formulas if schema.formulas[n].kind == "formula" or n.split(".")[-2] in rows]
    assert len(written) > 700
    for name in written:
        formula = formulas[name]
        assert formula.text
        assert formula.latex


def test_unknown(formulas):
    with pytest.raises(FormulaError, match=r"params\.totl"):
        formulas["params.totl"]
