"""What goes wrong at the ends of declared ranges is found, with inputs with which the engine says the same."""

import json

import pytest
from click.testing import CliRunner

from counted import seen
from formula_eval.analyse.ranges.hazards import Hazards, hazards
from formula_eval.cache import Cache
from formula_eval.cli.command import cli
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question

CHAPTER = '''"""What a house takes to heat."""

input rooms: layer = 4 in 0 .. 1e9
    "Rooms of the house"

input heat: J = 20 kWh in 1 kWh .. 1e6 kWh
    "Heat that one room takes"

input heated = 1 in 0 .. 1
    "Share of the heat that is paid for"

input pipes: kernel = 3 in 0 .. 1e9
    "Pipes of each room"

check some_rooms refuse: rooms >= 1
    "A house without rooms is not heated."

house_heat: J = rooms * heat
    "Heat that all rooms take"

share_per_room = heated / rooms
    "Share of one room, of which there is at least one"

billed_heat: J = house_heat / heated
    "Heat for each part that is paid for"

spared_heat: J = house_heat * (0.5 - heated)
    "Heat that is not paid for, beyond half of it"

joints: kernel = pipes * pipes
    "Pairs of pipes"

twice: J = 2 * billed_heat
    "Twice what may have no value"
'''


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    folder = tmp_path_factory.mktemp("house")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "A house"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "house.formula").write_text(CHAPTER.lstrip(), encoding="utf-8")
    return Evaluator(find_library([folder]), Cache(None))


@pytest.fixture(scope="module")
def found(evaluator: Evaluator) -> Hazards:
    return hazards(evaluator)


def test_each_mistake_is_found_where_it_begins(found: Hazards) -> None:
    assert {(each.name, each.how) for each in found.found} == {
        ("billed_heat", "has no value"),
        ("spared_heat", "is negative"),
        ("joints", "is above 2**53"),
    }
    assert found.formulas == 6
    assert found.open == ("share_per_room",)


def test_the_engine_says_the_same_with_these_inputs(found: Hazards, evaluator: Evaluator) -> None:
    for each in seen(found.found):
        given = {value.name: value.plain for value in each.given}
        givens = evaluator.givens(Question(values=given))
        if each.how == "has no value":
            with pytest.raises(FormulaError, match="divides by zero"):
                evaluator.evaluate(givens, [each.name])
        else:
            assert evaluator.evaluate(givens, [each.name]).numbers[each.name] == each.value.as_number()


def test_it_is_the_same_for_the_same_seed(found: Hazards, evaluator: Evaluator) -> None:
    again = hazards(evaluator)
    assert [each[:3] for each in again.found] == [each[:3] for each in found.found]


def test_the_command_tells_it(evaluator: Evaluator) -> None:
    folder = str(evaluator.library.folders[-1])
    result = CliRunner().invoke(cli, ["check", folder, "--ranges", "--format", "json"])
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert {each["name"] for each in data["found"]} == {"billed_heat", "spared_heat", "joints"}
