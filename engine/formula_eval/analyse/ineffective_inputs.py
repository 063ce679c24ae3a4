"""Finds options of a question that change nothing: they move no quantity that is shown first.

Each option is left out and everything computed again, since a formula may read an input in a branch not taken.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.record_kind import in_order
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.required_choices import lacking
from formula_eval.evaluate.views import View
from formula_eval.records.givens import ANY_QUESTION, Question, scenario_data
from formula_eval.records.record import NOTHING
from formula_eval.records.values import InBaseUnits

_MOST_TOLD = 3
_FACTORS = (1e-6, 0.01, 0.1, 100)
_Asked = TypeVar("_Asked")


class Stated(NamedTuple):
    """One statement of the user: an option, a key of a scenario file, or an option of a launch command.

    `names` are the inputs or kinds of records that it sets, `said` is what the file or the command calls it.
    """

    names: tuple[str, ...]
    said: str = ""


class Idle(NamedTuple):
    """A statement that moves nothing shown first, with its input, what else it moves, and its question.

    A record of a kind is no input.
    """

    stated: Stated
    input: str
    moves: Sequence[str]
    question: Question = ANY_QUESTION

    @property
    def moved(self) -> str:
        """The names of what it moves, as text."""
        told = [f"`{move}`" for move in self.moves[:_MOST_TOLD]]
        more = len(self.moves) - _MOST_TOLD
        return f"{', '.join(told)} and {more} more" if more > 0 else " and ".join(told)


def all_stated(question: Question) -> list[Stated]:
    """All that a question states: its options, then the keys of its file or the options of its launch command."""
    options = [Stated((name,)) for name in (*question.records, *question.values)]
    if question.launch is None:
        said_once = question.records.keys() | question.values.keys()
        data = ((key, value) for key, value in scenario_data(question).items() if key not in said_once)
        return options + [Stated((key,), key) for key, value in data if not isinstance(value, dict)]
    said: dict[str, list[str]] = {}
    for use in question.launch.used:
        for option in use.written.split():  # an input may follow from several
            said.setdefault(option, []).append(use.input)
    return options + [Stated(tuple(names), written) for written, names in said.items()]


def idle_in_all(effects: Sequence["Effects"], stated: Collection[Stated]) -> Iterator[Idle]:
    """Yields the statements that change nothing in some of several answers, and something in none."""
    for each in stated:
        verdicts: list[bool | None] = []
        for one in effects:
            verdicts.append(one.counts(each))
            if verdicts[-1]:
                break
        else:
            if False in verdicts:
                yield effects[verdicts.index(False)].idle(each)


def effects_of(asked: Iterable[_Asked], make: "Callable[[_Asked], Effects]") -> list["Effects"]:
    """The effects of each question that has an answer."""
    found = []
    for each in asked:
        with suppress(FormulaError):
            found.append(make(each))
    return found


class Effects:
    """Determines what each option of a question moves: quantities shown first, checks, and the rest."""

    def __init__(
        self, evaluator: Evaluator, question: Question, program: Program, first: Sequence[str], *, widely: bool = False
    ) -> None:
        """Compute all of a program; `first` are quantities shown first; `widely` also tries other values of numbers.

        So a limit counts that is kept with and without it.

        Raises:
            FormulaError: as an answer does.

        """
        self._evaluator, self.question, self._program = evaluator, question, program
        self._data = scenario_data(question)
        self._here = program.evaluate(evaluator.givens(question).values)
        self._first = [name for name in first if name in self._here and name not in evaluator.schema.inputs]
        self._checks: Sequence[str] = ()
        self._widely = widely
        self._rest = [name for name in program.wanted if name not in evaluator.schema.inputs]

    @classmethod
    def of(
        cls, evaluator: Evaluator, question: Question, wanted: Sequence[str], first: Sequence[str], *, named: bool
    ) -> "Effects":
        """The effects on wanted quantities and their checks, from the program of their answer.

        Raises:
            FormulaError: as an answer does.

        """
        givens = evaluator.givens(question)
        lacks = lacking(wanted, givens.values, evaluator.schema)
        chosen = [name for name in wanted if name not in lacks]
        checks = evaluator.speaking(wanted, givens, question.namespace, named=named)
        made = cls(evaluator, question, evaluator.checked_program(chosen, checks), first)
        made._checks = [check.name for check in checks]
        made._rest = [name for name in chosen if name not in evaluator.schema.inputs]
        if named:  # inputs that are asked for by name count as what is shown
            made._first = [name for name in first if name in made._here]
        return made

    @classmethod
    def under(cls, conditioned: View, question: Question) -> "Effects":
        """The effects on conditions, and checks that refuse them.

        Raises:
            FormulaError: as an answer does.

        """
        nodes = [text for found in conditioned.conditions for text in (found.node, found.gap) if text]
        checks = conditioned.speaking(nodes, conditioned.givens(question), question.namespace, named=True)
        program = conditioned.program([*nodes, *(check.name for check in checks if check.level == "refuse")])
        return cls(conditioned, question, program, program.wanted)

    def counts(self, stated: Stated) -> bool | None:
        """Whether it moves quantities shown first, or checks; None if it restates what would hold anyway.

        A number that restates a default counts where another one would move anything.
        """
        schema = self._evaluator.schema
        found = self._inputs(stated)
        if found and all(schema.inputs[name].record for name in found):
            return None
        if not any(kind in self._program.kinds for kind in found or self._supplied(stated) or self._program.kinds):
            return False
        other = self._without(stated)
        held = [name for name in found if name in self._here] or list(self._here)
        if other is None:
            return None
        if same_values(self._here, other, held):
            return None if self._widely or not found else not self._unread(stated, found)
        told = [*self._first, *self._checks]
        # Files and programs say limits that are kept, and much twice; without a default what holds anyway may be said.
        widely = self._widely or stated.said or any(other.get(name, 0.0) != other.get(name, 0.0) for name in found)
        others = [other, *(self._with_others(stated, found) if widely else ())]
        return any(not same_values(self._here, each, told) for each in others) or self._doubles(stated)

    def _unread(self, stated: Stated, inputs: Sequence[str]) -> bool:
        """Whether what restates a value counts for nothing in either case: no other number moves anything.

        Of a zero that is not known, since it has no multiples.
        """
        others = list(self._with_others(stated, inputs)) if all(self._here.get(each) for each in inputs) else []
        return bool(others) and all(same_values(self._here, other, [*self._rest, *self._checks]) for other in others)

    def idle(self, stated: Stated) -> Idle:
        """The statement as idle, with what else it moves."""
        return Idle(stated, next(iter(self._inputs(stated)), ""), self._moved(stated, self._rest), self.question)

    def moved_first(self, stated: Stated) -> Sequence[str]:
        """The quantities shown first that move with the statement."""
        return self._moved(stated, self._first)

    def _moved(self, stated: Stated, names: Sequence[str]) -> Sequence[str]:
        other = self._without(stated)
        return [] if other is None else [name for name in names if not same_values(self._here, other, [name])]

    def _inputs(self, stated: Stated) -> list[str]:
        """The inputs that the statement sets, without records."""
        schema = self._evaluator.schema
        known = (schema.input_name(name, self.question.namespace) for name in stated.names if name not in schema.kinds)
        return [name for name in known if name and schema.inputs[name].quantity.kind != "record"]

    def _supplied(self, stated: Stated) -> list[str]:
        """The inputs that records of the kinds in a statement may supply, and what they bring along may."""
        schema = self._evaluator.schema
        kinds = set(stated.names)
        for kind in in_order(schema.kinds.values()):
            if kinds.intersection(kind.suppliers):
                kinds.add(kind.name)
        return [name for name, input_schema in schema.inputs.items() if input_schema.supplier in kinds]

    def _doubles(self, stated: Stated) -> bool:
        """Whether another option states the same, so that leaving out either one alone changes nothing."""
        told = [*self._first, *self._checks]
        for each in all_stated(self.question):
            one = self._without(each) if each != stated else None
            if one is None or not same_values(self._here, one, told):
                continue
            both = self._without(each, stated)
            if both is not None and not same_values(one, both, told):
                return True
        return False

    def _with_others(self, stated: Stated, inputs: Sequence[str]) -> Iterator[Mapping[str, float]]:
        """Yields all values where the numbers that the statement sets are much smaller or larger."""
        schema = self._evaluator.schema
        numbers = [each for each in inputs if schema.inputs[each].quantity.kind in ("number", "whole")]
        for factor in _FACTORS if numbers else ():
            others = {number: factor * self._here[number] for number in numbers}
            counts = {
                name: max(round(x), 1) for name, x in others.items() if schema.inputs[name].quantity.style == "counted"
            }
            found = self._without(stated, instead={n: InBaseUnits(x) for n, x in {**others, **counts}.items()})
            if found is not None:
                yield found

    def _without(self, *stated: Stated, instead: Mapping[str, Any] = NOTHING) -> Mapping[str, float] | None:
        """All values without these statements, with others `instead`; None if there is no answer then."""
        names = {name for each in stated for name in each.names}
        records = {name: record for name, record in self.question.records.items() if name not in names}
        values = {name: value for name, value in self.question.values.items() if name not in names} | dict(instead)
        data = {name: each for name, each in self._data.items() if name not in names}
        try:
            givens = self._evaluator.givens(self.question._replace(records=records, values=values, stated=data))
            return self._program.evaluate(givens.values)
        except FormulaError:
            return None


def same_values(one: Mapping[str, float], other: Mapping[str, float], names: Sequence[str]) -> bool:
    """Whether these names have the same values in both; values absent in both count as equal."""
    return all(one[name] == other[name] or (one[name] != one[name] and other[name] != other[name]) for name in names)
