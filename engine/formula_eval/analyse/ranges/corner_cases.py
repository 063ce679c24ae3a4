"""Evaluates configurations at the ends of declared ranges, and finds what goes wrong where no check refuses."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import numpy as np

from formula_eval.analyse.perturbation import domain_of, is_whole
from formula_eval.analyse.sweep.validity import allowed
from formula_eval.core import expression as e
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.namespace import is_published
from formula_eval.core.type import Quantity
from formula_eval.evaluate.bounds.box_operations import Bound
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.value import Value
from formula_eval.evaluate.vector import Array, Lanes, array_of
from formula_eval.records.givens import Question
from formula_eval.records.record_files import record_ids
from formula_eval.records.schema import InputSchema, Schema

Wrong = Literal["has no value", "is infinite", "is negative", "is above 2**53"]
_EXACT = 2.0**53  # whole numbers above are not exact
_FAR = 2.0**20  # a range without an end is tried up to so many times what is given
_SETUPS = 24  # sets of records
_DRAWS = 4 * _SETUPS  # to find them in
_SAID = 0.6  # how often one has a record of a kind that has a default
_PAIRS = 2000  # ends of two inputs at once
_LANES = 1024  # computed at once


class Failure(NamedTuple):
    """A trial in which a node goes wrong, and the value that it has there."""

    trial: "Trial"
    value: float


class Trial(NamedTuple):
    """A configuration: its records, what they supply, and the inputs set to an end of their range."""

    records: Mapping[str, str]
    givens: Mapping[str, float]
    changes: Mapping[str, float]

    def changed(self, schema: Schema) -> tuple[Value, ...]:
        """The inputs at an end of their range, with their units."""
        return tuple(Value(name, value, schema.quantity(name), schema.units) for name, value in self.changes.items())


def trials(evaluator: Evaluator, inputs: Sequence[InputSchema], seed: int, most_pairs: int = _PAIRS) -> list[Trial]:
    """Every end of every input by itself, then pairs of them, each with records drawn at random."""
    draw = np.random.default_rng(seed)
    setups = list(_setups(evaluator, draw)) or [Trial({}, {}, {})]
    ends = [(input_schema, end) for input_schema in inputs for end in _ends(input_schema)]
    pairs = [(ends[one], ends[other]) for one, other in draw.integers(len(ends), size=(most_pairs, 2))] if ends else []
    chosen = [(), *((end,) for end in ends), *pairs]
    drawn = draw.integers(len(setups), size=len(chosen))
    return [
        _trial(setups[int(number)], {each.name: (each, end) for each, end in some})
        for number, some in zip(drawn, chosen, strict=True)
    ]


def listed_formulas(schema: Schema) -> list[str]:
    """The names of the formulas that a person may ask for, but for those of published tools."""
    return [name for name, formula in schema.formulas.items() if formula.is_listed and not is_published(name)]


def refusing_checks(schema: Schema) -> list[str]:
    """The names of the checks that refuse a question, but for those of published tools."""
    return [name for name, check in schema.checks.items() if check.level == "refuse" and not is_published(name)]


def _setups(evaluator: Evaluator, draw: np.random.Generator) -> Iterator[Trial]:
    """Draws records that no check refuses together, and what they supply; kinds with a default only sometimes."""
    refusing = refusing_checks(evaluator.schema)
    accepting = evaluator.program(refusing)
    kinds, library = evaluator.schema.kinds.values(), evaluator.library
    ids = {kind: record_ids(library, kind) for kind in kinds if not kind.suppliers}
    words = {
        input_schema.name: len(input_schema.quantity.words)
        for input_schema in evaluator.schema.inputs.values()
        if input_schema.is_open_choice
    }
    accepted = 0
    for _ in range(_DRAWS):
        if accepted == _SETUPS:
            return
        said = {kind: some for kind, some in ids.items() if some and (not kind.default or draw.random() < _SAID)}
        chosen = {kind.name: str(draw.choice(some)) for kind, some in said.items()}
        with suppress(FormulaError):
            givens = evaluator.givens(Question(chosen))
            supplied = {**{name: float(accepted % count) for name, count in words.items()}, **givens.values}
            values = accepting.evaluate(supplied)
            if all(values[name] for name in refusing):
                accepted += 1
                yield Trial(chosen, supplied, {})


def _ends(input_schema: InputSchema) -> list[float]:
    """The ends of an input's range, infinite where it has none; for a choice, every word."""
    if input_schema.quantity.kind in ("choice", "flag"):
        return [float(index) for index in range(len(input_schema.quantity.words) or 2)]
    return sorted(set(domain_of(input_schema)))


def _trial(setup: Trial, changed: Mapping[str, tuple[InputSchema, float]]) -> Trial:
    changes = {
        name: end if math.isfinite(end) and end < _EXACT else _far(input_schema, setup.givens.get(name))
        for name, (input_schema, end) in changed.items()
    }
    return setup._replace(changes=changes)


def _far(input_schema: InputSchema, here: float | None) -> float:
    """A value far above what is given."""
    far = _FAR * (abs(here) if here and math.isfinite(here) else 1.0)
    return float(math.floor(far)) if is_whole(input_schema, 1.0) else far


def first_failures(
    program: Program, graph: FormulaGraph, refusing: Collection[str], tried: Sequence[Trial]
) -> dict[tuple[str, Wrong], Failure]:
    """For each node that goes wrong by itself, and each way of doing so, the first trial in which it does."""
    found: dict[tuple[str, Wrong], Failure] = {}
    for start in range(0, len(tried), _LANES):
        some = tried[start : start + _LANES]
        for key, (lane, value) in _Lanes(program, graph, refusing, some).first.items():
            found.setdefault(key, Failure(some[lane], value))
    return found


class Watch(dict[str, Bound]):
    """Passes each value of a generated function to an observer as soon as it is computed; keeps those of some names."""

    def __init__(self, see: Callable[[str, Bound], object], names: Collection[str]) -> None:
        """Call `see` for every node, and keep the values of these."""
        super().__init__()
        self._see, self._names = see, names

    def __setitem__(self, name: str, value: Bound) -> None:
        """Pass on a value."""
        if name in self._names:
            super().__setitem__(name, value)
        self._see(name, value)


class _Lanes:
    """Computes trials at once.

    `first` is the lane in which a node first goes wrong that reads nothing wrong, and its value there.
    """

    def __init__(
        self, program: Program, graph: FormulaGraph, refusing: Collection[str], tried: Sequence[Trial]
    ) -> None:
        self._graph, self._count = graph, len(tried)
        self._wrong: dict[tuple[str, Wrong], tuple[Array, Array]] = {}
        self._failed, self._refused = np.zeros(self._count, bool), np.zeros(self._count, bool)
        self._lanes = Lanes(_arrays(program, tried), program.largest_divisor)
        values = Watch(self._see, frozenset(refusing))
        with np.errstate(all="ignore"):
            program.vector(self._lanes, values)
        for check in refusing:
            self._refused |= np.asarray(values[check]) == 0
        places = {key: np.flatnonzero(wrong & ~self._refused) for key, (wrong, _) in self._wrong.items()}
        self.first = {
            key: (int(lanes[0]), float(self._wrong[key][1][lanes[0]])) for key, lanes in places.items() if len(lanes)
        }

    def _see(self, name: str, value: Any) -> None:  # noqa: ANN401 - a number or an array
        node, values = self._graph.nodes[name], np.broadcast_to(np.asarray(value), self._count)
        before, self._failed = self._failed, np.array(np.broadcast_to(self._lanes.failed, self._count))
        if node.kind == "input":
            self._refused |= ~allowed(values, node)  # a default too: every question refuses it
            return
        self._add(name, "has no value", self._failed & ~before, np.full(self._count, math.nan))
        for how, wrong in _wrongs(node, values):
            self._add(name, how, wrong & ~self._failed, values)

    def _add(self, name: str, how: Wrong, wrong: Array, values: Array) -> None:
        """Record where a node goes wrong although nothing that it reads does so in the same way."""
        for parent in self._graph.parents[name]:
            if (parent, how) in self._wrong:
                wrong = wrong & ~self._wrong[parent, how][0]
        if wrong.any():
            self._wrong[name, how] = wrong, values


def _wrongs(node: Node, value: Array) -> Iterator[tuple[Wrong, Array]]:
    """Yields each way in which a value may go wrong, and where; infinity is fine where the author wrote it."""
    if isinstance(node.type, Quantity) and node.expression is not None and node.kind in ("formula", "cell"):
        if not any(isinstance(expression, e.Infinity) for expression in e.walk(node.expression)):
            yield "is infinite", np.isinf(value)
        if node.type.dimension.exponents:
            yield "is negative", value < 0
        if node.type.whole:
            yield "is above 2**53", (np.absolute(value) > _EXACT) & np.isfinite(value)


def _arrays(program: Program, tried: Sequence[Trial]) -> dict[str, Any]:
    """The inputs of all trials, nan where one is not given."""
    given = [{**trial.givens, **trial.changes} for trial in tried]
    names = [name for name in program.inputs if any(name in each for each in given)]
    return {
        name: array_of(program.inputs[name], np.array([float(each.get(name, math.nan)) for each in given]))
        for name in names
    }
