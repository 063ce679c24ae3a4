"""Writes the page of a document: layout, data, formulas as JavaScript, scripts and style in one HTML file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.html.assets import page_of, scripts_of, style_of
from formula_eval.export.html.formulas import formulas_data
from formula_eval.export.html.page_colours import colours_data
from formula_eval.export.html.page_layout import page_layout
from formula_eval.export.html.page_question import question_data
from formula_eval.export.html.program import PageProgram, javascript_program
from formula_eval.export.html.record_choices import places_data, records_data, shared_data, state_data, units_data
from formula_eval.export.palette import palette_of
from formula_eval.export.quantities import joint_of
from formula_eval.export.shape_sections import with_shapes
from formula_eval.export.templates import folders_of
from formula_eval.records.roles import roles_of
from formula_eval.version import __version__

_TEMPLATE = "page.html.j2"
_IN_WORKER = "if (!globalThis.document) return serve();"


def write_page(
    document: Document, target: str | Path, templates: str = "", pages: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Write the page; raises FormulaError if a template of the user's own fails, or the file cannot be written."""
    write_whole(target, page_text(document, templates, pages))


def page_text(document: Document, templates: str = "", pages: Sequence[Mapping[str, Any]] = ()) -> str:
    """The HTML of the page, with the user's own parts from a folder of theirs, among the `pages` of its site."""
    folders = folders_of(document.evaluator.library, templates)
    document = with_shapes(document)
    layout = page_layout(document)
    program = javascript_program(document)
    computing, showing = (scripts_of(document.evaluator.library, kind, folders) for kind in ("computing", "showing"))
    script = "\n".join(['"use strict";', program.script, *computing, _IN_WORKER, *showing])
    shown = {
        "title": layout["title"],
        "summary": layout.get("summary", ""),
        "values": [{"name": name, "text": str(value)} for name, value in document.result.values.items()],
        "data": _data(document, layout, program),
        "pages": pages,
    }
    style = style_of(document.evaluator.library, ["style.css"], folders)
    return page_of(_TEMPLATE, shown, f"(() => {{\n{script}\n}})();\n", style, folders)


def _data(document: Document, layout: dict[str, Any], program: PageProgram) -> dict[str, Any]:
    places = places_data(document, layout)
    return {
        "version": __version__,
        "layout": layout,
        "formulas": formulas_data(document, program),
        "records": records_data(document),
        "places": places,
        "shared": shared_data(document),
        "start": state_data(document, places),
        "units": units_data(document.evaluator.library.units),
        "joint": joint_of(document),
        "question": question_data(document),
        "describing": roles_of(document.evaluator.library).model,
        "palette": colours_data(palette_of(document.evaluator.library)),
    }
