"""No formula loses more than nine of its digits, but for those that are listed with their reason, which do."""

import tomllib
from pathlib import Path
from random import Random

import pytest

from formula_eval import Formulas
from formula_eval.analyse.ranges.corner_cases import refusing_checks, trials
from formula_eval.analyse.ranges.precision import DigitsLost
from formula_eval.core.namespace import is_published
from formula_eval.core.type import Record
from formula_eval.evaluate.evaluator import Evaluator
from golden import numbers
from properties.test_every_formula import PARTS, part_of, scenarios
from samples import samples

pytestmark = pytest.mark.slow

LISTED = tomllib.loads((Path(__file__).parent / "conditioning.toml").read_text(encoding="utf-8"))
DRAWN = {"serving": 20, "training": 40}


@pytest.fixture(scope="module")
def evaluator(formulas: Formulas) -> Evaluator:
    return formulas.evaluator


@pytest.mark.parametrize("part", PARTS)
def test_no_formula_loses_its_digits_in_scenarios(evaluator: Evaluator, part: str) -> None:
    nodes = evaluator.graph.nodes.items()
    program = evaluator.program([n for n, node in nodes if part_of(n) == part and not isinstance(node.type, Record)])
    losses, drawn = DigitsLost(program, evaluator.graph, ()), scenarios(evaluator, part, Random(50))
    for _ in range(count := samples(DRAWN.get(part, 20))):
        givens = next(drawn)
        lossy = losses.of(givens)
        assert lossy.keys() <= LISTED.keys(), (lossy, givens)
    assert losses.computed > 0.9 * count


def test_no_formula_loses_its_digits_where_what_an_input_allows_ends(evaluator: Evaluator) -> None:
    """A third of the ends of what a user gives; `check --precision` tries all, and those of what records give."""
    schema = evaluator.schema
    names = [name for name, each in schema.formulas.items() if each.is_listed and not is_published(name)]
    refusing = refusing_checks(schema)
    program = evaluator.program([*names, *refusing])
    inputs = [schema.inputs[name] for name in program.inputs]
    tried = trials(evaluator, [each for each in inputs if not each.supplier], seed=50, most_pairs=0)[::3]
    losses = DigitsLost(program, evaluator.graph, refusing)
    for trial in tried:
        lossy = losses.of({**trial.givens, **trial.changes})
        assert lossy.keys() <= LISTED.keys(), (lossy, trial.records, trial.changes)
    assert losses.computed > 0.7 * len(tried)


@pytest.mark.parametrize("name", LISTED)
def test_what_is_listed_loses_its_digits(evaluator: Evaluator, name: str) -> None:
    stated = dict(LISTED[name])
    assert stated.pop("reason")
    program = evaluator.program([name])
    givens = evaluator.givens(numbers.question("", stated))
    assert name in DigitsLost(program, evaluator.graph, ()).of(givens.values)
