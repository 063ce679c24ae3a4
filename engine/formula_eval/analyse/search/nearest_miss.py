"""A space in which no configuration meets everything to the one that comes nearest, and what stops it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.search.constraint import Constraint
from formula_eval.analyse.search.region import Region
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.sweep.grid import Block, Places
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.many import evaluate_block, held_arrays
from formula_eval.evaluate.result import result_of
from formula_eval.records.givens import Question

Array = NDArray[Any]


class NearestMiss(NamedTuple):
    """A configuration that fails the fewest constraints, and what each of these says."""

    question: Question
    stops: Sequence[str]


class _Nearest(NamedTuple):
    """The fewest failures so far, then the smallest excess of each comparison, and where that is."""

    rank: tuple[float, ...]
    region: Region
    code: int


def nearest_miss(plan: SearchPlan, blocks: Iterable[tuple[Region, Places]]) -> NearestMiss | None:
    """The nearest of all configurations of some blocks, each given by their numbers; None of none.

    The fewest constraints that fail count first, then by how much the comparisons among them do, in their order.
    """
    gaps = {each.node: each.gap for each in plan.evaluator.conditions if each.gap}
    best: _Nearest | None = None
    for region, codes in blocks:
        if len(codes):
            found = _nearest(plan, gaps, region, codes)
            best = found if best is None or found.rank < best.rank else best
    if best is None:
        return None
    question = best.region.question_at(best.code, plan.evaluator)
    return NearestMiss(question, _stops(plan, gaps, question))


def _nearest(plan: SearchPlan, gaps: dict[str, str], region: Region, codes: Places) -> _Nearest:
    constraints = plan.constraints
    program = plan.evaluator.program([*(each.node for each in constraints), *gaps.values()])
    block: Block = region.lanes(codes)
    values, _ = evaluate_block(program, held_arrays(program, region.givens.of(block)))
    failures = np.zeros(len(codes))
    excess: list[Array] = []
    for each in constraints:
        fails = np.broadcast_to(np.asarray(values[each.node]) != 1, codes.shape)
        failures += fails
        if each.node in gaps:
            gap = np.abs(np.broadcast_to(np.asarray(values[gaps[each.node]], float), codes.shape))
            excess.append(np.where(fails, np.nan_to_num(gap, nan=np.inf), 0.0))
    place = int(np.lexsort((*reversed(excess), failures))[0])
    return _Nearest((float(failures[place]), *(float(each[place]) for each in excess)), region, int(codes[place]))


def _stops(plan: SearchPlan, gaps: dict[str, str], question: Question) -> list[str]:
    """What the checks say that refuse this configuration, and the conditions that it does not meet."""
    evaluator = plan.evaluator
    givens = evaluator.givens(question)
    checks = [each.check for each in plan.constraints if each.check is not None]
    try:
        result = result_of(evaluator.checked_program((), checks), givens, evaluator.schema, (), checks)
        refused = [each.message for each in result.refused()]
    except FormulaError as error:
        return [each.message for each in error.diagnostics]
    return refused or [*_unmet(plan, gaps, givens.values)]


def _unmet(plan: SearchPlan, gaps: dict[str, str], given: Any) -> Iterable[str]:  # noqa: ANN401 - values by name
    for each in plan.constraints:
        if each.check is None:
            yield from _missed(each, plan, gaps, given)


def _missed(each: Constraint, plan: SearchPlan, gaps: dict[str, str], given: Any) -> Iterable[str]:  # noqa: ANN401 - as above
    gap = gaps.get(each.node, "")
    try:
        values = plan.evaluator.program([each.node, *([gap] if gap else [])]).evaluate(given)
    except FormulaError as error:
        yield f"{each.text}: {error.diagnostics[0].message}"
        return
    if values[each.node] == 1:
        return
    by = shown_value(abs(values[gap]), plan.evaluator.schema.quantity(gap)) if gap else ""
    yield f"{each.text} is missed by {by}" if by else f"{each.text} does not hold"
