"""What a page answers in the browser, beside what the engine answers."""

import json
import math
from collections.abc import Iterator
from typing import Any

from selenium.webdriver import Chrome

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.result import result_of
from formula_eval.evaluate.value import typed_value
from formula_eval.export.document import Document
from formula_eval.export.html.program import computed_nodes
from formula_eval.export.shape_sections import with_shapes
from formula_eval.records.givens import Question
from formula_eval.records.schema import CheckSchema

RUN = """
const all = JSON.parse(arguments[0]).map((each) => formulaEval.evaluate(each));
return JSON.stringify(all.map((each) => ({
  ...each, values: each.values && Object.values(each.values), texts: each.texts && Object.values(each.texts),
})));
"""


def wrong_in(document: Document, browser: Chrome, asked: list[dict[str, Any]]) -> str:
    """What of the answers to these questions is not the engine's, the first of it."""
    document = with_shapes(document)
    program = checked_program(document)
    wrong = []
    for question, got in zip(asked, json.loads(browser.execute_script(RUN, json.dumps(asked))), strict=True):
        wrong += [f"{question}: {each}" for each in differences(document, program, question, got)]
    return "\n".join(wrong[:20])


def checked_program(document: Document) -> Program:
    evaluator = document.evaluator
    shown = (*document.wanted, *document.beside)
    return evaluator.checked_program(shown, checks_of(document))


def checks_of(document: Document) -> list[CheckSchema]:
    """The checks that the page tells of."""
    return document.evaluator.checks(document.wanted, document.question.namespace, named=document.is_named)


def differences(document: Document, program: Program, asked: dict[str, Any], got: dict[str, Any]) -> Iterator[str]:
    evaluator = document.evaluator
    givens = evaluator.givens(Question(asked["records"], asked["values"]))
    try:
        numbers = program.evaluate(givens.values)
    except FormulaError as error:
        if got["failure"] is None or f"`{got['failure']['name']}`" not in error.diagnostics[0].message:
            yield f"the engine refuses: {error}"
        return
    if got["values"] is None:
        yield f"the page refuses: {got['failure']}"
        return
    for node, value, text in zip(computed_nodes(document), got["values"], got["texts"], strict=True):
        number, quantity = numbers[node.name], node.quantity
        if not same(number, value):
            yield f"{node.name} = {number!r}, in the page {value!r}"
        if text != engine_text(number, quantity) and not edge_of_rounding(number, value):
            yield f"{node.name}: {engine_text(number, quantity)!r}, in the page {text!r}"
    result = result_of(program, givens, evaluator.schema, (), checks_of(document))
    said = [[each.name, each.ok, each.message] for each in result.checks]
    if sorted(said) != sorted(got["checks"]):
        yield f"checks: {[each for each in got['checks'] if each not in said]}"
    if [each.message for each in result.refused()] != got["refused"]:
        yield f"refused: {got['refused']}"


def same(number: float, value: float | str | None) -> bool:
    if math.isnan(number):
        return value is None
    if math.isinf(number):
        return value == ("Infinity" if number > 0 else "-Infinity")
    return isinstance(value, int | float) and math.isclose(number, value, rel_tol=1e-12, abs_tol=1e-60)


def engine_text(number: float, quantity: Any) -> str:
    if math.isnan(number):
        return shown_value(None, quantity)
    return shown_value(typed_value(number, quantity) if math.isfinite(number) else number, quantity)


def edge_of_rounding(number: float, value: float | str | None) -> bool:
    """The two differ in their last bit, so that one of them may round up and the other down."""
    return number != value
