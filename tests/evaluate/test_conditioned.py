"""Conditions as text: typed and checked as formulas are, and computed with the quantities."""

import numpy as np
import pytest

from formula_eval import FormulaError
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question

_ASKED = Question({"model": "llama2-7b"}, {"tp": 2})


def _computed(formulas, text, **options):
    conditioned = View(formulas.evaluator, [text], **options)
    names = [name for each in conditioned.conditions for name in (each.node, each.gap) if name]
    return conditioned, conditioned.program(names).evaluate(conditioned.givens(_ASKED).values)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("heads % tp == 0", True),
        ("tp == 2 and not (kv_heads < 8 * 1)", True),
        ("weight_bits == 4", False),
        ("memory_bandwidth > 3000GB/s and inference.user_tokens_per_second > 10 tokens/s", True),
        ("inference.user_tokens_per_second < 10/s or price > $1000/h", False),
        ("memory.weights_bytes < 0.5 * memory_capacity", True),
        ("memory.weights_bytes < 1 MB", False),
    ],
)
def test_a_condition_holds_as_written(formulas, text, holds):
    conditioned, numbers = _computed(formulas, text)
    assert numbers[conditioned.conditions[0].node] is holds


def test_a_comparison_says_by_how_much(formulas):
    conditioned, numbers = _computed(formulas, "memory_capacity >= 1 GB")
    (condition,) = conditioned.conditions
    given = formulas.evaluate(only="memory_capacity", model="llama2-7b")["memory_capacity"]
    assert condition.operator == ">="
    assert numbers[condition.gap] == float(given) - 1e9


def test_one_value_for_each_configuration(formulas):
    conditioned = View(formulas.evaluator, ["weights_bytes < 5 GB"], Question(namespace="memory"))
    (condition,) = conditioned.conditions
    assert condition.text == "memory.weights_bytes < 5 GB"
    found = evaluate_many(
        conditioned.program([condition.node]), {**conditioned.givens(_ASKED).values, "tp": np.array([1.0, 2.0, 4.0])}
    )
    assert found[condition.node].tolist() == [0, 0, 1]


def test_a_bare_name_means_what_is_meant_first(formulas):
    with pytest.raises(FormulaError, match="quantities are named `weights_bytes`"):
        View(formulas.evaluator, ["weights_bytes < 5 GB"])
    conditioned = View(formulas.evaluator, ["weights_bytes < 5 GB"], first=["memory.weights_bytes"])
    assert conditioned.conditions[0].text == "memory.weights_bytes < 5 GB"


def test_a_short_name_means_what_heads_the_answer(formulas):
    loaded = Question(values={"concurrency": 8})
    for question, meant in ((Question(), "inference.tpot"), (loaded, "inference.running_tpot")):
        conditioned = View(formulas.evaluator, ["tpot < 20 ms"], question)
        assert conditioned.conditions[0].text == f"{meant} < 20 ms"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Unexpected end"),
        ("inference.tpot <", "expected an expression"),
        ("inference.tpot = 10 ms", "Equality is written `==`"),
        ("inference.tpot < 10 GB", "Cannot compare `s` and `GB` (byte)"),
        ("inference.tpot", "A condition is needed"),
        ("inference.tpott < 10 ms", "inference.tpot"),
        ("no_such_thing < 1", "list formulas"),
        ("phase == decod", "Did you mean `decode`"),
        ("(inference.tpot with batch = 4) < 10 ms", "holds no `with`"),
        ("__import__('os')", "In the condition"),
    ],
)
def test_what_is_no_condition_is_refused(formulas, text, message):
    with pytest.raises(FormulaError) as refused:
        View(formulas.evaluator, [text])
    assert message in str(refused.value)
