"""A question to what it states for nothing: options that move no quantity of those that are read first.

Each is left out, and all is computed once more, since a formula may read an input in a branch that is not taken.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.unchosen import lacking
from formula_eval.records.givens import Question

_MOST_TOLD = 3


class Idle(NamedTuple):
    """What is stated and moves nothing that is read first: as it was named, its input, and what else it moves.

    A record of a kind is no input.
    """

    name: str
    input: str
    moves: Sequence[str]

    @property
    def moved(self) -> str:
        """What it moves, in words."""
        told = [f"`{each}`" for each in self.moves[:_MOST_TOLD]]
        more = len(self.moves) - _MOST_TOLD
        return f"{', '.join(told)} and {more} more" if more > 0 else " and ".join(told)


class Effects:
    """What the options of a question move: the quantities that are read first, what checks say, and the rest."""

    def __init__(
        self,
        evaluator: Evaluator,
        question: Question,
        wanted: Sequence[str],
        first: Sequence[str],
        *,
        named: bool = False,
    ) -> None:
        """Compute what is wanted, by the program of its answer, of which some is read first: all, if some is `named`.

        Raises:
            FormulaError: as an answer does.

        """
        self._evaluator, self._question = evaluator, question
        givens = evaluator.givens(question)
        lacks = lacking(wanted, givens.values, evaluator.schema)
        chosen = [each for each in wanted if each not in lacks]
        checks = evaluator.speaking(wanted, givens, question.namespace, named=named)
        self._program = evaluator.checked_program(chosen, checks)
        self._here = self._program.evaluate(givens.values)
        self._first = [each for each in first if each in self._here]
        self._checks = [each.name for each in checks]
        self._rest = [each for each in chosen if each not in evaluator.schema.inputs]

    def idle(self) -> Iterator[Idle]:
        """What is stated and counts for nothing; what has the value that it would have anyway is no part of it."""
        schema = self._evaluator.schema
        for name in (*self._question.records, *self._question.values):
            found = schema.input_name(name, self._question.namespace) or ""
            if name in schema.kinds or schema.inputs[found].quantity.kind == "record":
                found = ""
            elif schema.inputs[found].record:
                continue
            elif found not in self._program.kinds:
                yield Idle(name, found, ())
                continue
            other = self._without(name)
            if other is None or _same(self._here, other, [found] if found else list(self._here)):
                continue
            if _same(self._here, other, [*self._first, *self._checks]) and not self._doubles(name):
                yield Idle(name, found, [each for each in self._rest if not _same(self._here, other, [each])])

    def moved_first(self, name: str) -> Sequence[str]:
        """The quantities that are read first and move with an option."""
        other = self._without(name)
        return [] if other is None else [each for each in self._first if not _same(self._here, other, [each])]

    def _doubles(self, name: str) -> bool:
        """Whether it says what another option says too, so that leaving out one of both alone changes nothing."""
        told = [*self._first, *self._checks]
        for each in (*self._question.records, *self._question.values):
            one = self._without(each) if each != name else None
            if one is None or not _same(self._here, one, told):
                continue
            both = self._without(each, name)
            if both is not None and not _same(one, both, told):
                return True
        return False

    def _without(self, *names: str) -> Mapping[str, float] | None:
        """All values where these are not stated; None where there is no answer then."""
        records = {name: each for name, each in self._question.records.items() if name not in names}
        values = {name: each for name, each in self._question.values.items() if name not in names}
        try:
            givens = self._evaluator.givens(self._question._replace(records=records, values=values))
            return self._program.evaluate(givens.values)
        except FormulaError:
            return None


def _same(one: Mapping[str, float], other: Mapping[str, float], names: Sequence[str]) -> bool:
    """Whether these have the same values, those that are absent in both included."""
    return all(one[each] == other[each] or (one[each] != one[each] and other[each] != other[each]) for each in names)
