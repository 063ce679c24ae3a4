"""The work of all kernels on one accelerator against the work that the model needs, for every model there is."""

import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.records.record_files import all_records

ASKED = {"tp": 1, "batch": 3, "prompt": 5000, "cached": 100, "generated": 10}
PASSES = {
    "prefill": ("flops.first_token", ["operators.pass_flops", "operators.encoder_flops"]),
    "decode": ("flops.decode_step", ["operators.pass_flops"]),
}
IDLE_CHOICES = {"longcat-flash-560b"}


@pytest.mark.parametrize("phase", PASSES)
def test_kernels_do_the_work_of_the_model(phase: str, formulas: Formulas) -> None:
    needed, kernels = PASSES[phase]
    for record in seen(all_records(formulas.evaluator.library, formulas.evaluator.schema.kinds["model"])):
        result = formulas.evaluate(only=[needed, *kernels], model=record.id, phase=phase, **ASKED)
        done = sum(float(result[name].value) for name in kernels)
        whole = float(result[needed].value)
        if record.id in IDLE_CHOICES:
            assert done < whole, "choices of the router that compute nothing count as work of the model"
        else:
            assert done == pytest.approx(whole, rel=1e-12), record.id


def test_kernels_of_training_do_the_work_of_the_model(formulas: Formulas) -> None:
    tables = ("training.mixer_kernels.", "training.network_kernels.")
    kernels = [name.removesuffix(".flops") for name in formulas if name.startswith(tables) and name.endswith(".flops")]
    cells = [f"{kernel}.{column}" for kernel in kernels for column in ("count", "flops", "recomputed")]
    needed = ["flops.training_forward", "flops.recomputation", "params.recurrent_layers", "params.indexer_layers"]
    for record in seen(all_records(formulas.evaluator.library, formulas.evaluator.schema.kinds["model"])):
        for recompute in ("full", "selected", "core"):
            job = {"seq": 3000, "micro_batch": 2, "hardware": "h100-sxm", "recompute": recompute}
            result = formulas.evaluate(only=[*needed, *cells], model=record.id, **job)
            count, flops, repeated = (
                [float(result[f"{kernel}.{column}"].value) for kernel in kernels]
                for column in ("count", "flops", "recomputed")
            )
            done = [runs * work for runs, work in zip(count, flops, strict=True)]
            again = [work * times for work, times in zip(done, repeated, strict=True)]
            whole, more, *others = (float(result[name].value) for name in needed)
            assert sum(done) == pytest.approx(whole, rel=1e-12), record.id
            if not any(others):
                assert sum(again) == pytest.approx(more, rel=1e-12), (record.id, recompute)
