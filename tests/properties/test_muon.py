"""Muon's work: five steps of three products for each matrix, counted here by the products themselves."""

import pytest

WORK = "training.orthogonalization_flops"


def steps(rows: int, columns: int) -> float:
    """X X^T, its square, and the product of what both give with X, five times, by 2 FLOP for each multiplication."""
    short, long = sorted((rows, columns))
    return 5 * (2 * short * short * long + 2 * short**3 + 2 * short * short * long)


def test_matrices_of_gpt2(formulas):
    width = 768
    shapes = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]
    matrices = 12 * sum(rows * columns for rows, columns in shapes)
    found = formulas.evaluate(
        only=[WORK, "training.dense_gradient_params", "training.trained_table_params"], model="gpt2", optimizer="muon"
    )
    trained = found["training.dense_gradient_params"].value - found["training.trained_table_params"].value
    assert found[WORK].value == pytest.approx(12 * sum(steps(*shape) for shape in shapes) * trained / matrices)
    assert trained == pytest.approx(matrices, rel=0.02)  # norms and biases are counted with the matrices


@pytest.mark.parametrize(("outer", "inner", "experts"), [(4096, 14336, 8), (7168, 2048, 256), (2048, 2048, 16)])
def test_matrices_of_experts(formulas, outer, inner, experts):
    shape = {"hidden": outer, "expert_hidden": inner, "experts": experts}
    parts = ["dense_gradient_params", "trained_table_params", "layer_newton_schulz_flops", "expert_gradient_params"]
    names = [f"training.{part}" for part in parts]
    found = formulas.evaluate(only=[WORK, *names], model="mixtral-8x7b", optimizer="muon", **shape)
    dense, tables, mean, routed = (found[name].value for name in names)
    assert routed == 32 * experts * 3 * outer * inner
    work = (dense - tables) * mean + routed * steps(outer, inner) / (outer * inner)
    assert found[WORK].value == pytest.approx(work)


@pytest.mark.parametrize("optimizer", ["adam", "lion", "sgd"])
def test_other_optimizers_multiply_no_matrices(formulas, optimizer):
    assert formulas.evaluate(only=[WORK], model="llama2-7b", optimizer=optimizer)[WORK].value == 0
