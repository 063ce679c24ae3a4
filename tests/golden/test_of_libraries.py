"""What each shipped library adds, under scenarios of its own: to the last bit what it was."""

import pytest

from counted import seen
from formula_eval import load
from formula_eval.libraries import shipped_libraries
from golden import numbers, of_libraries

pytestmark = pytest.mark.slow

MOST = 30


@pytest.mark.parametrize("library", shipped_libraries())
def test_no_number_moved(library: str) -> None:
    lines = list(numbers.moved(numbers.read(of_libraries.file_of(library)), of_libraries.computed(library)))
    shown = "\n".join(lines[:MOST])
    assert not lines, f"Numbers of {library} moved; `make golden` keeps the new ones:\n{shown}"


@pytest.mark.parametrize("library", shipped_libraries())
def test_no_check_refuses_a_scenario(library: str) -> None:
    evaluator, ours = load(library).evaluator, load().evaluator.schema.checks
    checks = [
        each.name for each in evaluator.schema.checks.values() if each.level == "refuse" and each.name not in ours
    ]
    for name, stated in seen(of_libraries.scenarios(library).items()):
        holds = evaluator.program(checks).evaluate(evaluator.givens(numbers.question("", stated)).values)
        assert not [check for check in checks if not holds[check]], name
