"""The everyday command: warm, for the first time and without a cache, against `python -c pass` in the same run."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 15
COMMAND = [sys.executable, "-m", "formula_eval", "--model", "llama2-70b"]


def wall(command: list[str], cache: str) -> float:
    """One run, in seconds."""
    environment = {**os.environ, "FORMULA_EVAL_CACHE": cache}
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Measure the four in turn, so that a noisy machine disturbs them alike."""
    with tempfile.TemporaryDirectory() as cache:
        wall(COMMAND, cache)
        rounds = []
        for number in range(RUNS):
            empty = Path(cache) / f"empty-{number}"
            nothing = wall([sys.executable, "-c", "pass"], cache)
            uncached = wall([*COMMAND, "--no-cache"], cache)
            rounds.append((nothing, wall(COMMAND, cache), wall(COMMAND, str(empty)), uncached))
    nothing, warm, first, uncached = (statistics.median(each) for each in zip(*rounds, strict=True))
    ratio = statistics.median(round_[1] / round_[0] for round_ in rounds)
    print(f"python -c pass:        {nothing * 1e3:7.1f} ms")
    print(f"with a warm cache:     {warm * 1e3:7.1f} ms, {ratio:.1f} x python -c pass")
    print(f"the first one:         {first * 1e3:7.1f} ms")
    print(f"without any cache:     {uncached * 1e3:7.1f} ms")


if __name__ == "__main__":
    main()
