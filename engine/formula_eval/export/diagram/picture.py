"""Renders the picture of a document as SVG, for a file or within a page."""

from collections.abc import Sequence
from pathlib import Path

from formula_eval.export.diagram.diagram_layout import DIAGRAM_FILE, diagram_file, read_diagram_layout
from formula_eval.export.diagram.drawing import drawing, harmless
from formula_eval.export.diagram.quantity_graph import quantities_of
from formula_eval.export.diagram.structure import Structure, structure_of
from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.quantities import is_written_for
from formula_eval.export.templates import filled, folders_of
from formula_eval.records.answer_kind import usual_purpose


def structure_svg(
    document: Document,
    phases: Sequence[str] = (),
    *,
    inline: bool = False,
    name: str = "structure",
    templates: str = "",
) -> str:
    """The picture as SVG text.

    `inline` is for a page that holds it: no background, the page's own text colour, and ids that begin with `name`.
    """
    folders = folders_of(document.evaluator.library, templates)
    return svg_of(structure_of(document, phases), folders, inline=inline, name=name)


def svg_of(structure: Structure, folders: Sequence[Path], *, inline: bool = False, name: str = "structure") -> str:
    """The SVG text of a structure."""
    data = drawing(structure)
    return harmless(filled("structure/picture.svg.j2", {**data, "inline": inline, "name": name}, None, folders))


def write_structure(document: Document, target: str | Path) -> None:
    """Write the picture of all phases, or of how the wanted quantities are computed; raises FormulaError."""
    if _is_drawn(document):
        write_whole(target, structure_svg(document))
        return
    library = document.evaluator.library
    purpose = document.question.about(library)
    drawn = purpose == usual_purpose(library) or diagram_file(library, purpose) != DIAGRAM_FILE
    if document.is_asked or not drawn:
        write_whole(target, svg_of(quantities_of(document), folders_of(document.evaluator.library)))
        return
    write_whole(target, structure_svg(document))


def _is_drawn(document: Document) -> bool:
    """Whether the layout of pictures was written for the namespace that is asked."""
    library = document.evaluator.library
    totals = (
        [{"name": phase["total"]} for phase in read_diagram_layout(library).phases]
        if library.last(DIAGRAM_FILE)[0]
        else []
    )
    return document.is_asked and is_written_for(document, totals)
