"""What is kept of the formulas is what they are, copies under other inputs too."""

import json

from formula_eval import Formulas
from formula_eval.records.schema_of_graph import schema_of
from formula_eval.records.schema_payload import payload, schema_from
from formula_eval.records.synonyms import FILE, synonyms_in


def test_every_formula_is_kept(formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    library = evaluator.library
    schema = schema_of(evaluator.graph, library.units, synonyms_in(library.synonyms, FILE))
    kept = schema_from(payload(schema))
    assert sorted(kept.formulas) == sorted(schema.formulas)
    assert len(kept.formulas) == len(schema.formulas)
    for name, formula in schema.formulas.items():
        assert name in kept.formulas
        assert json.dumps(kept.formulas[name]) == json.dumps(formula)
    assert "params.total@nothing" not in kept.formulas
    assert "nothing" not in kept.formulas
