"""Every formula under scenarios that together tell of each: to the last bit what it was."""

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase

import pytest

from formula_eval import Formulas
from golden import numbers

MOST = 30
UNTOLD: Mapping[str, str] = tomllib.loads((numbers.HERE / "untold.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def table(formulas: Formulas) -> numbers.Table:
    return numbers.computed(formulas.evaluator)


@pytest.fixture(scope="module")
def untold(formulas: Formulas, table: numbers.Table) -> list[str]:
    default = numbers.defaults(formulas.evaluator)
    told = (
        name
        for name, cells in table.items()
        if any(numbers.is_telling(value, default[name]) for value in cells.values())
    )
    graph, silent = formulas.evaluator.graph, dict.fromkeys(table)
    for name in told:
        del silent[name]
    return [name for name in silent if any(graph.nodes[each].kind == "input" for each in graph.ancestors([name]))]


def test_no_number_moved(table: numbers.Table) -> None:
    lines = list(numbers.moved(numbers.read(), table))
    more = f"\nand {len(lines) - MOST} more" if len(lines) > MOST else ""
    shown = "\n".join(lines[:MOST])
    assert not lines, f"Numbers moved; `make golden` keeps the new ones:\n{shown}{more}"


def test_scenarios_tell_of_every_formula(untold: list[str]) -> None:
    silent = [name for name in untold if not any(fnmatchcase(name, pattern) for pattern in UNTOLD)]
    assert not silent, f"Let a scenario of tests/golden/scenarios.toml tell of {', '.join(silent[:MOST])}"


def test_what_is_said_to_be_untold_is(untold: list[str]) -> None:
    assert not [pattern for pattern in UNTOLD if not any(fnmatchcase(name, pattern) for name in untold)]


@pytest.mark.parametrize("scenario", numbers.scenarios())
def test_no_check_refuses_a_scenario(formulas: Formulas, scenario: str) -> None:
    evaluator, stated = formulas.evaluator, dict(numbers.scenarios()[scenario])
    namespace = stated.pop("namespace", "")
    checks = [each.name for each in evaluator.schema.checks.values() if each.level == "refuse"]
    speaking = [name for name in checks if name.startswith(f"{namespace or 'published'}.") == bool(namespace)]
    givens = evaluator.givens(numbers.question(namespace, stated))
    holds = evaluator.program(speaking).evaluate(givens.values)
    assert not [name for name in speaking if not holds[name]]
