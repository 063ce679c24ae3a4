"""Times what an accelerator does: wall-clock medians, peak memory, and the kernels of one run by what they do."""

import re
import statistics
import time
from collections.abc import Callable

import torch

_WARM = 2
_LEAST_SECONDS = 0.4
_MOST_RUNS = 20

# What a kernel does, by its name: libraries of products, of convolutions, of attention. All else moves data.
_KINDS = (
    ("attention", re.compile(r"flash|fmha|attention|sdpa", re.IGNORECASE)),
    ("convolution", re.compile(r"conv|fprop", re.IGNORECASE)),
    ("product", re.compile(r"gemm|gemv|nvjet|cutlass|cublas|splitk|wgmma|matmul", re.IGNORECASE)),
)


def timed(run: Callable[..., object], *given: object) -> dict[str, float]:
    """Seconds of a run in the median, bytes at its peak, and its kernels with their seconds."""
    for _ in range(_WARM):
        run(*given)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    seconds: list[float] = []
    while not seconds or (sum(seconds) < _LEAST_SECONDS and len(seconds) < _MOST_RUNS):
        start = time.perf_counter()
        run(*given)
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    peak = torch.cuda.max_memory_allocated()
    return {"time_s": statistics.median(seconds), "peak_bytes": peak} | kernels(run, *given)


def first_and_next(write: Callable[[int], object], count: int) -> dict[str, float]:
    """Seconds to the first of some tokens and for each of the others, and bytes at the peak of all."""
    first, whole = timed(write, 1), timed(write, count)
    return {
        "ttft_s": first["time_s"],
        "tpot_s": (whole["time_s"] - first["time_s"]) / (count - 1),
        "peak_bytes": whole["peak_bytes"],
    }


def kernels(run: Callable[..., object], *given: object) -> dict[str, float]:
    """How many kernels one run launches, and the seconds they take: in all, and by what they do."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        run(*given)
        torch.cuda.synchronize()
    found: dict[str, float] = {"kernels": 0, "kernels_s": 0.0}
    for event in profile.profiler.kineto_results.events():
        if event.device_type() != torch.autograd.DeviceType.CUDA:
            continue
        seconds = event.duration_ns() / 1e9
        kind = next((name for name, pattern in _KINDS if pattern.search(event.name())), "other")
        found["kernels"] += 1
        found["kernels_s"] += seconds
        found[f"{kind}_s"] = found.get(f"{kind}_s", 0.0) + seconds
    return found
