"""Every model file evaluates, and every fact that it states holds."""

import pytest

from formula_eval.library import find_library
from formula_eval.records.record_files import all_records

MODELS = {record.id: record for record in all_records(find_library(), "model")}


@pytest.mark.parametrize("model", MODELS)
def test_facts(model, formulas):
    facts = MODELS[model].data.get("facts", {})
    assert facts, "a model states at least one fact that it is checked against"
    wanted = sorted({name for record in MODELS.values() for name in record.data.get("facts", {})})
    result = formulas.evaluate(only=wanted, model=model, tp=1)
    for name, fact in facts.items():
        assert fact["source"]
        assert result[name].value == pytest.approx(fact["value"], rel=fact.get("within", 0), abs=0), name


def test_the_numbers_that_everyone_knows(formulas):
    result = formulas.evaluate(only=["params.total", "memory.kv_bytes_per_token"], model="llama2-70b")
    assert result["params.total"].value == 68_976_648_192
    assert result["memory.kv_bytes_per_token"].value == 327_680
