"""`make fuzz`: bounded by SECONDS and SEED; SURFACE= names one surface, INPUT= one input of it, to see it again."""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from formula_eval import Formulas, load
from fuzz.commands import SOUND, LaunchChanges, Launches, Options
from fuzz.models import WANTED, ConfigChanges, Configs, Headers
from fuzz.processes import Editor, Kills
from fuzz.runner import Finding, fuzz, report
from fuzz.surface import ACCEPTED, FOUND, KINDS, Surface, command, load_once
from fuzz.texts import Chapters, Entries, Marks

SURFACES: tuple[type[Surface], ...] = (
    Configs, ConfigChanges, Headers, Launches, LaunchChanges, Marks, Options, Chapters, Editor, Kills, Entries,
)  # fmt: skip
_SHARES = {Marks.name: 0.5, Entries.name: 0.5}
"""Of the time of another surface, where an input takes next to none."""
_MOST_SHOWN = 5  # findings of one kind and surface
_MOST_INPUTS = 10**9


def main() -> int:
    """Fuzz, tell of each finding how to see it again, and count them."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] - half a letter may be in an input
    asked = _arguments()
    if asked.surface not in ("", *(each.name for each in SURFACES)):
        sys.exit(f"SURFACE is one of: {', '.join(each.name for each in SURFACES)}.")
    with tempfile.TemporaryDirectory(prefix="fuzz-cache-") as cache:
        os.environ.setdefault("FORMULA_EVAL_CACHE", cache)
        formulas = Formulas(load().evaluator.holding())
        load_once(formulas)
        formulas.evaluator.program(WANTED)  # once, and not in each process
        for line in SOUND:
            if (outcome := command(line.split())).kind != ACCEPTED:
                sys.exit(f"This should be sound: {outcome.shown}")
        workers = 1 if asked.input is not None else asked.workers
        fork = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, fork, _begin, (formulas, asked)) as pool:
            parts = list(pool.map(_counted, range(workers)))
    counts = {name: sum((each[name] for each in parts), Counter[str]()) for name in parts[0]}
    _say(report(counts, KINDS))
    return int(any(each[kind] for each in counts.values() for kind in FOUND))


def _begin(formulas: Formulas, asked: argparse.Namespace) -> None:
    _HELD.append((formulas, asked))


_HELD: list[tuple[Formulas, argparse.Namespace]] = []  # of a worker


def _counted(worker: int) -> dict[str, Counter[str]]:
    """What comes of every so-many-th input of each surface; another worker begins with another surface."""
    formulas, asked = _HELD[0]
    chosen = [each for each in SURFACES if asked.surface in ("", each.name)]
    counts = {each.name: Counter[str]() for each in chosen}
    numbers = range(worker, _MOST_INPUTS, asked.workers)
    if asked.input is not None:
        numbers = range(asked.input, asked.input + 1)
    first = worker * len(chosen) // asked.workers
    left = sum(_SHARES.get(each.name, 1.0) for each in chosen)
    for each in (*chosen[first:], *chosen[:first]):
        share = _SHARES.get(each.name, 1.0)
        until = time.monotonic() + max(1.0, asked.end - time.monotonic()) * share / left
        left -= share
        for number, outcome in fuzz(each(), formulas, asked.seed, numbers, until):
            count = counts[each.name]
            count[outcome.kind] += 1
            if outcome.kind in FOUND and count[outcome.kind] <= _MOST_SHOWN:
                _say(str(Finding(each.name, number, outcome)))
            elif asked.input is not None:
                _say(f"{outcome.kind}: {outcome.shown}")
    return counts


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--surface", default="")
    parser.add_argument("--input", type=lambda text: int(text) if text else None, default=None)
    asked = parser.parse_args()
    asked.end = time.monotonic() + asked.seconds
    return asked


if __name__ == "__main__":
    os.chdir(Path(tempfile.gettempdir()))
    sys.exit(main())
