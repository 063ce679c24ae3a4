"""The list of products: what one accelerator multiplies with is what it keeps, for every model there is."""

import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records

ELSEWHERE = ("embedding_lookup", "lm_head", "experts_in", "experts_out")  # stored apart from the layers
VECTORS = 0.02  # norms, biases, convolutions and decays are stored beside the products
LEAST = 1e7  # parameters of models that are more than their vectors


@pytest.mark.parametrize("tp", [1, 8])
def test_kernels_multiply_with_the_weights_that_an_accelerator_keeps(tp: int, formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    tables = ("training.mixer_kernels.", "training.network_kernels.")
    rows = [name.removesuffix(".weights") for name in formulas if name.startswith(tables) and name.endswith(".weights")]
    rows = [row for row in rows if row.rpartition(".")[2] not in ELSEWHERE]
    kept = ("memory.split_params", "memory.copied_params", "kv_heads", "q_lora_rank", "params.total")
    program = evaluator.program([*kept, *(f"{row}.{column}" for row in rows for column in ("count", "weights"))])
    for record in seen(all_records(evaluator.library, evaluator.schema.kinds["model"])):
        found = program.evaluate(evaluator.givens(Question({"model": record.id}, {"tp": tp})).values)
        copies_heads = found["kv_heads"] < tp and found["q_lora_rank"] == 0  # memory does not count the copies
        if copies_heads or found["params.total"] < LEAST:
            continue
        multiplied = sum(found[f"{row}.count"] * found[f"{row}.weights"] for row in rows)
        stored = found["memory.split_params"] / tp + found["memory.copied_params"]
        assert multiplied == pytest.approx(stored, rel=VECTORS), record.id
