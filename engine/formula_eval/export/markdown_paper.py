r"""A document to Markdown whose maths is shown alike by GitHub and by a notebook.

Markdown takes a backslash before a mark as its own, and a `_` behind a bracket for the start of emphasis; GitHub reads
maths only after that. So maths is spelled with commands that are words (`\thinspace`, `\cr`), which all of them leave alone.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from formula_eval.export.document import Document
from formula_eval.export.escaping import markdown_code
from formula_eval.export.escaping import markdown_text
from formula_eval.export.escaping import visible
from formula_eval.export.paper import Paper
from formula_eval.export.paper import paper_of
from formula_eval.export.templates import Ready
from formula_eval.export.templates import filled
from formula_eval.export.templates import folders_of
from formula_eval.export.writing import write_whole

TEMPLATE = "markdown/paper.md.j2"
_WORDS = {
    r"\\": r"\cr ",
    r"\,": r"\thinspace ",
    r"\;": r"\thickspace ",
    r"\:": r"\medspace ",
    r"\!": r"\negthinspace ",
    r"\{": r"\lbrace ",
    r"\}": r"\rbrace ",
    r"\_": r"\ ",
    r"\%": r"\text{ percent }",
    r"\#": r"\ ",
    r"\&": r"\ ",
    r"\$": r"\ ",
}
_MARKED = re.compile(r"\\[\\,;:!{}_%#&$]")


def write_markdown(document: Document, target: str | Path, style: str = "full", templates: str = "") -> None:
    """Write the derivation; raises FormulaError, also for what a user's template does wrong."""
    write_whole(target, markdown_paper(document, style, templates))


def markdown_paper(document: Document, style: str = "full", templates: str = "") -> str:
    """The text of the derivation."""
    paper = _respelled(paper_of(document, style))
    data = {"paper": paper}
    filters = {"code": markdown_code, "maths": markdown_maths, "anchor": _anchor, "oneline": _one_line, "address": _address}
    return filled(TEMPLATE, data, markdown_text, folders_of(document.evaluator.library, templates), filters)


def markdown_maths(latex: str) -> Ready:
    """The same maths in the spelling that Markdown leaves alone."""
    words = _MARKED.sub(lambda found: _WORDS[found[0]], latex)
    words = words.replace("|", r"\vert ").replace("*", r"\ast ").replace("<", r"\lt ").replace(">", r"\gt ")
    words = words.replace(r"\operatorname\ast ", r"\operatorname*")
    return Ready(re.sub(r"(?<=[^A-Za-z0-9\s])_", r"\\relax_", words))


def _anchor(key: str) -> Ready:
    return Ready(f"source-{re.sub('[^A-Za-z0-9]', '-', key)}")


def _one_line(text: str) -> Ready:
    return Ready(visible(text))


def _address(text: str) -> Ready:
    return Ready(re.sub(r"[^A-Za-z0-9:/.?=+&%#_~,;@-]", lambda found: quote(found[0], safe=""), text))


def _respelled(paper: Any) -> Any:  # noqa: ANN401 - the paper and all within it
    """The paper with all its maths in that spelling."""
    if isinstance(paper, Ready):
        return markdown_maths(paper)
    if isinstance(paper, tuple):
        return tuple(_respelled(each) for each in paper)
    if isinstance(paper, Paper) or type(paper).__module__.startswith("formula_eval.export"):
        return replace(paper, **{name: _respelled(getattr(paper, name)) for name in paper.__slots__})
    return paper
