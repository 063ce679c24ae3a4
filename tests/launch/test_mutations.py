"""An option misspelt is told; a number changed changes something, or is told to be without effect."""

from pathlib import Path

import pytest
import tomli

from launch.mutations import every, silent, some
from launch.test_cases import CASES

RIGHTLY = tomli.loads((Path(__file__).parent / "without_change.toml").read_text())
SEED, COUNT = 20261124, 60


def _untold(mutations, evaluator):
    found = {
        (each.kind, each.option): message for case, each in mutations if (message := silent(case, each, evaluator))
    }
    return [message for (_, option), message in found.items() if option not in RIGHTLY]


def test_some_are_told(formulas):
    mutations = some(CASES, COUNT, SEED)
    assert len(mutations) == COUNT
    assert _untold(mutations, formulas.evaluator) == []


@pytest.mark.slow
def test_all_are_told(formulas):
    mutations = list(every(CASES))
    assert len(mutations) > 500
    assert _untold(mutations, formulas.evaluator) == []


def test_what_rightly_changes_nothing_says_why():
    assert all(reason.endswith(".") for reason in RIGHTLY.values())
