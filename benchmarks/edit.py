"""What an edit of a library, or of our own chapters, costs until the next answer and the next `check`.

Processor time of whole commands, which others on the machine disturb least, as a ratio to `python -c pass` in the same
run. Each round edits a copy: a formula, a sentence, a default, a cell of a file; what our own library was made into is
in the cache.
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

ROUNDS = 3
ROOT = Path(__file__).parents[1]
FORMULA_EVAL = [sys.executable, "-m", "formula_eval"]
# Of each library that is edited: its folder, a chapter, a formula and a sentence there, and what is asked.
LIBRARIES = {
    "solar": ("examples/solar", "roof/year.formula", "saving: EUR = ", "Money that the roof", []),
    "hourly": ("hourly", "sun/hours.formula", "all_light: J = ", "Light of a year", []),
    "whisper": (
        "libraries/audio",
        "speech/encoder.formula",
        "batch_stem_flops: FLOP = ",
        "Work of",
        ["--model", "whisper-large-v3"],
    ),
    "wan": (
        "libraries/diffusion",
        "diffusion/work.formula",
        "image_flops: FLOP = ",
        "Work of one image",
        ["--denoiser", "wan2.1-t2v-14b"],
    ),
    "retrieval": (
        "examples/retrieval",
        "retrieval/answer.formula",
        "first_token_time: s = ",
        "Time until",
        ["--model", "llama3.1-8b"],
    ),
    "grpo": (
        "libraries/reinforcement_learning",
        "rl/update.formula",
        "update_time: s = ",
        "Time of the",
        ["--model", "llama3-8b"],
    ),
    "ours": (".", "memory/weights.formula", "layer_weights_bytes: byte = ", "Weights of", ["--model", "llama3-8b"]),
}
OURS = ("engine", "formulas", "models", "presets", "reports", "hardware.toml", "pyproject.toml")
HOURS = """\"\"\"Light on a roof, hour by hour.\"\"\"

input area: m**2 = (25 m**2) in (1 m**2) .. (1000 m**2)
    "Area of the roof"

table hours for hour in 0 .. 8759 from light.csv
    "A year, hour by hour"
    irradiance: W/m**2
        "Power of the light on a square metre"
    light: J = area * irradiance * 1 hour
        "Light on the roof"
    stored: J = (previous.stored else 0) * 0.99 + light
        "Warmth of the roof"

all_light: J = sum(each.light for each in hours)
    "Light of a year on the roof"
    derived "summed"
    example area = (1 m**2) -> 362.664 MJ
"""
# Times the start of Python, which takes some 13 ms; a sequence of a year's hours, and our own chapters, take longer.
MOST = {"first answer": 110, "check": 130}
MOST_OF = {"hourly": 250, "ours": 250, "check after a default": 250}


def processor_time(command: list[str], cache: str, engine: Path) -> float:
    """One run, in seconds; a finding is no failure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "FORMULA_EVAL_CACHE": cache, "PYTHONPATH": str(engine)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or every run would compile the engine
    subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def copied(name: str, folder: Path) -> Path:
    """A copy of a library, to be edited."""
    source, to = ROOT / LIBRARIES[name][0], folder / name
    if name == "hourly":
        (to / "formulas" / "sun").mkdir(parents=True)
        (to / "library.toml").write_text('title = "Light"\nuses = []\nanswer = "sun"\n', encoding="utf-8")
        (to / "formulas" / "sun" / "hours.formula").write_text(HOURS, encoding="utf-8")
        lines = (f"{hour},{hour % 24}\n" for hour in range(8760))
        (to / "formulas" / "sun" / "light.csv").write_text(f"hour,irradiance (W/m**2)\n{''.join(lines)}")
    elif name == "ours":
        for each in OURS:
            (shutil.copytree if (source / each).is_dir() else shutil.copy)(source / each, to / each)
    else:
        shutil.copytree(source, to)
    return to


def edits(library: Path, name: str) -> dict[str, tuple[Path, Callable[[int], str]]]:
    """What each sort of edit makes of a file, in each round another text."""
    _, file, formula, sentence, _ = LIBRARIES[name]
    chapter = library / "formulas" / file
    text = chapter.read_text(encoding="utf-8")
    if formula not in text or sentence not in text:
        sys.exit(f"No chapter holds `{formula}` and `{sentence}` any more.")
    found = {
        "a formula": (chapter, lambda number: text.replace(formula, f"{formula}1.00{number + 1} * ", 1)),
        "a sentence": (chapter, lambda number: re.sub(re.escape(sentence), f"{sentence} ({number})", text, count=1)),
    }
    if name != "ours":
        defaults = map(found_default, sorted((library / "formulas").rglob("*.formula")))
        found["a default"] = next(filter(None, defaults))
        data = next((library / "formulas").rglob("*.csv"), None)
        found |= {} if data is None else {"a cell": last_cell(data)}
    return found


def found_default(chapter: Path) -> tuple[Path, Callable[[int], str]] | None:
    """An edit of the first default of a chapter that is a whole number, if it has one."""
    text = chapter.read_text(encoding="utf-8")
    found = re.search(r"^input .*= \(?\d+(?=[ )\n])", text, re.MULTILINE)
    end = found.end() if found else 0
    return (chapter, lambda number: f"{text[:end]}.00{number + 1}{text[end:]}") if found else None


def last_cell(data: Path) -> tuple[Path, Callable[[int], str]]:
    """An edit of the last cell of a file, a whole number."""
    text = data.read_text(encoding="utf-8").rstrip()
    return data, lambda number: f"{text}.{number}\n"


def measured(name: str, folder: Path, cache: str) -> dict[str, float]:
    """The median ratio to the start of Python, by what was edited and what is run."""
    library, asked = copied(name, folder), LIBRARIES[name][-1]
    place = [] if name == "ours" else [str(library)]
    commands = {
        "first answer": [*FORMULA_EVAL, *(("--library", *place) if place else ()), *asked],
        "check": [*FORMULA_EVAL, "check", *place],
    }
    engine = library / "engine" if name == "ours" else ROOT / "engine"
    for command in commands.values():
        processor_time(command, cache, engine)
    found: dict[str, list[float]] = {}
    for number, (what, (path, edit)) in enumerate(edits(library, name).items()):
        text = path.read_text(encoding="utf-8")
        for shown, command in commands.items():
            for turn in range(ROUNDS):
                path.write_text(edit(turn + 10 * number + 5 * (shown == "check")), encoding="utf-8")
                nothing = processor_time([sys.executable, "-c", "pass"], cache, engine)
                ratio = processor_time(command, cache, engine) / nothing
                found.setdefault(f"{shown} after {what}", []).append(ratio)
        path.write_text(text, encoding="utf-8")
    return {each: statistics.median(ratios) for each, ratios in found.items()}


def main() -> None:
    """Print the ratios of the libraries that are named, or of all; fails where one is above the most that is wanted."""
    late = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or LIBRARIES:
            for what, ratio in measured(name, Path(folder), f"{folder}/cache").items():
                most = MOST_OF.get(name) or MOST_OF.get(what) or MOST[what.partition(" after")[0]]
                late += [f"{name}: {what}"] if ratio > most else []
                print(f"{name + ':':12} {what:32} {ratio:6.1f} x python -c pass, {most} at most", flush=True)
    if late:
        sys.exit("\n".join(("Longer than wanted:", *late)))


if __name__ == "__main__":
    main()
