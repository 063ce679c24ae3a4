"""Writes a static site of pages that recalculate: one for each kind of question, which any web server can hand out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from formula_eval.ask.export_lists import quantities_of
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.library import Library
from formula_eval.records.givens import Question
from formula_eval.records.record import NOTHING
from formula_eval.toml_table import read_table

FILE = "reports/site.toml"
_USUAL = "index.html"


class SitePage(NamedTuple):
    """A page of a site and the question that it begins with."""

    file: str
    title: str
    purpose: str
    records: Mapping[str, str] = NOTHING
    inputs: Mapping[str, Any] = NOTHING


class SiteLayout(NamedTuple):
    """The pages of a site, the first of them its entrance."""

    page: tuple[SitePage, ...] = ()


def first_question(library: Library, asked: Question) -> Question:
    """What the page about a question begins with: what is asked, and where it names nothing what the layout says."""
    page = next((each for each in _pages(library) if each.purpose == asked.about(library)), None)
    return asked if page is None else _begun(page, asked)


def write_site(document: Document, target: str | Path) -> None:
    """Write the pages into a folder: the document, and a page of the layout for each other kind of question.

    Raises FormulaError for a folder that holds other files.
    """
    evaluator, about = document.evaluator, document.question.about(document.evaluator.library)
    pages = _pages(evaluator.library)
    if about not in [each.purpose for each in pages]:
        pages = [SitePage(_USUAL, document.evaluator.library.title or about, about)]
    folder = _folder(Path(target), [each.file for each in pages])
    usual = next((each.records for each in pages if each.purpose == about), NOTHING)
    named = {kind: id_ for kind, id_ in document.question.records.items() if usual.get(kind) != id_}
    for page in pages:
        shown = document if page.purpose == about else _document(evaluator, page, named)
        links = [{"address": _address(each), "title": each.title, "here": each == page} for each in pages]
        write_page(shown, folder / page.file, pages=links if len(pages) > 1 else ())


def _pages(library: Library) -> list[SitePage]:
    shown, data = library.last(FILE)
    return [*read_table(SiteLayout, data, shown, {}).page]


def _address(page: SitePage) -> str:
    """The page with the values that it begins with; it adds what the page before was about."""
    return f"{page.file}#{urlencode(page.inputs)}"


def _document(evaluator: Evaluator, page: SitePage, named: Mapping[str, str]) -> Document:
    """The document of another page with its own values, about the records somebody named of the kinds that it has."""
    kept = {kind: id_ for kind, id_ in named.items() if kind in page.records}
    question = Question({**page.records, **kept}, page.inputs, purpose=page.purpose)
    names = quantities_of(evaluator.library, "html", question, evaluator.givens(question))
    return document_of(evaluator, question, evaluator.select(names))


def _begun(page: SitePage, asked: Question) -> Question:
    is_free = not asked.values and not asked.records and not asked.scenario and asked.launch is None
    values = page.inputs if is_free else asked.values
    return asked._replace(records={**page.records, **asked.records}, values=values)


def _folder(folder: Path, files: list[str]) -> Path:
    """The folder, made where it is missing; raises FormulaError where it is none, or holds what we did not write."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(each.name for each in folder.iterdir() if each.name not in files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unwritable", f"Cannot write into `{folder}`: {reason}", help="Name a folder.") from error
    if others:
        help_ = "Name a folder of its own, such as -o site."
        raise refuse("exists", f"`{folder}` holds other files, such as `{others[0]}`", help=help_)
    return folder
