"""JavaScript computes what Python computes, on random trees; MathML is well formed and shows what was written."""

import math
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from selenium.webdriver import Chrome

from counted import seen
from export.browser import chromium
from export.papers import document
from formula_eval.core import expression as e
from formula_eval.export.html.formulas import formulas_data
from formula_eval.export.html.program import javascript_program
from formula_eval.printing.javascript import PRELUDE as JAVASCRIPT, JavaScriptPrinter
from formula_eval.printing.mathml import MathmlPrinter
from formula_eval.printing.python import PRELUDE as PYTHON, PythonPrinter
from formula_eval.printing.symbol import symbol_mathml
from printing.rows import rows, written
from properties.expression_strategies import EXPRESSIONS
from properties.test_notations_agree import conditions, givens, positives, wholes
from samples import samples

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BATCH = f"""{JAVASCRIPT}
return arguments[0].map(([text, given]) => {{
  const {{ a, b, c, gated, mode }} = given;
  try {{
    return String(eval(text));
  }} catch (problem) {{
    return problem instanceof NoNumber ? "refused" : String(problem);
  }}
}});
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("notations") / "profile") as shown:
        shown.get("about:blank")
        yield shown


def by_python(expression: e.Expression, values: dict[str, int | bool]) -> float | bool | str:
    namespace: dict[str, object] = {}
    exec(PYTHON, namespace)
    held = {
        name: value if isinstance(value, bool) or name == "mode" else float(value) for name, value in values.items()
    }
    try:
        found = eval(PythonPrinter(str).text(expression), namespace, {**held, "given": held})
    except (ZeroDivisionError, OverflowError, ValueError):
        return "refused"
    assert isinstance(found, float | int)
    return found


def agree(expected: float | bool | str, got: str) -> bool:  # noqa: FBT001 - what a tree gives
    if isinstance(expected, str) or got == "refused":
        return got == expected
    if isinstance(expected, bool):
        return got == str(expected).lower()
    number = float(got)
    return math.isnan(number) if math.isnan(expected) else math.isclose(number, expected, rel_tol=1e-12, abs_tol=1e-300)


@pytest.mark.parametrize(
    "trees", [wholes(3), positives(3), conditions(wholes(1), 2)], ids=["wholes", "positives", "conditions"]
)
def test_javascript_gives_pythons_numbers(browser: Chrome, trees: st.SearchStrategy[e.Expression]) -> None:
    @settings(max_examples=samples(12), database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(trees, givens), min_size=20, max_size=40))
    def hold(asked: list[tuple[e.Expression, dict[str, int | bool]]]) -> None:
        texts = [(JavaScriptPrinter(str).text(tree), values) for tree, values in asked]
        for (tree, values), (text, _), got in zip(asked, texts, browser.execute_script(BATCH, texts), strict=True):
            assert agree(by_python(tree, values), got), f"{text} at {values}: {got}, not {by_python(tree, values)}"

    hold()


def test_every_notation_row_has_mathml() -> None:
    for row in seen(rows("notations.toml")):
        tree = written(row.get("source", row["text"]))
        assert ET.fromstring(MathmlPrinter.formula(tree, lambda _: r"t_{\mathrm{op}}'")) is not None


@settings(max_examples=samples(100), database=None)
@given(EXPRESSIONS)
def test_mathml_of_any_expression_is_well_formed(expression: e.Expression) -> None:
    ET.fromstring(MathmlPrinter.formula(expression, lambda _: ""))


@settings(max_examples=samples(200), database=None)
@given(st.one_of(st.text(st.characters(exclude_categories=("C",))), st.text(r"\{}_^'abmrt<&")))
def test_mathml_of_any_symbol_is_well_formed(latex: str) -> None:
    ET.fromstring(f"<math>{symbol_mathml(latex)}</math>")


def test_mathml_of_the_library_is_well_formed() -> None:
    whole = document("llama2-70b", "*")
    data = formulas_data(whole, javascript_program(whole))
    assert len(data["marks"]) > 5
    for text, math_ in seen(data["written"]):
        in_full = "".join(data["marks"].get(each, each) for each in math_)
        assert not math_ or ET.fromstring(in_full) is not None, text


@pytest.mark.parametrize(
    ("latex", "mathml"),
    [
        ("b", "<mi>b</mi>"),
        (r"t_{\mathrm{KV}}'", "<msubsup><mi>t</mi><mi>KV</mi><mo>\u2032</mo></msubsup>"),
        (r"\bar{c}_g", '<msub><mover accent="true"><mi>c</mi><mo>\u00af</mo></mover><mi>g</mi></msub>'),
        (r"R_{u,\infty}", "<msub><mi>R</mi><mrow><mi>u</mi><mo>,</mo><mi>\u221e</mi></mrow></msub>"),
        ("F_8^*", "<msubsup><mi>F</mi><mn>8</mn><mo>*</mo></msubsup>"),
        (r"\mathrm{MFU}", "<mi>MFU</mi>"),
    ],
)
def test_symbols(latex: str, mathml: str) -> None:
    assert symbol_mathml(latex) == mathml


@pytest.mark.parametrize(
    ("expression", "javascript"),
    [
        (e.Not(e.Compare("<", e.Reference("a"), e.Reference("b"))), "!(a < b)"),
        (e.Negate(e.Negate(e.Reference("a"))), "-(-a)"),
        (e.Binary("%", e.Reference("a"), e.Reference("b")), "modulo(a, b)"),
        (e.Conditional(e.Reference("a"), e.Given("x"), e.Infinity()), '("x" in given) ? a : inf'),
        (e.Compare("!=", e.Reference("a"), e.ChoiceValue("core", 1)), "a !== 1"),
        (
            e.Logical("and", e.Reference("gated"), e.Logical("or", e.Reference("a"), e.Reference("b"))),
            "gated && (a || b)",
        ),
    ],
)
def test_javascript(expression: e.Expression, javascript: str) -> None:
    assert JavaScriptPrinter(str).text(expression) == javascript
