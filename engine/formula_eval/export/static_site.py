"""Writes a static site of pages that recalculate: one for each kind of question, which any web server can hand out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from formula_eval.ask.export_lists import quantities_of
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.libraries import find_library, library_name, shipped_libraries
from formula_eval.library import OURS, Library
from formula_eval.records.answer_kind import purpose_of
from formula_eval.records.givens import Question
from formula_eval.records.record import NOTHING
from formula_eval.records.roles import roles_of
from formula_eval.toml_table import read_table

FILE = "reports/site.toml"
_USUAL = "index.html"


class SitePage(NamedTuple):
    """A page of a site and the question that it begins with.

    Attributes:
        file: its name in the folder.
        title: how the others link to it.
        purpose: what is asked about, as `--answer` says it.
        library: the shipped library that answers, built on ours; empty for the one that the site is made from.
        records: what the question names by kind.
        inputs: the values that it states.
        only: the quantities that it shows, where these are fewer than those of any page.

    """

    file: str
    title: str
    purpose: str
    library: str = ""
    records: Mapping[str, str] = NOTHING
    inputs: Mapping[str, Any] = NOTHING
    only: tuple[str, ...] = ()


class SiteLayout(NamedTuple):
    """The pages of a site, the first of them its entrance."""

    page: tuple[SitePage, ...] = ()


def first_question(library: Library, asked: Question) -> Question:
    """What the page about a question begins with: what is asked, and where it names nothing what the layout says."""
    page = _page_about(_pages(library), library, asked)
    return asked if page is None else _begun(page, asked)


def write_site(document: Document, target: str | Path) -> None:
    """Write the pages into a folder: the document, and a page of the layout for each other kind of question.

    Raises FormulaError for a folder that holds other files.
    """
    evaluator = document.evaluator
    pages = _pages(evaluator.library)
    own = _page_about(pages, evaluator.library, document.question)
    if own is None:
        about = document.question.about(evaluator.library)
        own = SitePage(_USUAL, evaluator.library.title or about, about)
        pages = [own]
    folder = _folder(Path(target), [each.file for each in pages])
    named = {kind: id_ for kind, id_ in document.question.records.items() if own.records.get(kind) != id_}
    for page in pages:
        shown = document if page == own else _document(evaluator, page, _carried(own, page, named, evaluator.library))
        links = [_link(page, each, evaluator.library) for each in pages]
        write_page(shown, folder / page.file, pages=links if len(pages) > 1 else ())


def _pages(library: Library) -> list[SitePage]:
    """The pages of the layout; those of other libraries only where ours, or one of them, is asked and no user's own."""
    shown, data = library.last(FILE)
    pages = read_table(SiteLayout, data, shown, {}).page
    return [page for page in pages if not page.library or _shipped(library) is not None]


def _shipped(library: Library) -> str | None:
    """The name of the shipped library that was asked, nothing where that is ours; None for a library of a user."""
    if library.is_builtin:
        return ""
    names = [library_name(folder) for folder in library.folders if folder != OURS]
    return names[0] if len(names) == 1 and names[0] in shipped_libraries() and not library.is_alone else None


def _page_about(pages: Sequence[SitePage], library: Library, question: Question) -> SitePage | None:
    """The page whose kind of question this is."""
    about, whose = question.about(library), _shipped(library) or ""
    return next((page for page in pages if (page.purpose, page.library) == (about, whose)), None)


def _link(here: SitePage, page: SitePage, library: Library) -> dict[str, Any]:
    """How a page links to another: the values that it begins with, and the kinds of records it takes along."""
    carried = " ".join(_carried(here, page, here.records, library))
    address = f"{page.file}#{urlencode(page.inputs)}"
    return {"address": address, "title": page.title, "here": here == page, "carries": carried}


def _carried(here: SitePage, page: SitePage, records: Mapping[str, str], library: Library) -> dict[str, str]:
    """What of these records another page is about too: a model only where the same library answers."""
    model = "" if here.library == page.library else roles_of(library).model
    return {kind: id_ for kind, id_ in records.items() if kind in page.records and kind != model}


def _document(evaluator: Evaluator, page: SitePage, named: Mapping[str, str]) -> Document:
    """The document of another page with its own values, about the records that somebody named."""
    if page.library != (_shipped(evaluator.library) or ""):
        evaluator = Evaluator(find_library([page.library] if page.library else []), evaluator.cache)
    about = purpose_of(page.purpose, evaluator.library, evaluator.schema)
    question = Question({**page.records, **named}, page.inputs, namespace=about.namespace, purpose=about.purpose)
    names = page.only or quantities_of(evaluator.library, "html", question, evaluator.givens(question))
    return document_of(evaluator, question, evaluator.select(names, question))


def _begun(page: SitePage, asked: Question) -> Question:
    is_free = not asked.values and not asked.records and not asked.scenario and asked.launch is None
    values = page.inputs if is_free else asked.values
    return asked._replace(records={**page.records, **asked.records}, values=values)


def _folder(folder: Path, files: list[str]) -> Path:
    """The folder, made where it is missing; raises FormulaError where it is none, or holds what we did not write."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(path.name for path in folder.iterdir() if path.name not in files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unwritable", f"Cannot write into `{folder}`: {reason}", help="Name a folder.") from error
    if others:
        help_ = "Name a folder of its own, such as -o site."
        raise refuse("exists", f"`{folder}` holds other files, such as `{others[0]}`", help=help_)
    return folder
