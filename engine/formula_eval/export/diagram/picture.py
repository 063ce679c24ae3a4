"""Renders the picture of a document as SVG: its operators, or the wanted quantities beneath those that they read."""

import math

from formula_eval.ask.layout import Section
from formula_eval.core.graph import Node
from formula_eval.export.diagram.arrows import following_of, without_implied
from formula_eval.export.diagram.diagram_layout import DIAGRAM_FILE, DiagramLayout, diagram_file, read_diagram_layout
from formula_eval.export.diagram.drawing import drawing, harmless
from formula_eval.export.diagram.operators import Amount, Operator, Phase
from formula_eval.export.diagram.structure import Structure, structure_of
from formula_eval.export.document import Document
from formula_eval.export.palette import palette_of
from formula_eval.export.quantities import headline_nodes, is_written_for, title_of
from formula_eval.export.relevance import RelativeInfluence
from formula_eval.export.templates import filled, folders_of
from formula_eval.library import Library
from formula_eval.records.answer_kind import usual_purpose

_MOST = 60
_MOST_UNASKED, _WIDEST = 24, 6  # where nobody said what to draw: so much besides what is wanted, so much of a layer
_ASKED, _COMPUTED, _GIVEN = "asked for", "computed", "input"
_KINDS: dict[str, Section] = {_ASKED: {}, _COMPUTED: {}, _GIVEN: {}}


def picture_svg(document: Document) -> str:
    """The picture of all phases, or of how the wanted quantities are computed; raises FormulaError."""
    shown = structure_of(document) if _has_operators(document) else quantities_of(document)
    return svg_of(shown, document.evaluator.library)


def svg_of(structure: Structure, library: Library) -> str:
    """The SVG text of a structure."""
    return harmless(filled("structure/picture.svg.j2", drawing(structure), None, folders_of(library)))


def _has_operators(document: Document) -> bool:
    """Whether a layout of pictures was written for what is asked: its purpose, or the quantities that were named."""
    library = document.evaluator.library
    if document.is_asked:
        phases = read_diagram_layout(library).phases if library.last(DIAGRAM_FILE)[0] else ()
        return is_written_for(document, [{"name": phase["total"]} for phase in phases])
    purpose = document.question.about(library)
    return purpose == usual_purpose(library) or diagram_file(library, purpose) != DIAGRAM_FILE


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
    read = ((parent, name) for name in shown for parent in graph.reads(name) if parent in shown)
    arrows = tuple(without_implied(following_of(shown, read)))
    operators = {name: _card(graph.nodes[name], document, asked) for name in every if name in shown}
    phase = Phase("What it is computed from", sentence, "", Amount(), operators, arrows)
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


def _card(node: Node, document: Document, asked: list[str]) -> Operator:
    kind = _GIVEN if node.kind == "input" else _ASKED if node.name in asked else _COMPUTED
    words = node.base.split(".")[-2 if node.cell else -1 :]
    title = " ".join(words).replace("_", " ") + (f", {node.binding}" if node.binding else "")
    is_absent = math.isnan(document.numbers.get(node.name, math.nan))  # as a record is
    value = Amount(text="" if is_absent else document.shown(node.name))
    return Operator(node.name, title, node.sentence, 1, Amount(), Amount(), value, kind, 0)
