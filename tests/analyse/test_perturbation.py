"""A few variations of a configuration are evaluated one by one, many together: both give the same numbers."""

import numpy as np
import pytest

from formula_eval import Formulas
from formula_eval.analyse.perturbation import FEW, Neighbourhood, Perturbation
from formula_eval.records.givens import Question

WANTED = ["inference.tpot", "inference.ttft", "inference.serving_usd_per_million_output_tokens"]


@pytest.mark.slow
def test_few_and_many_variations_agree_to_the_last_bit(formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    givens = evaluator.givens(Question({"model": "llama3.1-70b", "accelerator": "h100-sxm", "tp": 8}))
    around = Neighbourhood.around(evaluator, givens, WANTED)
    changes = [Perturbation("context", float(each)) for each in (1, 500, 4096, 100_000)]
    changes += [Perturbation("concurrency", float(each)) for each in (1, 3, 64, 100_000)]
    changes += [Perturbation("tp", float(each)) for each in (0, 1, 2, 3, 8)]
    changes += [Perturbation("link_bandwidth", each) for each in (0.0, 1e9, 9.1e11, float("inf"))]
    assert len(changes) > FEW
    together = around.outcomes(changes)
    singly = [around.outcomes([each]) for each in changes]
    assert {np.isnan(each).any() for each in together.values()} == {True}
    assert {np.isnan(each).all() for each in together.values()} == {False}
    for name, values in together.items():
        assert np.array_equal(values, np.concatenate([each[name] for each in singly]), equal_nan=True), name
