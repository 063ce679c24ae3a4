"""The search of a page: its worker finds what the engine computes, the front is one, and a row of it can be taken."""

from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from export.browser import until
from export.pages import expected, find, go, logged, value
from export.test_page_sweep import HERE, waited
from formula_eval.export.document import Document

pytestmark = pytest.mark.slow

GOALS = ("inference.serving_tokens_per_second_per_gpu", "inference.user_tokens_per_second")


def searched(browser: Chrome, more: str = "") -> dict[str, Any]:
    go(browser, f"{HERE}{more}")
    browser.execute_script("document.querySelector('.candidates').scrollIntoView()")
    found: dict[str, Any] = waited(browser, "formulaEval.search()", lambda each: each["done"] and each["found"])
    return found


def test_what_it_finds_is_the_engines(document: Document, browser: Chrome) -> None:
    found = searched(browser)
    answered = [each for each in found["found"] if each["values"]]
    for each in (answered[0], answered[len(answered) // 2], answered[-1]):
        given = {name: str(number) for name, number in each["numbers"].items()}
        wanted = [expected(document, goal, given) for goal in GOALS]
        assert each["values"][:2] == pytest.approx(wanted, rel=1e-12)
    assert not logged(browser)


def test_none_beats_a_configuration_of_the_front_in_both(browser: Chrome) -> None:
    found = searched(browser)
    points = [each["values"][:2] for each in found["found"] if each["values"]]
    front = [each["values"][:2] for each in found["front"]]
    assert front == sorted(front, reverse=True)
    for up, across in front:
        assert not any(one >= up and other >= across and (one > up or other > across) for one, other in points)
    for one, other in points:
        assert any(up >= one and across >= other for up, across in front)


def test_limits_are_kept_and_told(browser: Chrome) -> None:
    free, kept = searched(browser), searched(browser, "&tpot_target=25 ms&gpus=4")
    all_, some = ([each["numbers"] for each in found["found"] if each["values"]] for found in (free, kept))
    assert 0 < len(some) < len(all_)
    assert all(numbers["tp"] * numbers["pp"] <= 4 for numbers in some)
    told = find(browser, ".candidates").text
    assert "infeasible, such as: output tokens slower than their target" in told
    assert "infeasible, such as: gpus = 4 cannot be filled with replicas" in told


def test_a_row_of_the_front_can_be_taken(browser: Chrome) -> None:
    found = searched(browser)
    row = browser.find_element(By.CSS_SELECTOR, ".candidates tbody tr")
    row.find_element(By.CSS_SELECTOR, "button").click()
    until(browser, lambda shown: f"concurrency={found['front'][0]['numbers']['concurrency']}" in shown.current_url)
    assert value(browser, GOALS[0]) == pytest.approx(found["front"][0]["values"][0], rel=1e-12)


def test_where_requests_arrive_clients_are_not_searched(browser: Chrome) -> None:
    go(browser, f"{HERE}&request_rate=2 request/s")
    assert not find(browser, ".candidates").is_displayed()
