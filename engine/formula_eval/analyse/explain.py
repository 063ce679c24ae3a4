"""Explains a result: the tree of formulas from a quantity down to the inputs, with who set each of them."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from formula_eval.analyse.substitute import quantity_text, substituted_text, terms_quantity
from formula_eval.core import expression as e
from formula_eval.core.arithmetic import added
from formula_eval.core.declaration import UnknownDeclaration
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.quantity import Quantified
from formula_eval.core.table import FILLED
from formula_eval.core.type import Record
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.subexpression import value_of
from formula_eval.evaluate.value import base_unit
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens
from formula_eval.records.origin import Origin

DEPTH = 3
_MOST_TERMS = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One value and its derivation.

    `formula` is as written, `filled` has the numbers put in; a leaf says in `origin` who set it. `repeated` steps
    were explained further up; `deeper` ones go on below the depth that was asked for. `changes` says what libraries
    added to it or wrote instead.
    """

    name: str  # as the reading formula spells it, or a row
    value: str
    number: float | None  # in `unit`; None for a record or infinity
    unit: str = ""  # the base unit of `number`; empty for plain numbers
    sentence: str = ""  # what the quantity is, from its notes
    formula: str = ""
    filled: str = ""
    place: str = ""  # FILE:LINE of the declaration; empty without one
    origin: str = ""
    repeated: bool = False
    deeper: bool = False
    steps: tuple["Step", ...] = ()
    changes: tuple[str, ...] = ()
    fitted: str = ""  # the runs that its value was fitted to, unless somebody stated another


def explain(evaluator: Evaluator, givens: Givens, name: str, depth: int = DEPTH, namespace: str = "") -> Step:
    """The derivation of one quantity; raises FormulaError as an evaluation does."""
    result = evaluator.evaluate(givens, [name], namespace)
    changes: dict[str, tuple[str, ...]] = {}
    told = (change for change in evaluator.resolved.scope.changes.values() if not change.is_own)
    for change in told:
        changes[change.target] = (*changes.get(change.target, ()), change.text)
    return _Derivation(evaluator.graph, result.numbers, givens, changes).step(e.Reference(name, name), depth)


@dataclass(slots=True)
class _Derivation:
    graph: FormulaGraph
    numbers: Mapping[str, float]
    givens: Givens
    changes: Mapping[str, tuple[str, ...]]
    done: set[str] = field(default_factory=set)

    def step(self, read: e.Reference, depth: int) -> Step:
        """The step of a node, with the steps of what it reads down to this depth."""
        node = self.graph.nodes[read.node]
        step = self._alone(node, read.written or read.node)
        if not step.formula or step.repeated:
            return step
        if depth <= 0:
            return replace(step, deeper=True)
        self.done.add(node.name)
        return replace(step, steps=tuple(self._below(node, depth - 1)))

    def _alone(self, node: Node, written: str) -> Step:
        if isinstance(node.type, Record):
            shown = self.givens.records.get(node.name, "none")
            who = self.givens.record_origins.get(node.name, "not given")
            return Step(_spelled(node, written), shown, None, "", node.sentence, origin=who)
        quantity, number, origin = node.quantity, self.numbers[node.name], self._origin(node)
        step = Step(
            _spelled(node, written),
            quantity_text(number, quantity),
            float(number) if math.isfinite(number) else None,
            base_unit(quantity),
            node.sentence,
            place=node.declaration.span.place,
            origin=origin,
            changes=self.changes.get(node.base, ()),
            fitted=self._fitted(node),
        )
        if node.expression is None or origin not in ("", Origin.DEFAULT):
            return replace(step, origin=origin or "not given")
        if isinstance(node.declaration, UnknownDeclaration):
            return replace(step, origin=f"{node.sentence[:1].lower()}{node.sentence[1:]}")
        if isinstance(node.expression, e.Number | e.FlagValue | e.ChoiceValue):
            return step
        formula = expression_text(node.author if node.author is not None else _default(node))
        filled = substituted_text(_default(node), self.graph, self.numbers, self.givens.values, quantity)
        return replace(step, formula=formula, filled=filled, repeated=node.name in self.done)

    def _fitted(self, node: Node) -> str:
        """The runs that an input was fitted to, where its default stands or what a record of the library says."""
        origin = self._origin(node)
        record = self.givens.records.get(node.supplier, "")
        stands = origin == Origin.DEFAULT or (bool(record) and origin.endswith(f"[{record}]"))
        return node.declaration.notes.fitted if stands else ""

    def _origin(self, node: Node) -> str:
        """Who set an input, `default` if nobody did, nothing for a formula."""
        is_input = node.kind == "input" or node.is_replaced_input
        return self.givens.origins.get(node.base, Origin.DEFAULT) if is_input else ""

    def _below(self, node: Node, depth: int) -> Iterator[Step]:
        seen: set[str] = set()
        for part in _read_parts(_default(node), self.numbers, self.givens.values):
            if isinstance(part, e.Call):
                whole = part is node.expression
                is_value = whole and not node.quantity.words  # the terms of `largest` are no words
                quantity = node.quantity if is_value else terms_quantity(part, self.graph)
                yield from self._terms(part, depth, quantity)
            elif isinstance(part, e.Reference) and part.node not in seen:
                seen.add(part.node)
                target = self.graph.nodes[part.node]
                if target.kind == "argument" and isinstance(target.expression, e.Reference):
                    part = e.Reference(target.expression.node, part.written)  # noqa: PLW2901 - what it stands for
                yield self.step(part, depth)

    def _terms(self, total: e.Call, depth: int, quantity: Quantified) -> Iterator[Step]:
        """The largest terms of a sum over a table, and the others as one."""
        valued = [(value_of(argument, self.numbers, self.givens.values), argument) for argument in total.arguments]
        valued = sorted(((value, expression) for value, expression in valued if value), key=lambda pair: -abs(pair[0]))
        for value, term in valued[:_MOST_TERMS]:
            yield self._term(value, term, depth, quantity)
        rest = valued[_MOST_TERMS:]
        if rest and total.function == "sum":
            value = added(number for number, _ in rest)
            yield Step(
                f"{len(rest)} smaller {'term' if len(rest) == 1 else 'terms'}", quantity_text(value, quantity), value
            )

    def _term(self, value: float, term: e.Expression, depth: int, quantity: Quantified) -> Step:
        term = self._in_its_row(term)
        reads = [node for node in e.walk(term) if isinstance(node, e.Reference)]
        cell = next((cell for reference in reads if (cell := self.graph.nodes[reference.node].cell)), None)
        row = cell.row if cell is not None else "term"
        row = f"row {row}" if cell is not None and cell.is_numbered else row
        named = e.rebuild(term, self._by_column)
        filled = substituted_text(term, self.graph, self.numbers, self.givens.values, quantity)
        below = [self.step(reference, depth - 1) for reference in dict.fromkeys(reads)] if depth > 0 else []
        text = expression_text(named)
        shown = quantity_text(value, quantity)
        return Step(
            row, shown, value, base_unit(quantity), formula=text, filled=filled, steps=tuple(below), deeper=depth <= 0
        )

    def _in_its_row(self, term: e.Expression) -> e.Expression:
        """The term of a row that is present, without the condition that tests for it."""
        if not isinstance(term, e.Conditional):
            return term
        cell = self.graph.nodes[term.condition.node].cell if isinstance(term.condition, e.Reference) else None
        return term.then if cell is not None and cell.column == FILLED else e.rebuild(term, self._in_its_row)

    def _by_column(self, x: e.Expression) -> e.Expression:
        if isinstance(x, e.Reference):
            return e.Name((self.graph.nodes[x.node].declaration.name,))
        return e.rebuild(x, self._by_column)


def _default(node: Node) -> e.Expression:
    """The expression of a node; for a copy of an input under other inputs, its default."""
    expression = node.expression
    if node.is_replaced_input and isinstance(expression, e.Conditional):
        return expression.otherwise
    return expression if expression is not None else e.Number("0")


def _spelled(node: Node, written: str) -> str:
    """The name as the reading formula writes it; a cell of a numbered row by its column, other cells by full name."""
    if node.cell is not None and node.cell.is_numbered and written == f"{node.cell.row}.{node.cell.column}":
        return node.cell.column
    return node.name if node.kind == "cell" and "." not in written else written


def _read_parts(x: e.Expression, numbers: Mapping[str, float], given: Mapping[str, float]) -> Iterator[e.Expression]:
    """Yields references, and whole sums over tables, from branches taken, in the author's order."""
    match x:
        case e.Reference():
            yield x
            return
        case e.Given(node):
            yield e.Reference(node, node)
            return
        case e.Call(_, _, written) if written:
            yield x
            return
        case e.Conditional(then, condition, otherwise):
            yield from _read_parts(condition, numbers, given)
            taken = then if value_of(condition, numbers, given) else otherwise
            yield from _read_parts(taken, numbers, given)
            return
        case e.Match(subject, arms):
            yield from _read_parts(subject, numbers, given)
            for arm in arms:
                if any(value_of(e.Compare("==", subject, pattern), numbers, given) for pattern in arm.patterns):
                    yield from _read_parts(arm.value, numbers, given)
                    return
            return
    for part in e.children(x):
        yield from _read_parts(part, numbers, given)
