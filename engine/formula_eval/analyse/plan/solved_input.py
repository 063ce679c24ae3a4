"""Describes the input that a plan solves for when it is not given: the tokens of a run, from what bounds them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.records.givens import Question
from formula_eval.toml_table import Input, Quantity


class SolvedInput(NamedTuple):
    """An input to solve for: it becomes `most`, computed with it at 0 and `goal` at its largest (reports/plan.toml).

    `bounded_by` are inputs any group of which bounds it; `lacks` and `help` are what is said where none is given.
    """

    input: Input
    most: Quantity
    goal: Quantity
    bounded_by: Sequence[Sequence[Input]]
    lacks: str
    help: str

    @property
    def where(self) -> str:
        """The condition that the input found is above 0."""
        return f"{self.most} > 0"

    def with_most(self, question: Question, most: float) -> Question:
        """The question with the input that was found."""
        return question._replace(values={**question.values, self.input: f"{most:.0f}"})


def unless_given(solved: SolvedInput | None, given: Mapping[str, object]) -> SolvedInput | None:
    """The input if it has to be found, by the values that are given; raises FormulaError where nothing bounds it."""
    if solved is None or given.get(solved.input):
        return None
    if not any(all(name in given for name in group) for group in solved.bounded_by):
        raise refuse("missing-value", solved.lacks, help=solved.help)
    return solved
