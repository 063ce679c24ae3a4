"""Builds the picture of the wanted quantities: each beneath those that it is computed from."""

import math

from formula_eval.ask.layout import Section
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.export.diagram.arrows import Arrow, following_of, without_implied
from formula_eval.export.diagram.diagram_layout import DiagramLayout
from formula_eval.export.diagram.operators import Amount, Operator, Phase
from formula_eval.export.diagram.structure import Structure
from formula_eval.export.document import Document
from formula_eval.export.palette import palette_of
from formula_eval.export.quantities import headline_nodes, title_of
from formula_eval.export.relevance import RelativeInfluence

_MOST = 60
_MOST_UNASKED, _WIDEST = 24, 6  # where nobody said what to draw: so much besides what is wanted, so much of a layer
_ASKED, _COMPUTED, _GIVEN = "asked for", "computed", "input"
_KINDS: dict[str, Section] = {_ASKED: {}, _COMPUTED: {}, _GIVEN: {}}


def quantities_of(document: Document) -> Structure:
    """The quantities asked for and the nearest of those that they are computed from, as many as fit."""
    graph = document.graph
    asked = [node.name for node in headline_nodes(document, _MOST)] or list(document.wanted[:_MOST])
    shown = _nearest(
        asked,
        document,
        None if document.is_named or document.evaluator.library.is_alone else RelativeInfluence(document),
    )
    every = graph.ancestors(asked)
    left_out = sum(not graph.nodes[name].is_part_of_another for name in every) - len(shown)
    sentence = f"{left_out} further quantities that these need are not drawn" if left_out else ""
    operators = {name: _card(graph.nodes[name], document, asked) for name in every if name in shown}
    phase = Phase("What it is computed from", sentence, "", Amount(), operators, tuple(_arrows(shown, graph)))
    layout = DiagramLayout("", palette_of(document.evaluator.library), {}, (), _KINDS, (), (), (), (), (), ())
    return Structure(title_of(document), (), {}, layout, (phase,), ())


def _nearest(asked: list[str], document: Document, influence: RelativeInfluence | None) -> set[str]:
    """The nearest of what these read, layer by layer; where an influence counts, the weightiest of each layer."""
    graph, found = document.graph, dict.fromkeys(asked)
    most = _MOST if influence is None else len(asked) + _MOST_UNASKED
    layer = list(asked)
    while layer and len(found) < most:
        read = dict.fromkeys(each for name in layer for each in graph.reads(name) if each not in found)
        read = {each: None for each in read if not _is_far(graph.nodes[each], document)}
        if influence is not None:
            weights = {each: influence.of([each]) for each in read}
            read = {each: None for each in sorted(read, key=lambda name: -weights[name])[:_WIDEST] if weights[each]}
        layer = list(read)[: most - len(found)]
        found.update(dict.fromkeys(layer))
    return set(found)


def _is_far(node: Node, document: Document) -> bool:
    """Whether it is a cell of a long sequence after the first row, which shows how all of them are computed."""
    shape = document.evaluator.schema.tables.get(node.cell.table) if node.cell is not None else None
    return shape is not None and node.cell is not None and shape.is_long and node.cell.row != shape.rows[0]


def _arrows(shown: set[str], graph: FormulaGraph) -> list[Arrow]:
    """The arrows from each quantity to those that read it, without arrows that others imply."""
    read = ((parent, name) for name in shown for parent in graph.reads(name) if parent in shown)
    return without_implied(following_of(shown, read))


def _card(node: Node, document: Document, asked: list[str]) -> Operator:
    kind = _GIVEN if node.kind == "input" else _ASKED if node.name in asked else _COMPUTED
    words = node.base.split(".")[-2 if node.cell else -1 :]
    title = " ".join(words).replace("_", " ") + (f", {node.binding}" if node.binding else "")
    value, sentence = Amount(text=_value(node, document)), node.sentence
    return Operator(node.name, title, sentence, 1, Amount(), Amount(), value, kind, 0)


def _value(node: Node, document: Document) -> str:
    """The value as people read it; nothing for a record, and for what is absent."""
    return "" if math.isnan(document.numbers.get(node.name, math.nan)) else document.shown(node.name)
