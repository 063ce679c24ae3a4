"""Pages of our library and of others, and what a test does with one in a browser."""

from contextlib import suppress
from pathlib import Path

from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from export.browser import until
from export.papers import evaluator, usual
from formula_eval import load
from formula_eval.export.document import Document, document_of
from formula_eval.records.givens import Question


def made(folder: Path | None = None, only: tuple[str, ...] = (), **records: str) -> Document:
    asked = load(folder).evaluator if folder else evaluator()
    wanted = asked.select(only or usual(form="html"))
    question = Question({"model": "llama2-70b", **records}, {"tp": "8"})
    return document_of(asked, question, wanted, named=bool(only))


def go(browser: Chrome, link: str) -> None:
    """The page by a link, as if it had just been opened."""
    address = browser.current_url.partition("#")[0]
    browser.get("about:blank")
    browser.get(address + link)


def find(browser: Chrome, selector: str) -> WebElement:
    """The element, which a list that just opened may take a moment to have."""
    return until(browser, lambda shown: shown.find_element(By.CSS_SELECTOR, selector))


def choose(browser: Chrome, kind: str, id_: str) -> None:
    """Take a record from the list that opens beneath its field."""
    find(browser, f"#choose-{kind}").click()
    listed = browser.find_elements(By.CSS_SELECTOR, f"#list-of-{kind} [role=option]")
    next(each for each in listed if each.get_attribute("data-id") == id_).click()


def value(browser: Chrome, name: str) -> float:
    found = browser.execute_script("return formulaEval.values()[arguments[0]]", name)
    assert isinstance(found, int | float)
    return found


def expected(document: Document, name: str, values: dict[str, str], **records: str) -> float:
    givens = document.evaluator.givens(Question({"model": "llama2-70b", **records}, values))
    return document.evaluator.evaluate(givens, [name]).numbers[name]


def shown_wrongly(browser: Chrome) -> list[str]:
    """Numbers on the page whose text is not that of their value, once charts have followed a change."""
    script = """
    const names = Object.keys(formulaEval.values()), texts = formulaEval.texts();
    return [...document.querySelectorAll("button.number[data-open], .reads [data-open] .number, .inline")]
      .map((each) => [names[each.closest("[data-open]").dataset.open], each.textContent])
      .filter(([name, text]) => texts[name] !== text).map(String);
    """
    found = [""]

    def settled(page: Chrome) -> bool:
        found[:] = page.execute_script(script)
        return not found

    with suppress(TimeoutException):
        WebDriverWait(browser, 5, poll_frequency=0.05).until(settled)
    return found


def logged(browser: Chrome) -> list[str]:
    return [each["message"] for each in browser.get_log("browser")]  # type: ignore[no-untyped-call]
