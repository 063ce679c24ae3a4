"""What inputs say of the runs that they were fitted to is what presets/measured says; explanations tell it."""

from formula_eval import Formulas
from formula_eval.analyse.validate.parameters import read_fits

FITS = "presets/measured/fit.toml"


def test_inputs_say_by_which_fit_they_were_found(formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    fits = read_fits(evaluator.library, evaluator.schema)
    moved = {each.input: fit.name for fit in reversed(fits) for each in fit.parameters}
    inputs = [node for node in evaluator.graph.nodes.values() if node.kind == "input" and not node.record]
    notes = {node.name: node.declaration.notes.fitted for node in inputs}
    said = {name: text for name, text in notes.items() if text.endswith(FITS)}
    assert said.keys() == moved.keys()
    assert not [name for name, text in said.items() if f": {moved[name]} in " not in text]


def test_an_explanation_tells_a_fit_from_what_somebody_stated(formulas: Formulas) -> None:
    default = str(formulas.explain("decode_memory_efficiency", model="gpt2"))
    assert "fitted" in default
    stated = str(formulas.explain("decode_memory_efficiency", model="gpt2", decode_memory_efficiency=0.5))
    assert "fitted" not in stated
    assert "fitted" not in str(formulas.explain("peak_16", model="gpt2", hardware="h100-sxm"))
