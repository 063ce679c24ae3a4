"""The passes from chapters to graph, in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.core.table import TableShape
from formula_eval.core.unit import UnitTable
from formula_eval.resolve.declare import declare
from formula_eval.resolve.expand_calls import Budget, TooLargeError, calls_of, check_recursion, expand_calls
from formula_eval.resolve.expand_with import MOST_NODES, expand_variants
from formula_eval.resolve.nodes import Function, drafts_of, functions_of
from formula_eval.resolve.order import ordered, reads
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import row_names


@dataclass(frozen=True, slots=True)
class Resolved:
    """The graph, or None and why there is none; the scope tells what was declared."""

    graph: FormulaGraph | None
    scope: Scope
    findings: tuple[Diagnostic, ...]


def resolve(chapters: Iterable[d.Chapter], units: UnitTable) -> Resolved:
    """The graph of all chapters, or everything that is wrong with them."""
    scope = declare(chapters, units)
    nodes = _nodes(scope)
    order = None
    if not (scope.findings or scope.broken):
        order = ordered({name: reads(node) for name, node in nodes.items()}, scope, nodes)
    if order is None:
        return Resolved(None, scope, _in_order(scope.findings))
    expanded = expand_variants(nodes, order, scope)
    graph = None if scope.findings else _graph(expanded, scope)
    return Resolved(None if scope.findings else graph, scope, _in_order(scope.findings))


def _in_order(findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """As their places follow each other in the text."""
    return tuple(sorted(findings, key=lambda each: (each.labels[0].span.file, each.labels[0].span.line)))


def _nodes(scope: Scope) -> dict[str, Node]:
    functions = functions_of(scope)
    check_recursion(functions, scope)
    drafts = list(drafts_of(scope))
    if scope.findings or scope.broken:
        _find_cycles(drafts, functions, scope)
        return {}
    nodes: dict[str, Node] = {}
    for draft in drafts:
        try:
            made = list(expand_calls(draft, functions, scope, Budget(MOST_NODES - len(nodes))))
        except TooLargeError:
            message = f"The calls in `{draft.name}` are too many, or too deep within each other"
            help_ = "Let the functions call fewer others, or make formulas of what they share."
            scope.find("too-large", message, draft.declaration.span, help=help_)
            return {}
        for node in made:
            if node.name in nodes:
                message = f"`{node.name}` names two things"
                other = (nodes[node.name].declaration.span, "the other one")
                scope.find("declared-twice", message, node.declaration.span, other, help="Rename one of them.")
            nodes[node.name] = node
    return nodes


def _find_cycles(drafts: list[Node], functions: Mapping[str, Function], scope: Scope) -> None:
    """Find cycles among drafts that have other findings too; what a function reads, its callers read."""
    read_by = {name: set(e.references(function.body)) for name, function in functions.items()}
    calls = {name: calls_of(function.body, functions) for name, function in functions.items()}
    for name in functions:
        pending, seen = list(calls[name]), {name}
        while pending:
            called = pending.pop()
            if called not in seen:
                seen.add(called)
                read_by[name] |= set(e.references(functions[called].body))
                pending += calls[called]
    nodes = {draft.name: draft for draft in drafts}
    parents = {
        name: (*reads(node), *(each for called in calls_of(node.expression, functions) for each in read_by[called]))
        for name, node in nodes.items()
    }
    ordered(parents, scope, nodes)


def _graph(nodes: dict[str, Node], scope: Scope) -> FormulaGraph | None:
    parents = {name: reads(node) for name, node in nodes.items()}
    order = ordered(parents, scope, nodes)
    if order is None:
        return None
    children: dict[str, list[str]] = {name: [] for name in order}
    for name in order:
        for parent in parents[name]:
            children[parent].append(name)
    return FormulaGraph(
        nodes={name: nodes[name] for name in order},
        parents={name: parents[name] for name in order},
        children={name: tuple(each) for name, each in children.items()},
        checks=tuple(_checks(nodes)),
        tables=_tables(scope),
        functions={
            n: s.declaration for n, s in scope.symbols.items() if isinstance(s.declaration, d.FunctionDeclaration)
        },
    )


def _checks(nodes: dict[str, Node]) -> Iterable[Check]:
    for name, node in nodes.items():
        if node.kind == "check":
            assert isinstance(node.declaration, d.CheckDeclaration)  # noqa: S101 - for the type checker
            parts = node.declaration.message
            message = tuple(
                part if isinstance(part, str) else e.Reference(f"{name}.{number}") for number, part in enumerate(parts)
            )
            yield Check(name, node.declaration.level, message)  # type: ignore[arg-type]


def _tables(scope: Scope) -> dict[str, TableShape]:
    return {
        name: TableShape(
            name,
            row_names(symbol.declaration),
            tuple(column.name for column in symbol.declaration.columns),
            symbol.declaration.supplier,
        )
        for name, symbol in scope.symbols.items()
        if isinstance(symbol.declaration, d.TableDeclaration)
    }
