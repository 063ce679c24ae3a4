"""The optimum by branch and bound is that of all configurations computed one by one, and proven only when it is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas, load
from formula_eval.analyse.optimum.branch_and_bound import Aim, BranchAndBound, Optimum
from formula_eval.analyse.optimum.open_boxes import how_far
from formula_eval.analyse.sweep.broadcast_inputs import LaneGivens
from formula_eval.analyse.sweep.grid import Grid, grid_of
from formula_eval.api.arguments import question_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question
from samples import samples

GOAL = "inference.saturated_tokens_per_second"
WHERE = ("memory.fits", "tp * pp <= 16", "inference.tpot <= 60 ms")
GIVEN = {"model": "llama2-70b", "gpu": "a100-sxm-80gb", "prompt": 1000, "generated": 200}
SPACES: dict[str, dict[str, Any]] = {
    "numbers": {"tp": "1,2,4,8", "pp": "1..8*2", "batch": "1..40"},
    "words": {
        "tp": "2..16*2",
        "batch": "1..256*2",
        "format": "bf16,fp8,int4",
        "collective_algorithm": "hierarchical,flat",
    },
    "records": {"gpu": "a100-sxm-80gb,h100-sxm", "model": "llama2-7b,llama2-70b", "tp": "1..8*2", "batch": "1..64*2"},
}


class Wish(NamedTuple):
    """The least of a quantity, or the largest, where conditions hold; it is looked for so many seconds at most."""

    goal: str
    is_largest: bool = False
    where: Sequence[str] = ()
    seconds: float = np.inf


def optimum(evaluator: Evaluator, question: Question, wish: Wish) -> tuple[Optimum, Question | None]:
    """The best configuration among all combinations of the values in a question, and its own question."""
    conditioned = View(evaluator, wish.where, question, [wish.goal])
    grid = grid_of(question, evaluator.schema)
    givens = LaneGivens(conditioned, grid)
    speaking = conditioned.speaking([wish.goal], givens.first(), question.namespace)
    conditions = {each.text: each.node for each in conditioned.conditions}
    aim = Aim(wish.goal, wish.is_largest, conditions, [each for each in speaking if each.level == "refuse"])
    search = BranchAndBound(conditioned, grid, givens, aim)
    search.run(wish.seconds, lambda _: None)
    found = search.found()
    return found, None if found.place is None else _question_at(grid, found.place, evaluator)


def _question_at(grid: Grid, place: int, evaluator: Evaluator) -> Question:
    """The question of the configuration at a place of a grid."""
    places = np.unravel_index(place, [each.size for each in grid.dimensions]) if grid.dimensions else ()
    chosen = {
        axis.name: int(at) for at, dimension in zip(places, grid.dimensions, strict=True) for axis in dimension.axes
    }
    return grid.question_at(chosen, evaluator.schema)


def asked(formulas: Formulas, space: dict[str, Any], wish: Wish) -> tuple[Optimum, Question | None]:
    return optimum(formulas.evaluator, question_of(formulas.evaluator, GIVEN | space), wish)


@pytest.mark.parametrize("is_largest", [True, False], ids=["largest", "least"])
@pytest.mark.parametrize(
    "space", ["numbers", *(pytest.param(each, marks=pytest.mark.slow) for each in SPACES if each != "numbers")]
)
def test_it_is_the_best_of_all_computed(formulas: Formulas, space: str, *, is_largest: bool) -> None:
    found, question = asked(formulas, SPACES[space], Wish(GOAL, is_largest, WHERE))
    values = formulas.sweep(only=[GOAL], where=WHERE, **(GIVEN | SPACES[space]))[GOAL]
    assert found.is_proven
    assert found.value == found.bound == (max if is_largest else min)(values)
    assert found.size == found.computed + found.beaten + sum(found.excluded.values())
    assert question is not None
    evaluator = formulas.evaluator
    assert evaluator.evaluate(evaluator.givens(question), [GOAL]).numbers[GOAL] == found.value


@pytest.mark.slow
def test_a_space_too_large_to_compute_is_proven(formulas: Formulas) -> None:
    space = {"tp": "1,2,4,8", "pp": "1..8*2", "batch": "1..10000", "prompt": "1..2000"}
    found, _ = asked(formulas, space, Wish(GOAL, is_largest=True, where=WHERE))
    assert found.is_proven
    assert found.size > 10**8
    assert found.computed < found.size / 100


def test_what_is_not_reached_is_no_proof(formulas: Formulas) -> None:
    found, _ = asked(formulas, SPACES["numbers"], Wish(GOAL, is_largest=True, where=WHERE, seconds=0))
    assert found.left
    assert not found.is_proven
    assert found.value is not None
    assert found.value <= found.bound


def test_no_configuration_is_proven_too(formulas: Formulas) -> None:
    found, question = asked(formulas, {"tp": "8", "pp": "4,8,16", "batch": "1..40"}, Wish(GOAL, where=WHERE))
    assert found.is_proven
    assert (found.value, question) == (None, None)
    assert found.size == found.computed + found.beaten + sum(found.excluded.values())


def test_equally_good_ones_are_not_computed(tmp_path: Path) -> None:
    """A power has bounds a little wider than it is: along an input that it does not read nothing is better."""
    (tmp_path / "formulas").mkdir()
    (tmp_path / "library.toml").write_text('title = "plane"\nuses = []\n')
    text = """input speed: whole = 1 in 1 .. 1000\n    "Speed"\n\ninput colour: whole = 1 in 1 .. 1000\n    "Colour"\n
drag = speed ** 2.5 + 0 * colour\n    "Drag"\n    derived "made up"\n    example speed = 1 -> 1\n"""
    (tmp_path / "formulas" / "plane.formula").write_text(f'"""Planes."""\n\n{text}')
    evaluator = load(tmp_path).evaluator
    question = question_of(evaluator, {"speed": "1..1000", "colour": "1..1000"})
    found, _ = optimum(evaluator, question, Wish("drag", is_largest=True))
    assert found.is_proven
    assert found.value == pytest.approx(1000**2.5)
    assert found.computed < 1000


@settings(max_examples=samples(50))
@given(values=st.lists(st.integers(0, 9) | st.floats(1e-300, 1e300), min_size=1, max_size=40))
def test_every_place_lies_beyond_those_before(values: list[float]) -> None:
    far = how_far(np.array(values, float))
    assert len(far) == len(values)
    assert np.isfinite(far).all()
    assert (np.diff(far) > 0).all()
    assert far[0] == 0
