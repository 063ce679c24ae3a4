"""How the page computes, shows and reads numbers: as the engine does."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from export.page_answers import engine_text
from formula_eval.export.document import Document
from formula_eval.printing.javascript import PRELUDE as JAVASCRIPT
from formula_eval.printing.python import PRELUDE as PYTHON

pytestmark = pytest.mark.slow


def test_its_numbers_are_those_of_a_plain_library(browser: Chrome) -> None:
    calls = [
        *(f"{f}({a!r}, {b!r})" for f in ("min", "max", "largest") for a, b in product((-2.5, 0.0, 3.0), repeat=2)),
        *(
            f"{f}({a!r})"
            for f in ("ceil", "floor", "round")
            for a in (-2.5, -0.5, 0.0, 2.5, 1.1 * 30, 1e9 + 0.5, 1e300)
        ),
        *(f"power({a!r}, {b!r})" for a, b in product((-2.0, 0.5, 1.0, 3.0), (-2.0, 0.0, 3.0, 1.0))),
        *(
            f"largest_divisor({n!r}, {m!r})"
            for n, m in product((1.0, 7.0, 96.0, 65536.0, 999999000001.0), (-1.0, 0.5, 6.0, 50.0, 1e12))
        ),
        *(
            f"months_later({86400.0 * day + rest!r}, {n!r})"
            for day, rest, n in product((-141428.0, -1.0, 0.0, 11016.0, 20484.0), (0.0, 86399.0), (-25.0, 1.0, 12.0))
        ),
    ]
    namespace: dict[str, Any] = {}
    exec(PYTHON, namespace)
    expected = [float(eval(call, namespace)) for call in calls]
    assert browser.execute_script(f"{JAVASCRIPT}; return [{', '.join(calls)}]") == expected


@pytest.mark.parametrize("left", [-7.5, -6.0, 0.0, 0.1 + 0.2, 5.0, 7.25, 1e12 + 1, 1e17])
@pytest.mark.parametrize("right", [-2.0, 0.1, 2.5, 3.0, 1e9])
def test_divisions_are_pythons(browser: Chrome, left: float, right: float) -> None:
    call = f"[modulo({left!r}, {right!r}), floordiv({left!r}, {right!r}), ceildiv({left!r}, {right!r})]"
    namespace: dict[str, Any] = {}
    exec(PYTHON, namespace)
    expected = [namespace[name](left, right) for name in ("remainder", "floordiv", "ceildiv")]
    assert browser.execute_script(f"{JAVASCRIPT}; return {call}") == expected


@pytest.mark.parametrize(
    "call",
    [
        "divide(1, 0)",
        "modulo(1, 0)",
        "floordiv(1, 0)",
        "power(0, -1)",
        "power(-2, 0.5)",
        "power(10, 400)",
        "sqrt(-1)",
        "ln(0)",
        "log2(-1)",
        "log1p(-1)",
        "exp(1000)",
        "expm1(1000)",
        "largest_divisor(0.5, 1)",
        "largest_divisor(2 ** 40 + 1, 1)",
    ],
)
def test_what_python_refuses_is_refused(browser: Chrome, call: str) -> None:
    script = f"{JAVASCRIPT}; try {{ return {call} }} catch (problem) {{ return problem instanceof NoNumber }}"
    assert browser.execute_script(script) is True


EDGES = (
    0.5,
    2.5,
    1234.5,
    1235.5,
    12345.0,
    0.00012345,
    9.9995,
    999.95,
    999949.9,
    1e15,
    1000500000000000.0,
    1.2345e16,
    1e-5,
)
SHOWN = (
    "price",
    "memory_capacity",
    "host_request_time",
    "clock_factor",
    "inference.tokens_per_second",
    "tp",
    "peak_16",
    "power",
)


@pytest.mark.parametrize("name", SHOWN)
def test_numbers_are_shown_letter_for_letter(document: Document, browser: Chrome, name: str) -> None:
    """Halves, powers of ten and the ends of each prefix."""
    node = document.graph.nodes[name]
    numbers = [sign * each * scale for sign, each, scale in product((1, -1), EDGES, (1.0, 1e3, 1e-6))]
    script = "return arguments[1].map((each) => formulaEval.show(arguments[0], each))"
    quantity = node.quantity
    assert browser.execute_script(script, name, numbers) == [engine_text(each, quantity) for each in numbers]


WRITTEN = tomllib.loads((Path(__file__).parents[1] / "records" / "written.toml").read_text(encoding="utf-8"))


def test_values_are_read_as_the_engine_reads_them(browser: Chrome) -> None:
    script = "try { return formulaEval.read(arguments[0], arguments[1]) } catch (problem) { return null }"
    for name, text, number in WRITTEN["read"]:
        assert browser.execute_script(script, name, text) == pytest.approx(number, rel=1e-14), (name, text)
    for name, text in WRITTEN["refused"]:
        assert browser.execute_script(script, name, text) is None, (name, text)


def test_a_change_is_relative_to_what_holds_otherwise(browser: Chrome) -> None:
    script = """
    const chosen = { records: { model: "llama2-70b", hardware: "h100-sxm" }, values: arguments[0] };
    const { values, problems } = formulaEval.evaluate(chosen);
    return problems.length ? null : values[arguments[1]]"""
    for name, text, factor in WRITTEN["relative"]:
        base = browser.execute_script(script, {}, name)
        changed = browser.execute_script(script, {name: text}, name)
        assert changed == pytest.approx(base * factor, rel=1e-14), (name, text)
    assert browser.execute_script(script, {"prompt": "-100%"}, "prompt") is None
