"""Extracts the schema of a graph: what each input, formula, check and table is, without its expressions."""

from collections.abc import Collection

from formula_eval.core.expression import Reference
from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.core.namespace import around
from formula_eval.core.unit import UnitTable
from formula_eval.printing.text import expression_text
from formula_eval.records import schema
from formula_eval.records.synonyms import NO_SYNONYMS, Synonyms

_UNASKED = ("check", "call", "argument")


def schema_of(graph: FormulaGraph, units: UnitTable, synonyms: Synonyms = NO_SYNONYMS) -> schema.Schema:
    """The schema of a graph, whose values are written in these units; `synonyms` are what others call its inputs."""
    inputs, formulas = {}, {}
    folders = _folders(graph)
    for name, node in graph.nodes.items():
        if node.kind == "input":
            inputs[name] = input_schema(node, synonyms)
        elif is_quantity(node):
            formulas[name] = formula_schema(node, folders[name])
    checks = {check.node: check_schema(check, graph) for check in graph.checks}
    spoken = UnitTable(units.units, synonyms.units, synonyms.advised)
    parts = {name: ".".join(part.folder.path) for name, part in graph.parts.items()}
    return schema.Schema(inputs, formulas, checks, graph.tables, graph.kinds, spoken, synonyms, parts)


def is_quantity(node: Node) -> bool:
    """Whether somebody may ask for a node that is no input."""
    return node.kind not in ("input", *_UNASKED)


def check_schema(check: Check, graph: FormulaGraph) -> schema.CheckSchema:
    """One check."""
    node = graph.nodes[check.node]
    message = (f"{{{part.node}}}" if isinstance(part, Reference) else str(part) for part in check.message)
    about = node.declaration.span.place, node.namespace, _needs(check, graph), check.change
    return schema.CheckSchema(check.node, check.level, tuple(message), *about)


def _needs(check: Check, graph: FormulaGraph) -> tuple[str, ...]:
    """The choices that somebody has to make before a check can speak."""
    nodes = (check.node, *(part.node for part in check.message if isinstance(part, Reference)))
    return tuple(dict.fromkeys(need for name in nodes for need in graph.nodes[name].needs))


def _folders(graph: FormulaGraph) -> dict[str, tuple[str, ...]]:
    """Of the folders that hold checks, those of each node and of all that it needs."""
    known = {graph.nodes[check.node].namespace for check in graph.checks} - {""}
    found: dict[str, tuple[str, ...]] = {}
    for name, node in graph.nodes.items():
        needed = {each for parent in graph.parents[name] for each in found[parent]}
        found[name] = tuple(sorted(needed | own_folders(node, graph, known)))
    return found


def own_folders(node: Node, graph: FormulaGraph, known: Collection[str]) -> set[str]:
    """Of these folders, those that the author of a node wrote it in."""
    writer = graph.written_in(node)
    return set(known).intersection((*around(writer.namespace), *around(writer.base)))


def input_schema(node: Node, synonyms: Synonyms) -> schema.InputSchema:
    """One input."""
    return schema.InputSchema(
        name=node.name,
        quantity=node.quantity,
        sentence=node.sentence,
        place=node.declaration.span.place,
        supplier=node.supplier,
        record=node.record,
        key=node.key,
        cell=node.cell,
        default=expression_text(node.author) if node.author is not None else node.fixed,
        optional=node.optional or (node.expression is not None and node.author is None),
        low=node.low,
        high=node.high,
        allowed=node.allowed,
        needs=node.needs,
        fixed=node.fixed,
        also=synonyms.words_for(node.quantity.words),
    )


def formula_schema(node: Node, folders: tuple[str, ...]) -> schema.FormulaSchema:
    """One quantity, which needs formulas of these folders."""
    about = node.sentence, node.declaration.span.place, node.kind, node.namespace, folders, node.original, node.needs
    return schema.FormulaSchema(node.name, node.quantity, *about)
