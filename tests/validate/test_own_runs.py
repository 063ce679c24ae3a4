"""What was run apart from the fits, by this project and others, is as far off as docs/accuracy.md says."""

from pathlib import Path

import pytest

from formula_eval import load
from formula_eval.analyse.validate.comparisons import Selection
from formula_eval.analyse.validate.validation import validate

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TOLD = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")

# The source and the figures behind each row of the page, in its order.
ROWS = {
    "text": (
        ("Transformers on H200, generation", ("time_s", "ttft_s")),
        ("Transformers on H200, generation", ("tpot_s",)),
        ("Transformers on H200, embedding", ("time_s",)),
        ("Transformers on H200, tuning", ("peak_bytes",)),
        ("Transformers on H200, tuning", ("time_s",)),
    ),
    "tuning": (("Qwen, adapters", ("iteration_time_s",)),),
    "local": (
        ("llama.cpp on local machines", ("tpot_s",)),
        ("llama.cpp on local machines", ("prefill_tok_s",)),
        ("llama.cpp on Apple silicon", ("tpot_s",)),
        ("llama.cpp with 8-bit products", ("prefill_tok_s",)),
        ("llama.cpp with 8-bit products", ("tpot_s",)),
        ("llama.cpp on boards of its users", ("prefill_tok_s",)),
        ("llama.cpp on boards of its users", ("tpot_s",)),
    ),
    "vision": (("Transformers on H200, vision towers", ("time_s",)),),
    "audio": (("Transformers on H200, speech", ("time_s",)), ("Transformers on H200, speech", ("tpot_s",))),
    "diffusion": (("Denoisers of Diffusers on H200", ("time_s",)), ("Decoders of Diffusers on H200", ("time_s",))),
    "published/diffusion": tuple(
        (source, ("latency_s", "step_s", "image_s", "memory_bytes_per_gpu"))
        for source in (
            *("xDiT, FLUX.1", "xDiT, HunyuanVideo", "PyTorch, FLUX.1", "Diffusers, weekly", "BenchmarkFlux"),
            *("Pruna, FLUX.1", "MLPerf, SDXL", "Diffusers, SDXL", "fal, Stable Diffusion", "Diffusers, SD 1.5"),
            *("Wan 2.1 README", "CogVideoX Factory"),
        )
    ),
    "published/audio": tuple(
        (source, ("latency_s",))
        for source in ("faster-whisper README", "insanely-fast-whisper", "Whisper on a T4", "InferenceBench, Whisper")
    ),
    "published/serving": (
        ("AMD, vLLM on MI300X", ("latency_s",)),
        ("AMD, vLLM on MI300X", ("throughput_tok_s",)),
        ("Intel, Gaudi", ("throughput_tok_s",)),
        ("TensorRT-LLM 1.2", ("throughput_tok_s",)),
        ("TensorRT-LLM 1.2, mixtures", ("throughput_tok_s",)),
        ("SGLang cookbook", ("tpot_s",)),
        ("SGLang cookbook", ("throughput_tok_s",)),
        ("SGLang cookbook", ("ttft_s",)),
        ("GPUStack, Qwen3 8B", ("tpot_s",)),
        ("GPUStack, Qwen3 8B", ("throughput_tok_s",)),
    ),
    "published/training": (
        ("MaxText on TPU", ("iteration_time_s",)),
        ("MaxText on TPU", ("tflops_per_gpu",)),
        ("NeMo 24.07", ("iteration_time_s",)),
        ("NeMo AutoModel", ("iteration_time_s",)),
    ),
    "published/tuning": (("torchtune", ("memory_bytes_per_gpu",)), ("torchtune", ("throughput_tok_s",))),
    "published/local": (
        ("MLX of its users", ("tpot_s",)),
        ("MLX of its users", ("prefill_tok_s",)),
        ("llama.cpp on boards of its users", ("tpot_s",)),
    ),
    "published/starts": (("Starts of servers", ("cache_tokens",)),),
    "published/text": (("Infinity, embedding", ("time_s",)),),
}
# What is asked of our own formulas alone.
OURS = (
    *("text", "local", "tuning", "published/serving", "published/training", "published/text"),
    *("published/tuning", "published/local", "published/starts"),
)


def told(kind: str) -> list[tuple[int, float]]:
    """Points and mean error of each row about a kind of models, in percent."""
    rows = [each.split("|")[1:-1] for each in TOLD.splitlines() if each.startswith("| ")]
    first = next(place for place, row in enumerate(rows) if f"tests/measured/{kind}`" in row[0].replace(" --", "` --"))
    return [(int(row[2]), float(row[3])) for row in rows[first : first + len(ROWS[kind])]]


@pytest.mark.parametrize(("kind", "row"), [(kind, row) for kind, rows in ROWS.items() for row in range(len(rows))])
def test_errors_are_what_the_page_says(kind: str, row: int) -> None:
    formulas = load(*([] if kind in OURS else [kind.rpartition("/")[2]]))
    found = validate(formulas.evaluator, ROOT / "tests" / "measured" / kind, Selection()).rows
    (source, metrics), (points, error) = ROWS[kind][row], told(kind)[row]
    errors = [abs(each.error) for each in found if each.ran and each.group == source and each.metric in metrics]
    assert len(errors) == points
    assert 100 * sum(errors) / points == pytest.approx(error, abs=0.11)
