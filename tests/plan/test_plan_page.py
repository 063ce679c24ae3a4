"""The page of a plan: Chromium computes what the engine does, also for what a reader types."""

import re
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from counted import seen
from export.browser import showing
from export.pages import logged
from formula_eval import FormulaError
from formula_eval.analyse.plan.demand import BUSIEST, hours_of
from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.plan_layout import read_plan_layout
from formula_eval.export.plan.plan_page import plan_page
from formula_eval.export.plan.rows import read_plan_page
from formula_eval.records.values import InBaseUnits

pytestmark = pytest.mark.slow
BEST = 0


@pytest.fixture(scope="module")
def page(plan, formulas, tmp_path_factory) -> Iterator[Chrome]:
    evaluator = formulas.evaluator
    layout = read_plan_layout(evaluator.library, "serving", evaluator.schema)
    file = tmp_path_factory.mktemp("plan") / "plan.html"
    file.write_text(
        plan_page(plan, evaluator, read_plan_page(evaluator.library, "serving", evaluator.schema, layout), "again")
    )
    with showing(file) as shown:
        yield shown
        assert not logged(shown)


@pytest.fixture(autouse=True)
def fresh(page: Chrome) -> None:
    page.refresh()


def _values(page: Chrome, turn: int, hour: str) -> dict[str, float | None]:
    script = "return formulaEvalPlan.values(arguments[0], arguments[1])"
    return dict(page.execute_script(script, turn, hour))


def _type(page: Chrome, label: str, text: str) -> None:
    field = page.find_element(By.CSS_SELECTOR, f'input[aria-label="{label}"]')
    field.clear()
    field.send_keys(text)


def _same(page: Chrome, formulas, turn: int, hour: str, question) -> None:
    found = _values(page, turn, hour)
    names = [name for name, value in found.items() if name in formulas.evaluator.schema.formulas and value is not None]
    expected = values_of(formulas.evaluator, question, names)
    assert len(names) > 15
    assert {name: found[name] for name in names} == pytest.approx(expected, rel=1e-9)


def test_it_begins_with_the_numbers_of_the_plan(page, plan, formulas):
    for hour in seen(hours_of(plan.cases)):
        _same(page, formulas, BEST, hour, plan.best.hours[hour])
    nearest = plan.alternatives[1]
    assert nearest.stops
    _same(page, formulas, 1, BUSIEST, nearest.hours[BUSIEST])
    verdicts = page.find_elements(By.CSS_SELECTOR, "#alternatives .verdict-yes, #alternatives .verdict-no")
    assert [each.text for each in verdicts] == ["yes", "no"]


def test_other_requests_take_the_fewest_replicas_that_keep_the_targets(page, plan, formulas):
    _type(page, "requests, busiest hour", "55 request/s")
    _type(page, "time to first token", "400 ms")
    found = int(_values(page, BEST, BUSIEST)["serving_replicas"])
    best = plan.best.question
    values = {**best.values, "request_rate": "55 request/s", "ttft_target": "400 ms"}
    late = [
        values_of(
            formulas.evaluator, best._replace(values={**values, "serving_replicas": number}), ["arrivals.late_requests"]
        )
        for number in (found, found - 1)
    ]
    assert late[0]["arrivals.late_requests"] <= 0.2 < late[1]["arrivals.late_requests"]
    _same(page, formulas, BEST, BUSIEST, best._replace(values={**values, "serving_replicas": found}))


def test_prices_and_replicas_of_one_alternative_may_be_typed(page, plan, formulas):
    before = _values(page, 1, BUSIEST)
    _type(page, "price of a GPU, h100-sxm", "10 USD/hour")
    _type(page, "replicas, h100-sxm", "7")
    _type(page, "busiest hour over the average one", "4")
    average = plan.best.hours["average"]
    rate = values_of(formulas.evaluator, average, ["request_rate"])["request_rate"]
    typed = {"price": "10 USD/hour", "serving_replicas": 7, "peak_to_mean": 4, "request_rate": InBaseUnits(rate / 2)}
    values = {**average.values, **typed}
    _same(page, formulas, BEST, "average", average._replace(values=values))
    assert _values(page, 1, BUSIEST)["price"] == before["price"]
    page.find_element(By.ID, "reset-all").click()
    _same(page, formulas, BEST, "average", average)


def test_what_cannot_be_read_is_said_and_changes_nothing(page):
    before = _values(page, BEST, BUSIEST)
    _type(page, "hours of a month", "a moon")
    problem = page.find_element(By.CSS_SELECTOR, "#asked .problem:not(:empty)").text
    assert problem.startswith("hours of a month is not a number")
    assert _values(page, BEST, BUSIEST) == before


def test_without_scripts_it_tells_the_plan(page):
    text = page.find_element(By.TAG_NAME, "noscript").get_attribute("textContent")
    assert "hardware per month" in text
    assert "h100-sxm" in text


def test_a_page_that_no_report_describes_is_refused(formulas):
    evaluator = formulas.evaluator
    layout = read_plan_layout(evaluator.library, "serving", evaluator.schema)
    with pytest.raises(FormulaError, match="Nothing says what the page of a plan for `storage` holds"):
        read_plan_page(evaluator.library, "storage", evaluator.schema, layout)


def test_what_it_rests_on_has_its_days(page):
    days = page.execute_script(
        "return [...document.querySelectorAll('.told tr:has(.source) td:nth-child(4)')].map((each) => each.textContent)"
    )
    sources = [day for day in days if re.fullmatch(r"\d{4}-\d\d-\d\d", day)]
    assert len(sources) > 3


def test_figures_of_the_first_alternative_are_seen_whole_on_a_phone(page):
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    edges = page.execute_script(
        "const cells = document.querySelectorAll('#alternatives td:nth-child(2)');"
        "return [...cells].map((each) => each.getBoundingClientRect().right)"
    )
    assert edges
    assert max(edges) <= 390
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_is_wider_than_the_window(page):
    for width in 1200, 320:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_usual_targets_are_fields_and_all_cases_have_numbers(formulas, tmp_path):
    evaluator = formulas.evaluator
    asked = {"model": "llama3-8b", "tp": 1, "pp": 1, "request_rate": "20 request/s"}
    usual = formulas.plan(**asked, gpu="h100-sxm")
    said = formulas.plan(**asked, gpu="h100-sxm", ttft_target="2 s", tpot_target="50 ms")
    assert usual.best.values == said.best.values
    layout = read_plan_layout(evaluator.library, "serving", evaluator.schema)
    told = read_plan_page(evaluator.library, "serving", evaluator.schema, layout)
    (tmp_path / "plan.html").write_text(plan_page(usual, evaluator, told, "again"))
    with showing(tmp_path / "plan.html") as shown:
        for hour in seen(hours_of(usual.cases)):
            assert _values(shown, BEST, hour)["inference.fleet_gpus"] > 0, hour
        assert shown.find_elements(By.CSS_SELECTOR, "#alternatives .verdict-yes")
        _type(shown, "time per output token", "1 ms")
        assert shown.find_elements(By.CSS_SELECTOR, "#alternatives .verdict-no")
