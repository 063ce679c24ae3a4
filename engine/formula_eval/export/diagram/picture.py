"""A document to a picture of its model as SVG, for a file or within a page."""

from collections.abc import Sequence
from pathlib import Path

from formula_eval.core.diagnostic import refuse
from formula_eval.export.diagram.drawing import drawing, harmless
from formula_eval.export.diagram.structure import structure_of
from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.templates import filled, folders_of


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
    data = drawing(structure_of(document, phases))
    folders = folders_of(document.evaluator.library, templates)
    return harmless(filled("structure/picture.svg.j2", {**data, "inline": inline, "name": name}, None, folders))


def write_structure(document: Document, target: str | Path) -> None:
    """Write the picture of all phases; raises FormulaError, also for a question that it has no answer to."""
    if document.question.purpose != "serving":
        message = "The picture shows a prompt and a decode step: nothing of a training run or of a namespace"
        raise refuse("no-picture", message, help="`export html` has the kernels of a training run.")
    write_whole(target, structure_svg(document))
