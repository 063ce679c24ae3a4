"""Renders a document as a LaTeX paper that any pdfLaTeX compiles, with its bibliography inside and as BibTeX."""

from collections.abc import Iterable, Mapping
from typing import Any

from formula_eval.export import escaping
from formula_eval.export.document import Document
from formula_eval.export.paper.brief import brief_paper
from formula_eval.export.paper.paper import paper_of
from formula_eval.export.templates import Ready, filled, folders_of

TEMPLATE = "latex/paper.tex.j2"
_FILTERS = {
    "code": escaping.latex_code,
    "key": escaping.latex_key,
    "address": escaping.latex_address,
    "comment": escaping.latex_comment,
}


def latex_paper(document: Document, style: str = "full", templates: str = "", *, brief: bool = False) -> str:
    """The text of the paper; raises FormulaError, also for what a user's template does wrong."""
    paper = brief_paper(document, style) if brief else paper_of(document, style)
    data = {"paper": paper, "bibtex": Ready(bibtex(paper.sources))}
    return filled(TEMPLATE, data, escaping.latex_text_of, folders_of(document.evaluator.library, templates), _FILTERS)


def bibtex(sources: Iterable[Mapping[str, Any]]) -> str:
    """An entry for each work: what it is called, by whom, when, and where it can be read."""
    return "\n".join(_entry(source) for source in sources)


def _entry(source: Mapping[str, Any]) -> str:
    fields = {
        "title": f"{{{escaping.latex_text_of(str(source.get('title', '')))}}}",
        "author": _authors(str(source.get("authors", ""))),
        "year": escaping.latex_text_of(str(source.get("year", ""))),
        "url": escaping.latex_address(str(source.get("url", ""))).replace("\\", ""),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{escaping.latex_key(str(source['key']))},\n{lines}}}\n"


def _authors(names: str) -> str:
    each = [name.strip() for name in names.split(",") if name.strip()]
    shown = ("others" if name.startswith("et al") else f"{{{escaping.latex_text_of(name)}}}" for name in each)
    return " and ".join(shown)
