r"""Renders a document as Markdown whose maths GitHub and a notebook show alike.

Markdown takes a backslash before a mark as its own, and a `_` behind a bracket for the start of emphasis; GitHub reads
maths only after that. So maths is spelled with commands that are words (`\thinspace`, `\cr`), which all leave alone.
"""

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any
from urllib.parse import quote

from formula_eval.export.document import Document
from formula_eval.export.escaping import markdown_code, markdown_text, visible, web_address
from formula_eval.export.paper.brief import brief_paper
from formula_eval.export.paper.paper import paper_of
from formula_eval.export.templates import Ready, filled, folders_of

TEMPLATE = "markdown/paper.md.j2"
_WORDS = {
    r"\\": r"\cr",
    r"\,": r"\thinspace",
    r"\;": r"\thickspace",
    r"\:": r"\medspace",
    r"\!": r"\negthinspace",
    r"\{": r"\lbrace",
    r"\}": r"\rbrace",
    r"\%": r"\text{ percent }",
    "|": r"\vert",
    "*": r"\ast",
    "<": r"\lt",
    ">": r"\gt",
    r"\operatorname*": r"\operatorname*",
}
# A name's underscore becomes a space: no spelling of it is safe everywhere.
_SPACE = "\\ "
_MARKED = re.compile(r"(\\operatorname\*|\\[\\,;:!{}_%#&$]|[|*<>])(?=(.?))", re.DOTALL)


def markdown_paper(document: Document, style: str = "full", templates: str = "", *, brief: bool = False) -> str:
    """The text of the derivation; raises FormulaError, also for what a user's template does wrong."""
    paper = _respelled(brief_paper(document, style) if brief else paper_of(document, style))
    filters = {
        "code": markdown_code,
        "maths": markdown_maths,
        "anchor": lambda key: Ready(f"source-{re.sub('[^A-Za-z0-9]', '-', key)}"),
        "oneline": lambda text: Ready(visible(text)),
        "address": markdown_address,
    }
    folders = folders_of(document.evaluator.library, templates)
    return filled(TEMPLATE, {"paper": paper}, markdown_text, folders, filters)


def markdown_maths(latex: str) -> Ready:
    """The same maths in the spelling that Markdown leaves alone."""
    return Ready(re.sub(r"(?<=[^A-Za-z0-9\s])_", r"\\relax_", _MARKED.sub(_worded, latex)))


def _worded(found: re.Match[str]) -> str:
    """The word for a mark, with a space behind it only where letters follow: a `_` behind a space opens emphasis."""
    word = _WORDS.get(found[1], _SPACE)
    return f"{word} " if word[-1].isalpha() and found[2].isalpha() else word


def markdown_address(text: str) -> Ready:
    """A web address between `<` and `>`, nothing if it is another sort."""
    return Ready(re.sub(r"[^A-Za-z0-9:/.?=+&%#_~,;@-]", lambda found: quote(found[0], safe=""), web_address(text)))


def _respelled(part: Any) -> Any:  # noqa: ANN401 - the paper and all within it
    """The paper with all its maths in that spelling."""
    if isinstance(part, Ready):
        return markdown_maths(part)
    if isinstance(part, tuple):
        parts = [_respelled(each) for each in part]
        return type(part)(*parts) if hasattr(part, "_fields") else tuple(parts)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{field.name: _respelled(getattr(part, field.name)) for field in fields(part)})
    return part
