"""Every formula with one mistake at a time to how many of them examples, properties and golden numbers notice.

`python -m benchmarks.mutations [--chapters PART ...] [--sample N] [--seed S] [--survivors FILE]`, from the root of the
repository. It counts apart mutants that units refuse, and those called equivalent: they change no formula under 1,800
random givens.
"""

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from types import CodeType

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))

from benchmarks.mutation import evidence  # noqa: E402 - needs the tests on the path
from benchmarks.mutation.declared import Written, mutants_of, written  # noqa: E402
from benchmarks.mutation.lanes import Printer  # noqa: E402
from benchmarks.mutation.mutants import Mutant, Places  # noqa: E402
from benchmarks.mutation.replay import Replay, recorded  # noqa: E402

from formula_eval import load  # noqa: E402
from formula_eval.resolve.scope import Scope  # noqa: E402

# Those that compare evaluators or documents, whatever the formulas say.
LEFT_OUT = {"every_formula", "notations_agree", "format_identity", "llm_analysis_answers", "llm_profiler_answers"}
TESTS = ("properties", "training", "models/test_facts.py", "architectures", "published")
OUTCOMES = ("units", "examples", "golden", "equivalent", "survives")
Codes = dict[str, CodeType]
Counts = Counter[tuple[str, str]]  # of folder and outcome
Left = tuple[str, bool, Mutant]  # outcome, and whether the golden numbers notice


class Court:
    """All evidence, in the order in which a mutant has to face it."""

    def __init__(self) -> None:
        """Load everything once."""
        library = evidence.loaded(load().evaluator)
        stated = {name for case in library.cases for name in library.stated(case).quantities}
        self.library, self.places, self.printer = library, Places(library.graph), Printer(library.graph, stated)
        self.examples = [evidence.Examples(self.printer, library, published=each) for each in (False, True)]
        self.golden = evidence.golden(self.printer, library.evaluator)
        self.random = list(evidence.randomly(self.printer, library.evaluator))

    def judged(self, each: Written, mutant: Mutant) -> tuple[str, bool]:
        """What notices a mutant first, and whether the golden numbers do."""
        if not each.allowed(mutant, self.library.scope):
            return "units", False
        codes = {name: self.printer.code(node) for name, node in self.places.mutated(mutant).items()}
        golden = any(group.show(codes) for group in self.golden)
        if any(group.show(codes) for group in self.examples):
            return "examples", golden
        if golden:
            return "golden", golden
        return ("survives" if any(group.show(codes) for group in self.random) else "equivalent"), golden

    def noticed(self, mutants: Sequence[Mutant], tests: Sequence[str]) -> list[Mutant]:
        """Those of these mutants that one of the tests notices, the quick tests asked first."""
        files = [each for name in tests for each in _tests(ROOT / "tests" / name)]
        replays = [Replay(name, self.printer, cases) for name, cases in recorded(files).items()]
        replays.sort(key=lambda replay: replay.cost)
        found = []
        for mutant in mutants:
            codes = {name: self.printer.code(node) for name, node in self.places.mutated(mutant).items()}
            if any(replay.fails(codes) for replay in replays):
                found.append(mutant)
        return found


def _tests(path: Path) -> list[Path]:
    found = sorted(path.glob("test_*.py")) if path.is_dir() else [path]
    return [each for each in found if each.stem.removeprefix("test_") not in LEFT_OUT]


def folder_of(file: str) -> str:
    """The folder of a chapter: the part of the library that a row of the table is about."""
    return str(Path(file).parent).replace("formulas/", "")


def table(counts: Counts) -> Iterable[str]:
    """The shares by folder, as rows of Markdown: of the mutants that units let pass and that change something."""
    folders = sorted({folder for folder, _ in counts})
    yield "| folder | mutants | units refuse | equivalent | examples | golden numbers too |"
    yield "|---|--:|--:|--:|--:|--:|"
    for folder in [*folders, "all"]:
        among = [folder] if folder != "all" else folders
        units, examples, golden, equivalent, survives = (
            sum(counts[each, outcome] for each in among) for outcome in OUTCOMES
        )
        real = examples + golden + survives
        caught = (examples, examples + golden)
        shares = " | ".join(f"{number / real:.1%}" if real else "-" for number in caught)
        yield f"| {folder} | {real} | {units} | {equivalent} | {shares} |"


def chosen(scope: Scope, chapters: Sequence[str], sample: int, seed: int) -> list[tuple[Written, Mutant]]:
    """All mutants, or those of some chapters, or some of them at random."""
    found = [(each, mutant) for each in written(scope) for mutant in mutants_of(each)]
    found = [each for each in found if not chapters or any(part in each[1].file for part in chapters)]
    return Random(seed).sample(found, min(sample, len(found))) if sample else found  # noqa: S311 - a sample, no secret


def run(court: Court, found: Sequence[tuple[Written, Mutant]], say: Callable[[str], None]) -> tuple[Counts, list[Left]]:
    """Mutants to the counts and to those that only some of the evidence notices."""
    counts: Counts = Counter()
    left: list[Left] = []
    start = time.monotonic()
    for number, (each, mutant) in enumerate(found, 1):
        outcome, golden = court.judged(each, mutant)
        counts[folder_of(mutant.file), outcome] += 1
        if outcome != "units" and not (golden and outcome == "examples"):
            left.append((outcome, golden, mutant))
        if number % 500 == 0:
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
    parser.add_argument("--chapters", nargs="*", default=(), help="only those in files whose path has one of these")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", type=Path, help="a file for all that examples or golden numbers did not notice")
    parser.add_argument("--properties", type=int, default=0, help="try the tests on so many that examples miss: slow")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="tests to try, beneath tests/")
    asked = parser.parse_args()
    logging.disable()
    court = Court()
    found = chosen(court.library.scope, asked.chapters, asked.sample, asked.seed)
    counts, left = run(court, found, lambda line: print(line, file=sys.stderr))
    print("\n".join(table(counts)))
    if asked.survivors:
        asked.survivors.parent.mkdir(parents=True, exist_ok=True)
        asked.survivors.write_text("".join(f"{line}\n" for line in lines_of(left)), encoding="utf-8")
    missed = [mutant for outcome, _, mutant in left if outcome in ("golden", "survives")]
    if asked.properties and missed:
        some = Random(asked.seed).sample(missed, min(asked.properties, len(missed)))  # noqa: S311 - as above
        noticed = len(court.noticed(some, asked.tests))
        real = len(missed) + sum(number for (_, outcome), number in counts.items() if outcome == "examples")
        share = 1 - len(missed) / real * (1 - noticed / len(some))
        print(f"Of {len(some)} that examples miss, tests notice {noticed}: both together about {share:.1%} of all.")


if __name__ == "__main__":
    main()
