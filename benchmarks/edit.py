"""The first answer and `check` after an edit of a library on top of ours, against `python -c pass` in the same run.

Processor time of whole commands, which others on the machine disturb least. Each round edits a copy of an example: a
formula, and apart from that a sentence; what our own library was made into is in the cache.
"""

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROUNDS = 5
ROOT = Path(__file__).parents[1]
FORMULA_EVAL = [sys.executable, "-m", "formula_eval"]
# A library, a chapter of it with the formula and the sentence that are edited, and what is asked.
LIBRARIES = {
    "diffusion": ("diffusion/work.formula", "image_flops: FLOP = ", "Work of one image", ["--denoiser", "flux.1-dev"]),
    "vision": ("vision/work.formula", "matrix_flops: FLOP = ", "Work of the matrices", ["--model", "qwen2.5-vl-7b"]),
    "reinforcement_learning": ("rl/update.formula", "update_time: s = ", "Time of the", ["--model", "llama3-8b"]),
}
MOST = {"first answer": 120, "check": 250}  # times the start of Python, which takes some 13 ms


def processor_time(command: list[str], cache: str) -> float:
    """One run, in seconds; a finding is no failure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "FORMULA_EVAL_CACHE": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or every run would compile the engine
    subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def edits(text: str, formula: str, sentence: str) -> dict[str, Callable[[int], str]]:
    """What each sort of edit makes of a chapter, in each round another one."""
    if formula not in text or sentence not in text:
        sys.exit(f"No chapter holds `{formula}` and `{sentence}` any more.")
    return {
        "a formula": lambda number: text.replace(formula, f"{formula}1.00{number + 1} * ", 1),
        "a sentence": lambda number: re.sub(re.escape(sentence), f"{sentence} ({number})", text, count=1),
    }


def measured(name: str, folder: Path, cache: str) -> dict[str, float]:
    """The median ratio to the start of Python, by what was edited and what is run."""
    file, formula, sentence, asked = LIBRARIES[name]
    library = folder / name
    shutil.copytree(ROOT / "libraries" / name, library)
    chapter = library / "formulas" / file
    commands = {
        "first answer": [*FORMULA_EVAL, "--library", str(library), *asked],
        "check": [*FORMULA_EVAL, "check", str(library)],
    }
    for command in commands.values():
        processor_time(command, cache)
    found: dict[str, list[float]] = {}
    text = chapter.read_text()
    for what, edit in edits(text, formula, sentence).items():
        for shown, command in commands.items():
            for number in range(ROUNDS):
                chapter.write_text(edit(number + 10 * len(found)))
                nothing = processor_time([sys.executable, "-c", "pass"], cache)
                found.setdefault(f"{shown} after {what}", []).append(processor_time(command, cache) / nothing)
    chapter.write_text(text)
    return {each: statistics.median(ratios) for each, ratios in found.items()}


def main() -> None:
    """Print the ratios of all libraries; fails where one is above the most that is wanted."""
    with tempfile.TemporaryDirectory() as folder:
        ratios = {name: measured(name, Path(folder), f"{folder}/cache") for name in LIBRARIES}
    for name, found in ratios.items():
        for what, ratio in found.items():
            print(f"{name + ':':24} {what:32} {ratio:6.1f} x python -c pass")
    for what, most in MOST.items():
        if any(ratio > most for found in ratios.values() for shown, ratio in found.items() if shown.startswith(what)):
            sys.exit(f"The {what} takes more than {most} times the start of Python.")


if __name__ == "__main__":
    main()
