"""Loading a library without a cache, as it is and grown to 4,000 formulas: text to graph, imports included."""

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 7
FORMULAS = 4000
ROOT = Path(__file__).parents[1]
PROBE = """
import sys, time
start = time.perf_counter()
from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
graph = Evaluator(find_library(sys.argv[1:]), Cache(None)).graph
taken = time.perf_counter() - start
kinds = [node.kind for node in graph.nodes.values()]
print(kinds.count("formula"), len(kinds), taken)
"""


def measured(*library: str) -> tuple[int, int, float]:
    """Formulas, nodes and the median of the seconds that loading takes, each time in a new process."""
    runs = []
    for _ in range(RUNS):
        command = [sys.executable, "-c", PROBE, *library]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs.append(done.stdout.split())
    return int(runs[0][0]), int(runs[0][1]), statistics.median(float(run[2]) for run in runs)


def grown(folder: Path, formulas: int) -> None:
    """Copy whole namespaces under new names until there are so many formulas."""
    ours = ROOT / "formulas"
    namespaces = sorted(each for each in ours.iterdir() if each.is_dir() and each.name != "published")
    number = 0
    while formulas < FORMULAS:
        number += 1
        for each in namespaces:
            copy = folder / "formulas" / f"copy{number}_{each.name}"
            shutil.copytree(each, copy)
            formulas += sum(path.read_text().count("\n\n") for path in copy.glob("*.formula"))


def main() -> None:
    """Measure and print."""
    formulas, nodes, taken = measured()
    print(f"as it is: {formulas:4} formulas, {nodes:5} nodes, {taken:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        grown(Path(folder), formulas)
        formulas, nodes, taken = measured(folder)
    print(f"grown:    {formulas:4} formulas, {nodes:5} nodes, {taken:.2f} s")


if __name__ == "__main__":
    main()
