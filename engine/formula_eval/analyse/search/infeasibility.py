"""Finds the configuration that comes nearest to meeting all constraints where none does, and what stops it."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.search.feasible_layouts import FeasibilityTest
from formula_eval.analyse.search.ranked_rows import Candidates
from formula_eval.analyse.search.record_grid import Region
from formula_eval.analyse.search.search_plan import SearchPlan, Stage
from formula_eval.analyse.sweep.grid import Places
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.result import result_of
from formula_eval.records.givens import Question

Array = NDArray[Any]


class NearestMiss(NamedTuple):
    """A configuration that fails the fewest constraints, with the message of each and the condition behind it."""

    question: Question
    stops: Sequence[str]
    unmet: Sequence[str]  # the condition that each of these is about; empty for a check


class _Nearest(NamedTuple):
    """Tracks the fewest failures, then the smallest excess of each comparison, and where these occur."""

    rank: tuple[float, ...]
    region: int
    code: int


def nearest_miss(
    plan: SearchPlan, candidates: Candidates, blocks: Iterable[tuple[int, Places, Sequence[FeasibilityTest]]]
) -> NearestMiss | None:
    """The nearest of the configurations of some blocks, by region and number there, with what tests them; None of none.

    The fewest constraints that fail count first, then by how much the comparisons among them do, in their order.
    """
    found = (_nearest(plan.regions[region], region, codes, tests) for region, codes, tests in blocks if len(codes))
    best = min(found, default=None)
    if best is None:
        return None
    question = candidates.question(best.region, best.code)
    return NearestMiss(question, *_stops(plan, question))


def _nearest(region: Region, number: int, codes: Places, tests: Sequence[FeasibilityTest]) -> _Nearest:
    failures = np.zeros(len(codes))
    excess: list[Array] = []
    for test in tests:
        values = test.values(region, region.grid.at(codes))
        for constraint in test.constraints:
            fails = np.broadcast_to(np.asarray(values[constraint.node]) != 1, codes.shape)
            failures += fails
            if constraint.node in test.gaps:
                gap = np.abs(np.broadcast_to(np.asarray(values[test.gaps[constraint.node]], float), codes.shape))
                excess.append(np.where(fails, np.nan_to_num(gap, nan=np.inf), 0.0))
    place = int(np.lexsort((*reversed(excess), failures))[0])
    rank = (float(failures[place]), *(float(array[place]) for array in excess))
    return _Nearest(rank, number, int(codes[place]))


def _stops(plan: SearchPlan, question: Question) -> tuple[list[str], list[str]]:
    """The messages of the checks that refuse a configuration, else of conditions that it does not meet, and these."""
    evaluator = plan.evaluator
    givens = evaluator.givens(question)
    checks = Stage(0, plan.constraints).checks
    try:
        result = result_of(evaluator.checked_program((), checks), givens, evaluator.schema, (), checks)
        messages = [each.message for each in result.refused()]
        unmet = [] if messages else [*_unmet(plan, givens.values)]
    except FormulaError as error:
        messages, unmet = [diagnostic.message for diagnostic in error.diagnostics], []
    return [*messages, *(told for _, told in unmet)], [*("" for _ in messages), *(condition for condition, _ in unmet)]


def _unmet(plan: SearchPlan, given: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Yields the conditions that do not hold with their messages; that of a comparison says how much is missing."""
    values = plan.program.evaluate(given)
    gaps = {condition.node: condition.gap for condition in plan.evaluator.conditions if condition.gap}
    for constraint in plan.constraints:
        if constraint.check is None and values[constraint.node] != 1:
            gap = gaps.get(constraint.node)
            if not gap:
                yield constraint.text, f"{constraint.text} does not hold"
            elif math.isnan(values[gap]):
                yield constraint.text, f"{constraint.text} has no value"
            else:
                missing = shown_value(abs(values[gap]), plan.evaluator.schema.quantity(gap))
                yield constraint.text, f"{constraint.text} is missed by {missing}"
