"""Adds a condition that somebody asks for, `memory.total_bytes < 0.8 * memory_capacity`, to the graph as nodes.

It is parsed and type-checked as a formula is, units included. A bare name is looked up as in a formula of the namespace
asked, and then as the command does: the only quantity whose name ends so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.condition import Condition
from formula_eval.core.diagnostic import Diagnostic, FormulaError, nearest, shortened
from formula_eval.core.graph import FormulaGraph, Node, overlaid
from formula_eval.core.namespace import bearer
from formula_eval.core.notes import Notes
from formula_eval.core.type import AnyQuantity, Flag, Quantity, Type
from formula_eval.core.unit import NO_UNIT, Unit, UnitTable
from formula_eval.core.unit_words import with_unit_texts
from formula_eval.language.reader import Reader
from formula_eval.library import Library
from formula_eval.printing.text import expression_text
from formula_eval.resolve.expand_calls import expand_calls
from formula_eval.resolve.expand_sums import unrolled
from formula_eval.resolve.nodes import functions_of
from formula_eval.resolve.order import reads
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Found, Scope
from formula_eval.resolve.typecheck import TypeChecker, units

_PLACE = "condition"


class Names(NamedTuple):
    """What bare names mean: those of the namespace, those that are meant `first`, and what is `short` for which.

    The table has what people call units.
    """

    namespace: str = ""
    first: Collection[str] = ()
    short: Mapping[str, str] = MappingProxyType({})
    units: UnitTable = UnitTable()


_NO_NAMES = Names()


@dataclass(frozen=True, slots=True)
class _Asked(TypeChecker):
    """Looks names up as a person asks for them: in full, by what is `short` for them, or by their last part.

    Those that are meant first go first.
    """

    names: Names = _NO_NAMES

    def lookup(self, path: tuple[str, ...]) -> Found | None:
        """What a path means, and the rest of the path."""
        found = self.scope.lookup(path, self.namespace)
        if found is not None:
            return found
        for length in range(len(path), 0, -1):
            last = ".".join(path[:length])
            name = self._meant(last) or bearer(last, self.scope.symbols, self.namespace)
            if name:
                return self.scope.symbols[name], path[length:]
        return None

    def undeclared(self, name: str, advice: str) -> str:  # noqa: ARG002 - as any context is asked
        """Advice for somebody who declares nothing: the name whose last part is nearest, or where all are listed."""
        near = nearest(name, (symbol.rpartition(".")[2] for symbol in self.scope.symbols))
        return near or "`formula-eval list formulas` and `list inputs` show all names."

    def _meant(self, last: str) -> str:
        """The one that the name is short for, or that bears it among those that are meant first."""
        if self.names.short.get(last) in self.scope.symbols:
            return self.names.short[last]
        ending = [name for name in self.names.first if name.endswith(f".{last}") and name in self.scope.symbols]
        return ending[0] if len(ending) == 1 else ""


def with_conditions(
    resolved: Resolved, texts: Sequence[str], library: Library, names: Names
) -> tuple[FormulaGraph, list[Condition]]:
    """The graph with these conditions as nodes, and what they are called there.

    Raises:
        FormulaError: for a text that is not a condition, names nothing, or compares different units.

    """
    graph = resolved.whole
    reader = Reader(library.units, library.cache)
    found = []
    for text in texts:
        scope = replace(resolved.scope, findings=[], compared=0)
        made, condition = _nodes(text, reader, _Asked(scope, names.namespace, names=names))
        made = _expanded(made, scope)
        _refuse(text, scope.findings)
        graph = _joined(graph, made)
        found.append(condition)
    return graph, found


def _nodes(text: str, reader: Reader, checker: _Asked) -> tuple[list[Node], Condition]:
    """The flag, and for a comparison of quantities their difference."""
    written, findings = reader.expression(with_unit_texts(text, checker.names.units), _PLACE)
    if written is None:
        _refuse(text, findings)
        raise AssertionError(text)
    _refuse_with(text, written)
    checked, type_ = checker.check(written)
    units.is_flag(checker.scope, (checked, type_))
    lowered = unrolled(checked, checker.scope)
    spelled = expression_text(_spelled(lowered))
    flag = _node(spelled, Flag(), lowered, written)
    if not isinstance(lowered, e.Compare) or not isinstance(checked, e.Compare):
        return [flag], Condition(spelled, spelled)
    sides = [checker.silent().check(each)[1] for each in (written.left, written.right)]  # type: ignore[attr-defined]
    quantity = next((side for side in sides if isinstance(side, Quantity)), None)
    if quantity is None or not all(isinstance(side, Quantity | AnyQuantity) for side in sides):
        return [flag], Condition(spelled, spelled)
    gap = e.Binary("-", lowered.left, lowered.right)
    name = expression_text(_spelled(gap))
    return [flag, _node(name, Quantity(quantity.dimension), gap, written)], Condition(
        spelled, spelled, lowered.operator, name
    )


def _node(name: str, type_: Type, lowered: e.Expression, written: e.Expression) -> Node:
    dimension = type_.dimension if isinstance(type_, Quantity) else None
    unit = Unit(str(dimension), dimension=dimension) if dimension and dimension.exponents else NO_UNIT
    declared = d.FormulaDeclaration(name=name, expression=written, notes=Notes("A condition that was asked for"))
    return Node(name, "formula", type_, unit, lowered, declared, written)


def _spelled(x: e.Expression) -> e.Expression:
    """The expression with the full names of what it reads."""
    return e.Reference(x.node, x.node) if isinstance(x, e.Reference) else e.rebuild(x, _spelled)


def _expanded(made: list[Node], scope: Scope) -> list[Node]:
    """The nodes, each behind those of the functions that it calls."""
    called = any(isinstance(x, e.Call) and x.function in scope.symbols for node in made for x in e.walk(_whole(node)))
    if not called or scope.findings:
        return made
    return list(expand_calls(made, functions_of(scope, scope.symbols.values()), scope, {}).values())


def _whole(node: Node) -> e.Expression:
    return node.expression if node.expression is not None else e.Number("0")


def _joined(graph: FormulaGraph, made: Sequence[Node]) -> FormulaGraph:
    """The graph with further nodes behind all others; one that is there already stays."""
    new = {node.name: node for node in made if node.name not in graph.nodes}
    parents = {**graph.parents, **{name: reads(node) for name, node in new.items()}}
    for name, node in new.items():
        read = (new[each] if each in new else graph.nodes[each] for each in parents[name])
        new[name] = replace(node, needs=tuple(sorted({need for each in read for need in _needs(each)})))
    return replace(graph, nodes=overlaid(graph.nodes, new), parents=parents)


def _needs(read: Node) -> tuple[str, ...]:
    """The choices that reading a node needs: an input that lacks one stands for it."""
    return (read.name,) if read.is_open_choice or (read.needs and read.kind == "input") else read.needs


def _refuse_with(text: str, written: e.Expression) -> None:
    if any(isinstance(node, e.With) for node in e.walk(written)):
        message = "A condition holds no `with`"
        _refuse(text, [Diagnostic("bad-condition", message, help="Give those inputs as options.")])


def _refuse(text: str, findings: Sequence[Diagnostic]) -> None:
    """Raise what is wrong with a condition, which its text says better than a place would."""
    where = f"In the condition `{shortened(text)}`"
    if findings:
        raise FormulaError(
            *(finding._replace(message=f"{where}: {finding.message}", labels=()) for finding in findings)
        )
