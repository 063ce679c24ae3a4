"""Configurations per second of whole searches for a training layout: looked through, laid out, valid."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from formula_eval.analyse.search.search_plan import Sought
from formula_eval.analyse.search.search_run import Search
from formula_eval.ask.search import read_search_space
from formula_eval.cache import Cache, cache_directory
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.library import COMPILED
from formula_eval.records.givens import Question

# Valid configurations that Calculon's own search (`llm-optimal-execution`) computed in a second of processor time when
# it was measured before. Its source is in no package registry, so it is not run again here, and ratios against it are
# not of one run.
CALCULON = 158
RUNS = 3


class Case(NamedTuple):
    """What is searched."""

    model: str
    values: Mapping[str, str]
    where: tuple[str, ...] = ()

    def search(self, evaluator: Evaluator) -> Search:
        """The search, before it is run."""
        records = {"model": self.model, "hardware": "a100-sxm-80gb"}
        question = Question(records, dict(self.values), purpose="training")
        space = read_search_space(evaluator.library, question.about(evaluator.library), evaluator.schema)
        return Search(evaluator, question, space, Sought(where=self.where))


CASES = (
    Case("gpt3-175b", {"gpus": "1024", "global_batch": "1536", "seq": "2048"}),
    # 5,128 has the factor 641, which divides no usual batch: up to so many accelerators.
    Case("mt-nlg-530b", {"global_batch": "1920", "seq": "2048"}, ("training.job_gpus <= 5128",)),
)


def main() -> None:
    """Measure and print."""
    evaluator = Evaluator(find_library(), Cache(cache_directory(), COMPILED))
    for case in CASES:
        case.search(evaluator).run()
        taken = []
        for _ in range(RUNS):
            start = time.process_time()
            search = case.search(evaluator)
            search.run()
            taken.append(time.process_time() - start)
        found, seconds = search.found(), min(taken)
        best = found.leaders.values[found.goal.name][0]
        print(f"{case.model}: {seconds:.2f} s of processor time, best {best:.2f} s a step")
        for what, count in (
            ("looked through", found.counts.tried),
            ("laid out, computed", found.proof.computed),
            ("valid", found.counts.kept),
        ):
            rate = count / seconds
            print(f"  {what:20} {count:12,} {rate:14,.0f}/s {rate / CALCULON:12,.0f} x Calculon's valid ones")


if __name__ == "__main__":
    main()
