"""A page of our own library in a browser, one for each module of tests; a module may have a `document` of its own."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from export.browser import showing
from export.pages import go, made
from formula_eval.export.document import Document
from formula_eval.export.html.page import write_page


@pytest.fixture(scope="module")
def document() -> Document:
    return made()


@pytest.fixture(scope="module")
def browser(document: Document, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    file = tmp_path_factory.mktemp("page") / "page.html"
    write_page(document, file)
    with showing(file) as shown:
        yield shown


@pytest.fixture
def page(browser: Chrome) -> Chrome:
    go(browser, "#model=llama2-70b&hardware=h100-sxm&tp=8")
    return browser
