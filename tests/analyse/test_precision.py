"""A formula that loses its digits at an end of an input is found, where it begins and with what makes it lose them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from formula_eval.analyse.ranges.precision import Precision, precision
from formula_eval.cache import Cache
from formula_eval.cli.command import cli
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library

CHAPTER = '''"""What comes late in a house."""

input late_post = 0 in 0 .. 1
    "Share of letters that come late"

input late_milk = 0.3 in 0.1 .. 1
    "Share of bottles that come late"

input tiny = 1e-20 in 1e-20 .. 1
    "A share that is nothing beside 1"

either_late = 1 - (1 - late_post) * (1 - late_milk * tiny)
    "Share of days on which one of both is late"

twice_late = 2 * either_late
    "Twice what has lost its digits"

well_late = late_post + late_milk * tiny * (1 - late_post)
    "The same share, with all its digits"

of_nothing = late_milk + 0.1 - 0.1 - late_milk
    "Nothing, but for what rounding leaves"

decided = 1 if of_nothing > 1e-30 else 2
    "What rounding decides"
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("late")
    (made / "formulas").mkdir()
    (made / "library.toml").write_text('title = "A house"\nuses = []\n', encoding="utf-8")
    (made / "formulas" / "late.formula").write_text(CHAPTER, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def found(folder: Path) -> Precision:
    return precision(Evaluator(find_library([folder]), Cache(None)))


def test_a_formula_that_loses_digits_is_found_where_it_begins(found: Precision) -> None:
    assert found.computed == found.tried == 1 + 3 * 2
    decided, late = found.found
    assert (decided.name, decided.loss.value, decided.loss.exact) == ("decided", 1.0, 2.0)
    assert (late.name, late.loss.value) == ("either_late", 0.0)
    assert 0.9e-21 < late.loss.exact < 1.1e-20
    assert late.loss.digits == pytest.approx(15.95, abs=0.01)
    assert late.place.endswith("late.formula:12")


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_tells_it_with_what_to_do(folder: Path, form: str) -> None:
    done = CliRunner().invoke(cli, ["check", "--precision", "--library", str(folder), "--format", form])
    assert done.exit_code == 0, done.output
    if form == "text":
        assert "either_late loses 16 digits: 0 for " in done.stdout
        assert "late.formula:12" in done.stdout
        assert "Write it without the difference" in " ".join(done.stdout.split())
    else:
        _, late = json.loads(done.stdout)["found"]
        assert (late["name"], late["value"]) == ("either_late", 0.0)
