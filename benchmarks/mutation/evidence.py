"""Examples, golden scenarios and random givens to groups of lanes that say whether a mutant shows in them."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from types import CodeType
from typing import Any, NamedTuple

from benchmarks.mutation.lanes import Group, Printer

from formula_eval.check import examples
from formula_eval.check.example_cases import with_calls
from formula_eval.check.example_givens import Situations
from formula_eval.check.stated_quantities import StatedGivens, stated_in
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import typed_value
from formula_eval.records.schema_of_graph import schema_of
from formula_eval.resolve.load import read_chapters
from formula_eval.resolve.passes import resolve
from formula_eval.resolve.scope import Scope
from golden import numbers
from properties import test_every_formula as everything

PUBLISHED = "published."
RANDOM = 300  # scenarios of each part: two of our own, one for each published tool


class Loaded(NamedTuple):
    """A library whose graph also holds a call of each function for each of its examples."""

    evaluator: Evaluator
    graph: FormulaGraph
    scope: Scope
    cases: list[Any]

    def stated(self, case: Any) -> StatedGivens:  # noqa: ANN401 - a case
        """The givens of a case: quantities that it states, and inputs."""
        return stated_in(case.givens, self.graph, case.node, case.namespace)


def loaded(evaluator: Evaluator) -> Loaded:
    """The library with its examples."""
    chapters, _ = read_chapters(evaluator.library, evaluator.cache)
    situations = Situations((chapter.namespace, each) for chapter in chapters for each in chapter.declarations)
    more, cases = with_calls(chapters, situations, evaluator.resolved.scope.changes.values())
    resolved = resolve([*chapters, *more], evaluator.library.units)
    assert resolved.graph is not None  # noqa: S101 - the library is sound
    return Loaded(evaluator, resolved.graph, evaluator.resolved.scope, cases)


class Examples:
    """All examples of a namespace."""

    def __init__(self, printer: Printer, library: Loaded, *, published: bool) -> None:
        """Compute them as they are, which must agree."""
        self._schema = schema_of(library.graph, library.evaluator.library.units)
        stated = (each for each in library.cases if each.example.expected is not None)
        cases = [each for each in stated if each.name.startswith(PUBLISHED) == published]
        givens = [self._givens(each, library) for each in cases]
        self._group = Group(printer, givens, {each.node for each in cases})
        self._at: dict[str, list[tuple[int, Any]]] = {}
        for lane, each in enumerate(cases):
            self._at.setdefault(each.node, []).append((lane, each.example.expected))
        wrong = [node for node in self._at if self._disagrees(node, self._group.values[node])]
        assert not wrong, wrong  # noqa: S101 - they are the ground that mutants are held against

    def _givens(self, case: Any, library: Loaded) -> Mapping[str, Any]:  # noqa: ANN401 - a case
        return examples.givens_beside(library.stated(case), case, self._schema, library.evaluator.library)

    def _disagrees(self, node: str, values: Any) -> bool:  # noqa: ANN401 - an array
        if node not in self._at:
            return False
        quantity = self._schema.quantity(node)
        for lane, expected in self._at[node]:
            value = values[lane].item()
            if value != value:  # noqa: PLR0124 - nan alone differs from itself
                return True
            typed = typed_value(value, quantity) if quantity.kind in ("flag", "choice") else float(value)
            if not (_is_endless(typed, expected) if typed in _ENDLESS else examples.agrees(typed, expected)):
                return True
        return False

    def show(self, mutated: Mapping[str, CodeType]) -> bool:
        """Whether an example fails."""
        shown: list[str] = []

        def enough(name: str, _: object, after: Any) -> bool:  # noqa: ANN401 - an array
            if self._disagrees(name, after):
                shown.append(name)
            return bool(shown)

        self._group.restore(self._group.changed(mutated, enough))
        return bool(shown)


_ENDLESS = (float("inf"), float("-inf"))


def _is_endless(value: float, expected: Any) -> bool:  # noqa: ANN401 - an expression
    return not hasattr(expected, "value") and examples.agrees(value, expected)


class Scenarios:
    """Givens of one namespace under which any change of a formula counts."""

    def __init__(self, printer: Printer, givens: list[Mapping[str, float]], wanted: Iterable[str]) -> None:
        """Compute all that is wanted."""
        self._wanted = frozenset(wanted)
        self._group = Group(printer, givens, self._wanted)

    def show(self, mutated: Mapping[str, CodeType]) -> bool:
        """Whether a value changes, to the last bit."""
        shown: list[str] = []

        def enough(name: str, *_: object) -> bool:
            if name in self._wanted:
                shown.append(name)
            return bool(shown)

        self._group.restore(self._group.changed(mutated, enough))
        return bool(shown)


def golden(printer: Printer, evaluator: Evaluator) -> list[Scenarios]:
    """The golden numbers."""
    names = numbers.formulas_of(evaluator)
    asked: dict[str, list[Mapping[str, float]]] = {}
    for stated in numbers.scenarios().values():
        rest = dict(stated)
        namespace = rest.pop("namespace", "")
        asked.setdefault(namespace, []).append(evaluator.givens(numbers.question(namespace, rest)).values)
    return [
        Scenarios(printer, givens, [name for name, own in names.items() if own == namespace])
        for namespace, givens in asked.items()
    ]


def randomly(printer: Printer, evaluator: Evaluator) -> Iterator[Scenarios]:
    """Random valid givens, as the properties of all formulas draw them."""
    for part in everything.PARTS:
        drawn = everything.scenarios(evaluator, part, Random(1))  # noqa: S311 - scenarios, no secrets
        tool = part if part in everything.PUBLISHED else ""
        graph = printer.graph.nodes.items()
        wanted = [name for name, node in graph if _is_of(name, node, tool)]
        yield Scenarios(printer, [next(drawn) for _ in range(RANDOM)], wanted)


def _is_of(name: str, node: Node, tool: str) -> bool:
    own = name.startswith(f"{PUBLISHED}{tool}.") if tool else not name.startswith(PUBLISHED)
    return own and node.kind in ("formula", "cell", "check")
