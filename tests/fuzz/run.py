"""`make fuzz`: bounded by SECONDS and SEED; SURFACE= names one surface, INPUT= one input of it, to see it again."""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from formula_eval import load
from fuzz.commands import SOUND, Launches, Options
from fuzz.models import WANTED, Configs, Headers
from fuzz.processes import Editor, Kills
from fuzz.runner import Finding, fuzz, report
from fuzz.surface import FOUND, KINDS, Surface, command
from fuzz.texts import Chapters, Entries, Marks

SURFACES: tuple[type[Surface], ...] = (Configs, Headers, Launches, Marks, Options, Chapters, Editor, Kills, Entries)
_MOST_SHOWN = 5  # findings of one kind and surface
_MOST_INPUTS = 10**9


def main() -> int:
    """Fuzz, tell of each finding how to see it again, and count them."""
    asked = _arguments()
    chosen = [each for each in SURFACES if asked.surface in ("", each.name)]
    if not chosen:
        sys.exit(f"SURFACE is one of: {', '.join(each.name for each in SURFACES)}.")
    counts = {each.name: Counter[str]() for each in chosen}
    found: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory(prefix="fuzz-cache-") as cache:
        os.environ["FORMULA_EVAL_CACHE"] = cache
        formulas = load()
        formulas.evaluator.program(WANTED)  # once, and not in each process
        for line in SOUND:
            command(line.split())
        numbers = range(asked.input, asked.input + 1) if asked.input is not None else range(_MOST_INPUTS)
        for left, each in zip(range(len(chosen), 0, -1), chosen, strict=True):
            until = time.monotonic() + max(1.0, asked.end - time.monotonic()) / left
            for number, outcome in fuzz(each(), formulas, asked.seed, numbers, until):
                counts[each.name][outcome.kind] += 1
                found[each.name, outcome.kind] += 1
                if outcome.kind in FOUND and found[each.name, outcome.kind] <= _MOST_SHOWN:
                    _say(str(Finding(each.name, number, outcome)))
                elif asked.input is not None:
                    _say(f"{outcome.kind}: {outcome.shown}")
    _say(report(counts, KINDS))
    return int(any(kind in FOUND for _, kind in found))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--surface", default="")
    parser.add_argument("--input", type=lambda text: int(text) if text else None, default=None)
    asked = parser.parse_args()
    asked.end = time.monotonic() + asked.seconds
    return asked


if __name__ == "__main__":
    os.chdir(Path(tempfile.gettempdir()))
    sys.exit(main())
