"""Every model states facts with their sources, which `check` holds the formulas to."""

import tomllib

from formula_eval.libraries import find_library

MODELS = sorted((find_library().folders[0] / "models").glob("*.toml"))


def test_every_model_states_facts_with_a_source():
    for path in MODELS:
        facts = tomllib.loads(path.read_text(encoding="utf-8")).get("facts", {})
        assert facts, f"{path.stem} states no fact that it is checked against"
        assert all(fact["source"] for fact in facts.values()), path.stem


def test_the_numbers_that_everyone_knows(formulas):
    result = formulas.evaluate(only=["params.total", "memory.kv_bytes_per_token"], model="llama2-70b")
    assert result["params.total"].value == 68_976_648_192
    assert result["memory.kv_bytes_per_token"].value == 327_680
