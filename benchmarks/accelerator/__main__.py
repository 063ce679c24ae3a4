"""Measures models of random weights with PyTorch, Transformers and Diffusers on the accelerator of this machine.

From the root of the repository, on a machine with an NVIDIA GPU (seven minutes of an H200):

    python -m benchmarks.accelerator FILE [SECONDS] [CASE ...]

FILE becomes a list of points as tests/measured/README.md describes them, written anew after each one. How fast a model
runs does not depend on what its weights say, so that none are needed. Cases that are named run alone.
"""

import gc
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import diffusers
import torch
import transformers
from benchmarks.accelerator import diffusion, generation, speech, vision

Case = Callable[[], Iterator[tuple[dict, dict]]]

_SECONDS = 420.0
_FIGURES = ("time_s", "ttft_s", "tpot_s", "peak_bytes")  # what formulas are compared with; the rest explains them

CASES: dict[str, Case] = {
    "flux.1-dev": partial(diffusion.denoising, "flux.1-dev"),
    "sdxl": partial(diffusion.denoising, "sdxl-base-1.0"),
    "wan-14b": partial(diffusion.denoising, "wan2.1-t2v-14b"),
    "wan-1.3b": partial(diffusion.denoising, "wan2.1-t2v-1.3b"),
    "sd3.5-large": partial(diffusion.denoising, "sd3.5-large"),
    "sd-1.5": partial(diffusion.denoising, "sd-1.5"),
    "flux-vae": partial(diffusion.decoding, "flux.1-dev"),
    "sdxl-vae": partial(diffusion.decoding, "sdxl-base-1.0"),
    "wan-vae": partial(diffusion.decoding, "wan2.1-t2v-1.3b"),
    "t5-xxl": partial(diffusion.reading, "t5-xxl"),
    "whisper-large-v3": partial(speech.transcribing, "whisper-large-v3"),
    "whisper-turbo": partial(speech.transcribing, "whisper-large-v3-turbo"),
    "whisper-small": partial(speech.transcribing, "whisper-small"),
    "qwen2.5-vl-7b": partial(vision.seeing, "qwen2.5-vl-7b"),
    "qwen3-vl-8b": partial(vision.seeing, "qwen3-vl-8b"),
    "gemma3-12b": partial(vision.seeing, "gemma3-12b"),
    "llava-1.5-7b": partial(vision.seeing, "llava-1.5-7b"),
    "tuning": generation.tuning,
    "bge-m3": partial(generation.encoding, "bge-m3"),
    "modernbert-large": partial(generation.encoding, "modernbert-large"),
    "qwen3-embedding-0.6b": partial(generation.encoding, "qwen3-embedding-0.6b"),
    "qwen3-embedding-4b": partial(generation.encoding, "qwen3-embedding-4b"),
    "llama3.1-8b": partial(generation.generating, "llama3.1-8b"),
    "qwen3-4b": partial(generation.generating, "qwen3-4b"),
    "llama3.2-1b": partial(generation.generating, "llama3.2-1b"),
    "qwen3-30b-a3b": partial(generation.generating, "qwen3-30b-a3b"),
}


def main(path: Path, seconds: str = "", *names: str) -> None:
    """Run case after case until the time is up; a case that fails says so and leaves the others to run."""
    end = time.monotonic() + float(seconds or _SECONDS)
    points: list[dict] = []
    for name in names or list(CASES):
        if time.monotonic() > end:
            sys.stdout.write(f"{name}: no time left\n")
            continue
        start = time.monotonic()
        try:
            for inputs, measured in CASES[name]():
                points.append(_point(name, len(points), inputs, measured))
                path.write_text(json.dumps(points, indent=1), encoding="utf-8")
        except (RuntimeError, TypeError, ValueError, AttributeError):  # what another version lacks costs one case
            sys.stdout.write(f"{name}: {traceback.format_exc(limit=-3)}\n")
        gc.collect()
        torch.cuda.empty_cache()
        sys.stdout.write(f"{name}: {time.monotonic() - start:.1f} s\n")
        sys.stdout.flush()


def _point(case: str, place: int, inputs: dict, measured: dict) -> dict:
    machine = {
        "gpu": torch.cuda.get_device_name(),
        "host": _processor(),
        "engine": f"PyTorch {torch.__version__}, Transformers {transformers.__version__}, "
        f"Diffusers {diffusers.__version__}",
    }
    return {
        "id": f"{case}-{place}",
        "source": f"benchmarks.accelerator {datetime.now(UTC):%Y-%m}, {inputs['phase']}",
        "kind": "training" if inputs["phase"] == "train" else "inference",
        "tier": "A",
        "core": True,
        "inputs": inputs | machine,
        "measured": _rounded({key: value for key, value in measured.items() if key in _FIGURES}),
        "profile": _rounded({key: value for key, value in measured.items() if key not in _FIGURES}),
        "derived_fields": [],
    }


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {key: float(f"{value:.6g}") for key, value in figures.items()}


def _processor() -> str:
    """What the host's processor calls itself, since the host starts every kernel."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "not named")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
