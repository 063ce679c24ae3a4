"""Every formula with one mistake at a time to how many of them examples, properties and golden numbers notice.

`python -m benchmarks.mutations [--sample N] [--seed S] [--survivors FILE]`, from the root of the repository. It counts
apart mutants that units refuse, and those called equivalent: they change no formula under 1,800 random givens.
"""

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import CodeType

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))

from benchmarks.mutation import evidence  # noqa: E402 - needs the tests on the path
from benchmarks.mutation.declared import Written  # noqa: E402
from benchmarks.mutation.declared import mutants_of  # noqa: E402
from benchmarks.mutation.declared import written  # noqa: E402
from benchmarks.mutation.lanes import Printer  # noqa: E402
from benchmarks.mutation.mutants import Mutant  # noqa: E402
from benchmarks.mutation.mutants import Places  # noqa: E402
from benchmarks.mutation.replay import Replay  # noqa: E402
from benchmarks.mutation.replay import recorded  # noqa: E402

from formula_eval import load  # noqa: E402

# Those that compare evaluators or documents, whatever the formulas say.
LEFT_OUT = {"every_formula", "notations_agree", "format_identity", "llm_analysis_answers", "llm_profiler_answers"}
TESTS = ("properties", "training", "models/test_facts.py", "architectures", "published")
OUTCOMES = ("units", "examples", "properties", "golden", "equivalent", "survives")
Codes = dict[str, CodeType]
Counts = Counter[tuple[str, str]]  # of folder and outcome
Left = tuple[str, bool, Mutant]  # outcome, and whether the golden numbers notice


class Court:
    """All evidence, in the order in which a mutant has to face it."""

    def __init__(self, *, replays: bool) -> None:
        """Load everything once."""
        library = evidence.loaded(load().evaluator)
        self.library, self.places, self.printer = library, Places(library.graph), Printer(library.graph)
        self.examples = [evidence.Examples(self.printer, library, published=each) for each in (False, True)]
        self.golden = evidence.golden(self.printer, library.evaluator)
        files = [each for name in TESTS for each in _tests(ROOT / "tests" / name)] if replays else []
        self.replays = [Replay(name, self.printer, cases) for name, cases in recorded(files).items()] if files else []
        self.random = list(evidence.randomly(self.printer, library.evaluator))

    def judged(self, each: Written, mutant: Mutant) -> tuple[str, bool]:
        """What notices a mutant first, and whether the golden numbers do."""
        if not each.allowed(mutant, self.library.scope):
            return "units", False
        codes = {name: self.printer.code(node) for name, node in self.places.mutated(mutant).items()}
        golden = any(group.show(codes) for group in self.golden)
        if any(group.show(codes) for group in self.examples):
            return "examples", golden
        if self._is_noticed(codes):
            return "properties", golden
        if golden:
            return "golden", golden
        return ("survives" if any(group.show(codes) for group in self.random) else "equivalent"), golden

    def _is_noticed(self, codes: Codes) -> bool:
        """Whether a test notices; the one that noticed last goes first."""
        for place, replay in enumerate(self.replays):
            if replay.fails(codes):
                self.replays.insert(0, self.replays.pop(place))
                return True
        return False


def _tests(path: Path) -> list[Path]:
    found = sorted(path.glob("test_*.py")) if path.is_dir() else [path]
    return [each for each in found if each.stem.removeprefix("test_") not in LEFT_OUT]


def folder_of(file: str) -> str:
    """The folder of a chapter: the part of the library that a row of the table is about."""
    return str(Path(file).parent).replace("formulas/", "")


def table(counts: Counts) -> Iterable[str]:
    """The shares by folder, as rows of Markdown: of the mutants that units let pass and that change something."""
    folders = sorted({folder for folder, _ in counts})
    yield "| folder | mutants | units refuse | equivalent | examples | and properties | and golden |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for folder in [*folders, "all"]:
        among = [folder] if folder != "all" else folders
        units, examples, properties, golden, equivalent, survives = (
            sum(counts[each, outcome] for each in among) for outcome in OUTCOMES
        )
        real = examples + properties + golden + survives
        caught = (examples, examples + properties, examples + properties + golden)
        shares = " | ".join(f"{number / real:.1%}" if real else "-" for number in caught)
        yield f"| {folder} | {real} | {units} | {equivalent} | {shares} |"


def run(sample: int, seed: int, *, replays: bool, say: Callable[[str], None]) -> tuple[Counts, list[Left]]:
    """All mutants, or some of them, to the counts and to those that only some of the evidence notices."""
    court = Court(replays=replays)
    found = [(each, mutant) for each in written(court.library.scope) for mutant in mutants_of(each)]
    if sample:
        found = Random(seed).sample(found, min(sample, len(found)))  # noqa: S311 - a sample, no secret
    counts: Counts = Counter()
    left: list[Left] = []
    start = time.monotonic()
    for number, (each, mutant) in enumerate(found, 1):
        outcome, golden = court.judged(each, mutant)
        counts[folder_of(mutant.file), outcome] += 1
        if outcome not in ("units", "examples", "properties") or not (golden or outcome == "units"):
            left.append((outcome, golden, mutant))
        if number % 100 == 0:
            so_far = Counter(outcome for _, outcome in counts.elements())
            say(f"{number} of {len(found)} in {time.monotonic() - start:.0f} s: {dict(so_far)}")
    return counts, left


def lines_of(left: Sequence[Left]) -> Iterable[str]:
    """What was not noticed by all: the outcome, the declaration, the place and the mistake."""
    for outcome, golden, mutant in sorted(left, key=lambda each: (each[0], each[2].file, each[2].declared)):
        span = mutant.site[0]
        seen = "golden" if golden else "not golden"
        yield f"{outcome}\t{seen}\t{mutant.declared}\t{mutant.file}:{span.line}\t{mutant.kind}\t{mutant.text}"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="so many mutants at random instead of all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", type=Path, help="a file for all that examples and properties did not notice")
    parser.add_argument(
        "--no-properties", action="store_true", help="examples and golden numbers only, which is faster"
    )
    asked = parser.parse_args()
    logging.disable()
    counts, left = run(
        asked.sample, asked.seed, replays=not asked.no_properties, say=lambda line: print(line, file=sys.stderr)
    )
    print("\n".join(table(counts)))
    if asked.survivors:
        asked.survivors.parent.mkdir(parents=True, exist_ok=True)
        asked.survivors.write_text("".join(f"{line}\n" for line in lines_of(left)), encoding="utf-8")


if __name__ == "__main__":
    main()
