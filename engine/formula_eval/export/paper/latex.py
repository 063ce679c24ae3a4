"""Renders a document as a LaTeX paper that any pdfLaTeX compiles, with its bibliography inside and as BibTeX."""

from formula_eval.export import escaping
from formula_eval.export.document import Document
from formula_eval.export.paper.bibliography import bibtex
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
