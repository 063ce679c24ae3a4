"""Columns of scenarios: each computes its own chain of formulas and comes to what the engine says of its inputs."""

from pathlib import Path

import pytest

from export.office import Office
from export.test_workbook_recalculates import corrupted, differences
from export.workbook_cases import agrees, evaluator
from formula_eval.export.workbook.scenarios_sheet import SCENARIOS, ScenarioPlan, scenario_plan
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow
FIRST_COLUMN, FIRST_ROW = 3, 6
OTHER = {"model": "mixtral-8x7b", "hardware": "a100-sxm-80gb", "format": "w8a16", "engine": "vllm-1"}
VALUES = {"tp": 4, "batch": 7, "prompt": 900, "price": "3 USD/hour"}


def row_of(plan: ScenarioPlan, name: str) -> int:
    return FIRST_ROW + [*(each.key for each in plan.kinds), *(each.name for each in plan.inputs)].index(name)


def outputs(office: Office, plan: ScenarioPlan, column: int) -> dict[str, object]:
    at = FIRST_ROW + len(plan.kinds) + len(plan.inputs) + 2
    grid = office.read(SCENARIOS)
    return {node.name: grid[at + number][column] for number, (_, node) in enumerate(plan.outputs)}


def test_every_column_is_what_the_engine_says_before_and_after_a_change(
    office: Office, llama: tuple[Book, bytes], tmp_path: Path
) -> None:
    book, contents = llama
    plan = scenario_plan(book)
    assert plan is not None
    assert [each.title for each in plan.columns] == ["batch of 32", "fp8", "h200-sxm"]
    office.open(corrupted(contents, tmp_path / "scenarios.xlsx"))
    assert differences(office, book, [SCENARIOS, "Inputs", "Outputs"]) == []
    before = outputs(office, plan, FIRST_COLUMN + 1)
    for name, said in {**OTHER, **VALUES, "price": 3}.items():
        office.ask("set", SCENARIOS, row_of(plan, name), FIRST_COLUMN, said)
    after = outputs(office, plan, FIRST_COLUMN)
    assert outputs(office, plan, FIRST_COLUMN + 1) == before
    asked = evaluator()
    names = [node.name for _, node in plan.outputs]
    expected = asked.program(names).evaluate(asked.givens(Question(OTHER, VALUES)).values)
    for section, node in plan.outputs:
        scale = book.units.scale(section["unit"]) if "unit" in section else book.units.declared(node)
        value = ("yes" if expected[node.name] else "no") if node.name == "memory.fits" else expected[node.name]
        assert agrees(value if isinstance(value, str) else scale.number(value), after[node.name]), node.name
