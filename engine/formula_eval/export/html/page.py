"""A document to one HTML file that recalculates in the browser, with no server and no network."""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup

from formula_eval.core.diagnostic import refuse
from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.html.formulas import formulas_data
from formula_eval.export.html.page_colours import colour_style, colours_data
from formula_eval.export.html.page_layout import page_layout
from formula_eval.export.html.program import Program, javascript_program
from formula_eval.export.html.record_choices import places_data, records_data, shared_data, state_data, units_data
from formula_eval.export.palette import palette_of
from formula_eval.export.shapes import with_shapes
from formula_eval.export.templates import filled, folders_of
from formula_eval.export.title import joint_of
from formula_eval.library import read_text
from formula_eval.version import __version__

_TEMPLATE = "page/page.html.j2"
# In this order they make one script, of which a worker of the page runs the first part; a file of the same name in
# a user's own folder page/ replaces one of them.
_COMPUTING = (
    "data.js",
    "display.js",
    "reading.js",
    "axis.js",
    "state.js",
    "describe.js",
    "calculator.js",
    "grid.js",
    "elasticity.js",
    "jobs.js",
)
_SHOWING = (
    "background.js",
    "elements.js",
    "openable.js",
    "update.js",
    "link.js",
    "picker.js",
    "controls.js",
    "inputs.js",
    "summary.js",
    "scenarios.js",
    "memory.js",
    "times.js",
    "roofline.js",
    "scale.js",
    "cursor.js",
    "curves.js",
    "choices.js",
    "line_chart.js",
    "heat_map.js",
    "sweep.js",
    "sensitivity.js",
    "structure.js",
    "operators.js",
    "table.js",
    "checks.js",
    "listing.js",
    "derivation.js",
    "sharing.js",
    "main.js",
)
SCRIPTS = (*_COMPUTING, *_SHOWING)
_IN_WORKER = "if (!globalThis.document) return serve();"


def write_page(document: Document, target: str | Path, templates: str = "") -> None:
    """Write the page; raises FormulaError if a template of the user's own fails, or the file cannot be written."""
    write_whole(target, page_text(document, templates))


def page_text(document: Document, templates: str = "") -> str:
    """The HTML of the page, with the user's own parts from a folder of theirs."""
    folders = folders_of(document.evaluator.library, templates)
    document = with_shapes(document)
    layout = page_layout(document)
    style = colour_style(document.evaluator.library) + _part("style.css", folders)
    program = javascript_program(document)
    computing, showing = ([_part(name, folders) for name in names] for names in (_COMPUTING, _SHOWING))
    script = "\n".join(['"use strict";', program.script, *computing, _IN_WORKER, *showing])
    script = f"(() => {{\n{script}\n}})();\n"
    data = {
        "title": layout["title"],
        "summary": layout.get("summary", ""),
        "policy": _policy(style, script),
        "style": Markup(style),  # noqa: S704 - a part of ours or the user's own, checked by `_part`
        "script": Markup(script),  # noqa: S704 - as above; the formulas are printed from trees
        "data": Markup(embedded(_data(document, layout, program))),  # noqa: S704 - escaped there
        "values": [{"name": name, "text": str(value)} for name, value in document.result.values.items()],
        "version": __version__,
    }
    return filled(_TEMPLATE, data, None, folders)


def _data(document: Document, layout: dict[str, Any], program: Program) -> dict[str, Any]:
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
        "palette": colours_data(palette_of(document.evaluator.library)),
    }


def _part(name: str, folders: list[Path]) -> str:
    """A style sheet or a piece of script as it stands; refuses what would end the element that holds it."""
    path = next((folder / "page" / name for folder in folders if (folder / "page" / name).is_file()), None)
    if path is None:
        raise refuse("bad-template", f"There is no `page/{name}`", help="It stands in reports/.")
    text = read_text(path, str(path))
    if any(mark in text.lower() for mark in ("</script", "</style", "<!--")):
        raise refuse("bad-template", f"`{path}` would end its own element", help=r"Write `<\/` within a text.")
    return text


def _policy(style: str, script: str) -> str:
    """What the browser lets the page do: run this script, as a worker too, and show this style; else nothing."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; worker-src blob:; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def embedded(data: object) -> str:
    """JSON that may stand within a script element, whatever its texts hold."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
