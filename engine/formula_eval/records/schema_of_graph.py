"""Graph to schema: what each input, formula, check and table is, without its expressions."""

from formula_eval.core.expression import Reference
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Choice, Flag, Quantity, Record, Type
from formula_eval.printing.text import expression_text
from formula_eval.records import schema

_UNASKED = ("check", "call", "argument")


def schema_of(graph: FormulaGraph) -> schema.Schema:
    """The schema of a graph."""
    inputs, formulas = {}, {}
    folders = _folders(graph)
    for name, node in graph.nodes.items():
        if node.kind == "input":
            inputs[name] = _input(node)
        elif node.kind not in _UNASKED:
            formulas[name] = schema.FormulaSchema(
                name, quantified(node.type, node.unit), _sentence(node), _place(node), node.kind, folders[name]
            )
    checks = {
        check.node: schema.CheckSchema(
            check.node,
            check.level,
            tuple(f"{{{part.node}}}" if isinstance(part, Reference) else str(part) for part in check.message),
            _place(graph.nodes[check.node]),
        )
        for check in graph.checks
    }
    tables = {name: (each.rows, each.columns, each.supplier) for name, each in graph.tables.items()}
    return schema.Schema(inputs, formulas, checks, tables)


def _folders(graph: FormulaGraph) -> dict[str, tuple[str, ...]]:
    """Of the folders that hold checks, those of each node and of all that it needs."""
    known = {check.node.rpartition(".")[0] for check in graph.checks}
    found: dict[str, tuple[str, ...]] = {}
    for name in graph.nodes:
        needed = {each for parent in graph.parents[name] for each in found[parent]}
        parts = name.split(".")
        own = known.intersection(".".join(parts[:count]) for count in range(1, len(parts)))
        found[name] = tuple(sorted(needed | own))
    return found


def _input(node: Node) -> schema.InputSchema:
    return schema.InputSchema(
        name=node.name,
        quantity=quantified(node.type, node.unit),
        sentence=_sentence(node),
        place=_place(node),
        supplier=node.supplier,
        record=node.record,
        key=node.key,
        default=expression_text(node.author) if node.author is not None else "",
        optional=node.optional or (node.expression is not None and node.author is None),
        low=node.low,
        high=node.high,
        allowed=node.allowed,
    )


def _sentence(node: Node) -> str:
    return node.declaration.notes.sentence


def _place(node: Node) -> str:
    return f"{node.declaration.span.file}:{node.declaration.span.line}"


def quantified(type_: Type, unit: str) -> schema.Quantified:
    """A type and its unit as plain data."""
    match type_:
        case Quantity(dimension, whole):
            kind = "whole" if whole else "number"
            return schema.Quantified(kind, unit, str(dimension) if dimension.exponents else "")
        case Flag():
            return schema.Quantified("flag")
        case Choice(values):
            return schema.Quantified("choice", words=values)
        case Record(supplier):
            return schema.Quantified("record", supplier)
    return schema.Quantified("number", unit)
