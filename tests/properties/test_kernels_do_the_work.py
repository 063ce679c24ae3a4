"""The work of all kernels on one accelerator against the work that the model needs, for every model there is."""

from collections.abc import Iterator, Mapping

import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records

ASKED = {"tp": 1, "batch": 3, "prompt": 5000, "cached": 100, "generated": 10}
PASSES = {
    "prefill": ("flops.first_token", ["operators.pass_flops", "operators.encoder_flops"]),
    "decode": ("flops.decode_step", ["operators.pass_flops"]),
}
IDLE_CHOICES = {"longcat-flash-560b"}
SCORING = ["params.recurrent_layers", "params.indexer_layers", "block_sparse.block_layers"]


def numbers(formulas: Formulas, names: list[str], **given: str | int) -> Iterator[tuple[str, Mapping[str, float]]]:
    """What these quantities come to for each model, by one compiled program."""
    evaluator = formulas.evaluator
    program = evaluator.program(names)
    for record in all_records(evaluator.library, evaluator.schema.kinds["model"]):
        question = Question({"model": record.id, "hardware": "h100-sxm"}, given)
        yield record.id, program.evaluate(evaluator.givens(question).values)


@pytest.mark.parametrize("phase", PASSES)
def test_kernels_do_the_work_of_the_model(phase: str, formulas: Formulas) -> None:
    needed, kernels = PASSES[phase]
    for model, found in seen(numbers(formulas, [needed, *kernels], phase=phase, **ASKED)):
        done = sum(found[name] for name in kernels)
        if model in IDLE_CHOICES:
            assert done < found[needed], "choices of the router that compute nothing count as work of the model"
        else:
            assert done == pytest.approx(found[needed], rel=1e-12), model


@pytest.mark.parametrize("recompute", ["full", "selected", "core"])
def test_kernels_of_training_do_the_work_of_the_model(recompute: str, formulas: Formulas) -> None:
    tables = ("training.mixer_kernels.", "training.network_kernels.")
    kernels = [name.removesuffix(".flops") for name in formulas if name.startswith(tables) and name.endswith(".flops")]
    cells = [f"{kernel}.{column}" for kernel in kernels for column in ("count", "flops", "recomputed")]
    needed = ["flops.training_forward", "flops.recomputation", *SCORING]
    asked = numbers(formulas, [*needed, *cells], seq=3000, micro_batch=2, recompute=recompute)
    for model, found in seen(asked):
        done = [found[f"{kernel}.count"] * found[f"{kernel}.flops"] for kernel in kernels]
        again = [work * found[f"{kernel}.recomputed"] for work, kernel in zip(done, kernels, strict=True)]
        whole, more, *others = (found[name] for name in needed)
        assert sum(done) == pytest.approx(whole, rel=1e-12), model
        if not any(others):
            assert sum(again) == pytest.approx(more, rel=1e-12), model
