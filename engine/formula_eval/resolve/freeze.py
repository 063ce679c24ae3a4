"""Freezes lowered nodes into the graph that every output reads: ordered, with children, checks and tables."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.core.table import TableShape
from formula_eval.resolve.order import ordered, reads
from formula_eval.resolve.required_choices import with_needs
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import row_names

_Kind = TypeVar("_Kind", bound=d.Declaration)


def freeze(nodes: Mapping[str, Node], parents: dict[str, tuple[str, ...]], scope: Scope) -> FormulaGraph | None:
    """The graph of nodes and what each reads; None if there are cycles, which are then among the findings."""
    order = ordered(parents, scope, nodes)
    if order is None:
        return None
    made = with_needs({name: nodes[name] for name in order}, parents)
    parents = {**parents, **{name: reads(node) for name, node in made.items() if node is not nodes[name]}}
    return graph_of(made, {name: parents[name] for name in order}, tuple(checks_of(nodes)), scope)


def graph_of(
    nodes: Mapping[str, Node], parents: Mapping[str, tuple[str, ...]], checks: tuple[Check, ...], scope: Scope
) -> FormulaGraph:
    """The graph of nodes in the order of evaluation, and what each reads."""
    return FormulaGraph(
        nodes=nodes,
        parents=parents,
        checks=checks,
        tables=_tables(scope),
        kinds=scope.kinds,
        functions=_declared(scope, d.FunctionDeclaration),
        parts=_declared(scope, d.PartDeclaration),
    )


def _declared(scope: Scope, kind: type[_Kind]) -> dict[str, _Kind]:
    symbols = scope.symbols.items()
    return {name: symbol.declaration for name, symbol in symbols if isinstance(symbol.declaration, kind)}


def checks_of(nodes: Mapping[str, Node]) -> Iterator[Check]:
    """The checks among these nodes."""
    for name, node in nodes.items():
        if node.kind == "check":
            assert isinstance(node.declaration, d.CheckDeclaration)  # noqa: S101 - for the type checker
            parts = node.declaration.message
            message = tuple(
                part if isinstance(part, str) else e.Reference(f"{name}.{number}") for number, part in enumerate(parts)
            )
            declared = node.declaration
            yield Check(name, declared.level, message, declared.change)  # type: ignore[arg-type]


def _tables(scope: Scope) -> dict[str, TableShape]:
    return {
        name: TableShape(
            name,
            row_names(symbol.declaration),
            tuple(column.name for column in symbol.declaration.columns),
            symbol.declaration.supplier,
            symbol.like,
            symbol.declaration.indices,
        )
        for name, symbol in scope.symbols.items()
        if isinstance(symbol.declaration, d.TableDeclaration) and row_names(symbol.declaration)
    }
