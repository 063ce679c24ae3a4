"""A workbook and a page of our own library, each written once.

Each module of tests has a browser of its own that shows the page; a module may have a `document` of its own.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from export.browser import showing
from export.pages import go, made
from export.workbook_cases import book_of, document as workbook_document
from formula_eval.export.document import Document
from formula_eval.export.html.page import write_page
from formula_eval.export.workbook.workbook_context import Book


@pytest.fixture(scope="session")
def llama() -> tuple[Book, bytes]:
    """The usual workbook, which takes seconds to write."""
    return book_of(workbook_document({"model": "llama2-70b"}, {"tp": 8}))


@pytest.fixture(scope="session")
def usual_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, Path]:
    """The usual document, and its page, which takes seconds to write."""
    document, file = made(), tmp_path_factory.mktemp("usual") / "page.html"
    write_page(document, file)
    return document, file


@pytest.fixture(scope="module")
def document(usual_page: tuple[Document, Path]) -> Document:
    return usual_page[0]


@pytest.fixture(scope="module")
def browser(
    document: Document, usual_page: tuple[Document, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Chrome]:
    usual, written = usual_page
    file = tmp_path_factory.mktemp("page") / "page.html"
    if document is usual:
        shutil.copy(written, file)
    else:
        write_page(document, file)
    with showing(file) as shown:
        yield shown


@pytest.fixture
def page(browser: Chrome) -> Chrome:
    go(browser, "#model=llama2-70b&hardware=h100-sxm&tp=8")
    return browser
