"""Graphs built by hand, from inputs and formulas as text."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from formula_eval.core import expression as e
from formula_eval.core.declaration import FormulaDeclaration
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.span import Span
from formula_eval.core.type import Choice, Flag, Quantity, Record, Type
from formula_eval.core.unit import NO_UNIT
from formula_eval.evaluate.program import Program, compile_program
from formula_eval.language.reader import Reader
from formula_eval.libraries import find_library

ROOT = Path(__file__).parents[2]
READER = Reader(find_library().units)
MODE = Choice(("none", "core", "full"), "mode")
TYPES: Mapping[str, Type] = {"gated": Flag(), "tied": Flag(), "mode": MODE, "draft": Record("model")}
NUMBER = Quantity()


def lowered(x: e.Expression) -> e.Expression:
    match x:
        case e.Name((word,)) if word in MODE.values:
            return e.ChoiceValue(word, MODE.values.index(word))
        case e.Name(path):
            return e.Reference(".".join(path))
        case e.Call("given", (e.Name(path),)):
            return e.Given(".".join(path))
    return e.rebuild(x, lowered)


def read(text: str, line: int = 1) -> e.Expression:
    expression, findings = READER.expression(text, "costs.formula")
    assert expression is not None, findings
    return replace(expression, span=Span("costs.formula", line, 1, line, len(text) + 1))


def graph_of(
    inputs: Mapping[str, str], formulas: Mapping[str, str], guards: Mapping[str, str] | None = None
) -> FormulaGraph:
    """Inputs with their default (or nothing), formulas in order; line n of the file holds the nth formula."""
    nodes: dict[str, Node] = {}
    for line, (name, text) in enumerate((inputs | formulas).items(), 1):
        author = read(text, line) if text else None
        expression = lowered(author) if author is not None else None
        declaration = FormulaDeclaration(name=name, expression=author or e.Number("0"))
        guard = lowered(read(guards[name])) if guards and name in guards else None
        kind = "input" if name in inputs else "formula"
        type_ = TYPES.get(name, NUMBER)
        nodes[name] = Node(name, kind, type_, NO_UNIT, expression, declaration, author=author, guard=guard)
    parents = {name: parents_of(node) for name, node in nodes.items()}
    return FormulaGraph(nodes, parents)


def parents_of(node: Node) -> tuple[str, ...]:
    parts = (node.expression, node.guard)
    return tuple(dict.fromkeys(name for part in parts if part is not None for name in e.references(part)))


def program_of(
    inputs: Mapping[str, str], formulas: Mapping[str, str], guards: Mapping[str, str] | None = None
) -> Program:
    return compile_program(graph_of(inputs, formulas, guards), list(formulas))
