"""An option misspelt is told; a number changed changes something, or is told to be without effect."""

from pathlib import Path
from random import Random

import pytest
import tomli

from formula_eval import FormulaError
from formula_eval.launch.launch_reader import read_launch
from launch.mutations import every, plain, silent, some, wrong
from launch.test_cases import CASES

RIGHTLY = tomli.loads((Path(__file__).parent / "without_change.toml").read_text())
SEED, COUNT = 20261124, 60


def _untold(mutations, evaluator):
    evaluator, unchanged = evaluator.holding(), {}
    found = {
        (each.kind, each.option): message
        for case, each in mutations
        if (message := silent(case, each, evaluator, unchanged))
    }
    return [message for (_, option), message in found.items() if option not in RIGHTLY]


@pytest.mark.slow
def test_some_are_told(formulas):
    mutations = some(CASES, COUNT, SEED)
    assert len(mutations) == COUNT
    assert _untold(mutations, formulas.evaluator) == []


@pytest.mark.slow
def test_all_are_told(formulas):
    mutations = list(every(CASES))
    assert len(mutations) > 500
    assert _untold(mutations, formulas.evaluator) == []


def test_a_wrong_value_is_refused_by_its_option(formulas):
    evaluator, refused, unnamed = formulas.evaluator, 0, []
    texts = [each for case, text in plain(CASES) if "beside" not in case for each in wrong(text, "x")]
    for option, text in Random(SEED).sample(texts, COUNT // 3):
        try:
            read_launch(text, evaluator.library, evaluator.schema)
        except FormulaError as error:
            refused += 1
            unnamed += [] if option in str(error) else [str(error)]
    assert refused > COUNT / 12
    assert unnamed == []


def test_what_rightly_changes_nothing_says_why():
    assert all(reason.endswith(".") for reason in RIGHTLY.values())
