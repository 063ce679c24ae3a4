"""Writes the page of a document: layout, data, formulas as JavaScript, scripts and style in one HTML file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.html import record_choices
from formula_eval.export.html.assets import page_of, scripts_of, style_of
from formula_eval.export.html.formulas import formulas_data
from formula_eval.export.html.page_colours import colours_data
from formula_eval.export.html.page_layout import page_layout
from formula_eval.export.html.program import PageProgram, javascript_program
from formula_eval.export.palette import palette_of
from formula_eval.export.quantities import joint_of
from formula_eval.export.shape_sections import with_shapes
from formula_eval.export.templates import folders_of
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.library import Library
from formula_eval.records.question_words import BETWEEN, words_of
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
    places = record_choices.places_data(document, layout)
    return {
        "version": __version__,
        "layout": layout,
        "formulas": formulas_data(document, program),
        "records": record_choices.records_data(document),
        "places": places,
        "shared": record_choices.shared_data(document),
        "start": record_choices.state_data(document, places),
        "units": record_choices.units_data(document.evaluator.library.units, document.evaluator.schema.synonyms.units),
        "joint": joint_of(document),
        "question": question_data(document),
        "describing": roles_of(document.evaluator.library).model,
        "palette": colours_data(palette_of(document.evaluator.library)),
    }


def question_data(document: Document) -> dict[str, Any]:
    """The roles of inputs and kinds that are on the page, and what others call these.

    `byParts` are the kinds whose records are found by parts of their names; `sharing` are the inputs by which the
    accelerators that are counted share a model, absent where the page lacks them; `job` is the input of their number
    where the question is about a whole job, else empty, and `all` that input in any case; `programs` holds the kind of
    their records and, by the words that start a program, its engine.
    """
    library, schema = document.evaluator.library, document.evaluator.schema
    roles, offered = roles_of(library), record_choices.records_of(document)
    inputs = {node.name for node in document.nodes if node.kind == "input"}
    within, across = roles.shared
    machine = roles.machine
    counted = words_of(schema.kinds.get(roles.accelerator))
    is_job = document.question.about(library) in roles.purposes[1:] and roles.accelerators in inputs
    called = {**schema.synonyms.records, **schema.synonyms.inputs}
    found: dict[str, Any] = {
        "byParts": [text for text in (roles.model, roles.accelerator) if text in offered],
        "programs": {"kind": roles.engine, "started": _starts(library)},
        "counted": {"kind": roles.accelerator, "words": sorted(counted)},
        "between": sorted({*BETWEEN, *counted, library.answer} - {""}),
        "phrases": schema.synonyms.phrases,
        "names": {theirs: ours for theirs, ours in called.items() if ours in inputs or ours in offered},
        "job": roles.accelerators if is_job else "",
        "all": roles.accelerators if roles.accelerators in inputs else "",
    }
    if inputs.issuperset((within, across, roles.per_node)):
        found["sharing"] = {"within": within, "across": across, "node": roles.per_node}
    if machine.record in offered and inputs.issuperset((machine.holds, machine.number)):
        found["machine"] = machine._asdict()
    return found


def _starts(library: Library) -> dict[str, str]:
    """The words that start a program, with its engine."""
    known = programs_of(library).values()
    starts = (
        (" ".join(command), program.engine) for program in known if program.engine for command in program.commands
    )
    return {words: engine for words, engine in starts if "*" not in words}
