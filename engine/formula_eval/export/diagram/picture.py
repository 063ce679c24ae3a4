"""Renders the picture of a document as SVG."""

from formula_eval.export.diagram.diagram_layout import DIAGRAM_FILE, diagram_file, read_diagram_layout
from formula_eval.export.diagram.drawing import drawing, harmless
from formula_eval.export.diagram.quantity_graph import quantities_of
from formula_eval.export.diagram.structure import Structure, structure_of
from formula_eval.export.document import Document
from formula_eval.export.quantities import is_written_for
from formula_eval.export.templates import filled, folders_of
from formula_eval.library import Library
from formula_eval.records.answer_kind import usual_purpose


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
