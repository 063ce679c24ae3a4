"""Prints the closed forms of reports/closed_forms.toml for a paper, in rows that fit a page."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from formula_eval.analyse.closed_form import ClosedForm
from formula_eval.analyse.derive import closed_form_of
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import Document
from formula_eval.export.quantities import is_about
from formula_eval.export.templates import Ready
from formula_eval.toml_table import check_table, table

_FILE = "reports/closed_forms.toml"
_FORM = table("name:quantity free:[input]")
CLOSED_FORMS = table("longest:whole row:whole form?:[form]", form=_FORM)
_MOST_FORMULAS = 40  # a form of more is not even put into order: nobody could read it
# A brace that is printed stands behind a backslash, and is neither opened nor closed.
_PART = re.compile(r"\\left\b|\\right\b|\\[{}]|[{}]| [+-] ")


class PaperForm(NamedTuple):
    """A closed form as a template shows it: equations in rows of an `aligned`, none where it is too long to read."""

    name: str
    sentence: str
    free: tuple[str, ...]
    equations: tuple[tuple[Ready, ...], ...]


def closed_forms_of(document: Document) -> Iterator[PaperForm]:
    """The forms of the layout that the document is about; raises FormulaError for a layout that names nothing known."""
    library, schema = document.evaluator.library, document.evaluator.schema
    shown, data = library.last_or_ours(_FILE)
    check_table(CLOSED_FORMS, data, shown, {})
    for each in data.get("form", ()):
        if each["name"] not in document.graph.nodes or (document.is_asked and not is_about(each, document)):
            continue
        check_table(_FORM, each, shown, schema.vocabulary, "form")
        if each["name"] in document.names:
            form = _form(document, each)
            if form is not None and form.free:
                yield _printed(form, data["longest"], data["row"])


def _form(document: Document, section: Mapping[str, Any]) -> ClosedForm | None:
    """The form, with what the question gives to free inputs left out; None where it has no value."""
    try:
        return closed_form_of(document.evaluator, document.givens, section["name"], tuple(section["free"]))
    except FormulaError:
        return None


def _printed(form: ClosedForm, longest: int, row: int) -> PaperForm:
    sentence = form.evaluator.graph.nodes[form.quantity].sentence
    equations: tuple[tuple[Ready, ...], ...] = ()
    if len(form.specialised.formulas) <= _MOST_FORMULAS:
        lines = form.latex.splitlines()
        if sum(map(len, lines)) <= longest:
            equations = tuple(tuple(Ready(aligned_row) for aligned_row in aligned_rows(line, row)) for line in lines)
    return PaperForm(form.quantity, sentence, form.free, equations)


def aligned_rows(equation: str, longest: int) -> list[str]:
    """An equation in rows of an `aligned`, broken before the signs of its outermost sum where one grows too long."""
    left, _, right = equation.partition(" = ")
    rows, row = [], ""
    for term in _terms(right):
        if row and len(row) + len(term) > longest:
            rows.append(row)
            row = ""
        row += term
    first, *others = [*rows, row]
    return [f"{left} &= {first}", *(f"&\\quad {other.strip()}" for other in others)]


def _terms(text: str) -> Iterator[str]:
    """The terms of the outermost sum, each with the sign before it."""
    start = depth = 0
    for part in _PART.finditer(text):
        if part[0] in {"{", r"\left"}:
            depth += 1
        elif part[0] in {"}", r"\right"}:
            depth -= 1
        elif part[0][0] == " " and depth == 0 < part.start() - start:
            yield text[start : part.start()]
            start = part.start()
    yield text[start:]
