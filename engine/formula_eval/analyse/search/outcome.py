"""What a search found: the best configurations, a front, the counts, and how sure the first place is."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from formula_eval.analyse.search.nearest_miss import NearestMiss
from formula_eval.analyse.search.robustness import Robustness
from formula_eval.analyse.search.search_space import Goal, GoalGroup
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep import Batch
from formula_eval.analyse.sweep.tally import Tally
from formula_eval.records.givens import Question


class Choice(NamedTuple):
    """The best configuration: its question, with what is default left out, and what checks warn of.

    `assumed` are the inputs among its values that nobody set and that had no other value in the space.
    """

    question: Question
    warnings: Sequence[str]
    assumed: Mapping[str, str]


class Outcome(NamedTuple):
    """The answer of a search.

    `columns` are the inputs that vary, then quantities; `leaders` holds their values of the best configurations, the
    best first, `front` of those that nothing beats in both of its quantities. Of the configurations that `counts` tells
    of, `laid_out` met what needs little to tell, and `done` of these were computed: all, unless it was interrupted.
    `demands` is what the checks that refused some demand, `proof` what is known of the best beyond what was computed.
    """

    goal: Goal
    group: GoalGroup
    columns: Sequence[Column]
    leaders: Batch
    front: Batch
    best: Choice | None
    counts: Tally
    demands: Mapping[str, str]
    laid_out: int
    done: int
    robustness: Robustness | None = None
    nearest: NearestMiss | None = None
    proof: str | None = None

    @property
    def is_partial(self) -> bool:
        """Whether it was interrupted."""
        return self.done < self.laid_out
