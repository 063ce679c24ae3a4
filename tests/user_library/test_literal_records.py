"""A record that a formula names by its id: of any kind, in every notation, and another one where somebody says so."""

import runpy
from pathlib import Path

import pytest

from formula_eval import FormulaError, Formulas, load
from formula_eval.analyse.explain import explain
from formula_eval.analyse.show import describe
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.records.givens import Question
from libraries import DOCUMENTS, checked

CHAPTER = '''"""Charging."""

unit EUR base
    "euro"

record tariff in tariffs.toml
    "What energy costs"

input rate: EUR/kWh from tariff
    "Price of energy"

input fee: EUR = 0 EUR from tariff
    "Price of a charging"

cost: EUR = 10 kWh * rate + fee
    "Cost of a charging"
    derived "energy and fee"
    example rate = (0.5 EUR/kWh), fee = 2 EUR -> 7 EUR

road_cost: EUR = (cost with tariff = fast-road)
    "Cost beside the road"
    derived "the same for the tariff of a road"
    example fee = 7 EUR -> 9 EUR

saved: EUR = road_cost - (cost with tariff = home)
    "What charging at home saves"
    derived "the difference"
    example fee = 7 EUR -> 7 EUR

input other: tariff = night-2.5
    "A tariff to compare with"

other_cost: EUR = (cost with tariff = other)
    "Cost by the other tariff"
    derived "the same for another tariff"
    example fee = 7 EUR -> 3 EUR
    example fee = 7 EUR, other = home -> 2 EUR

situation roadside: tariff = fast-road
    "Beside a road"

roadside_cost: EUR = (cost with roadside)
    "Cost beside the road, by the name of its situation"
    derived "the same for the tariff of a road"
    example fee = 7 EUR -> 9 EUR
'''
TARIFFS = """
[fast-road]
rate = "0.8 EUR/kWh"
fee = "1 EUR"

["night-2.5"]
rate = "0.1 EUR/kWh"
fee = "2 EUR"

[home]
rate = "0.2 EUR/kWh"
"""


def written(folder: Path, chapter: str = CHAPTER) -> Path:
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Charging"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "charging.formula").write_text(chapter, encoding="utf-8")
    (folder / "tariffs.toml").write_text(TARIFFS, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def charging(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    return load(written(tmp_path_factory.mktemp("charging")))


def test_the_library_is_sound(tmp_path: Path) -> None:
    found = checked(written(tmp_path))
    assert not found.findings
    assert found.examples == 6


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({}, [9, 7]),
        ({"tariff": "home"}, [9, 7]),
        ({"fast_road_tariff": "home"}, [2, 0]),
        ({"home_tariff": "fast-road"}, [9, 0]),
        ({"fast_road_tariff.fee": "3 EUR"}, [11, 9]),
        ({"other": "home"}, [9, 7]),
    ],
    ids=str,
)
def test_a_record_by_its_id(charging: Formulas, given: dict[str, str], values: list[float]) -> None:
    result = charging.evaluate(only=["road_cost", "saved"], **given)
    assert [each.value for each in result.values.values()] == pytest.approx(values)


def test_a_record_as_the_default_of_an_input(charging: Formulas) -> None:
    """What holds where the user says nothing, is listed and explained as such, and gives way to what the user says."""
    result = charging.evaluate(only=["other_cost"])
    assert result["other_cost"].value == pytest.approx(3)
    assert result.givens.records["other"] == "night-2.5"
    assert charging.evaluate(only=["other_cost"], other="fast-road")["other_cost"].value == pytest.approx(9)
    assert charging.evaluator.schema.inputs["other"].default == "night-2.5"
    assert "input other: tariff = night-2.5" in describe("other", charging.evaluator).text
    (cost,) = explain(charging.evaluator, result.givens, "other_cost").steps
    assert [each.origin.rpartition(" ")[2] for each in cost.steps] == ["[night-2.5]", "[night-2.5]"]


@pytest.mark.parametrize("form", DOCUMENTS)
def test_every_document_holds_it(charging: Formulas, form: str, tmp_path: Path) -> None:
    target = tmp_path / f"charging{FORMATS[form].ending}"
    document = document_of(charging.evaluator, Question(), ["road_cost", "saved", "other_cost"], named=True)
    write_document(document, form, str(target))
    assert target.stat().st_size
    if form == "python":
        module = runpy.run_path(str(target))
        assert [module["road_cost"](), module["saved"]()] == pytest.approx([9, 7])
        assert module["other_cost"]() == pytest.approx(3)
    elif form in ("html", "json", "markdown"):
        assert "night-2.5" in target.read_text(encoding="utf-8")


def test_an_unknown_id_is_told_with_its_place(tmp_path: Path) -> None:
    folder = written(tmp_path, CHAPTER.replace("= fast-road", "= fast-rod"))
    with pytest.raises(FormulaError, match=r"charging.formula:20: Unknown tariff `fast-rod`") as error:
        load(folder).evaluate(only="cost", tariff="home")
    assert error.value.diagnostics[0].help == "Did you mean `fast-road`?"
    messages = [each.message for each in checked(folder).findings]
    assert "Unknown tariff `fast-rod`" in messages


def test_an_unknown_default_is_told_with_its_place(tmp_path: Path) -> None:
    folder = written(tmp_path, CHAPTER.replace("= night-2.5", "= night-2.6"))
    with pytest.raises(FormulaError, match=r"charging.formula:30: Unknown tariff `night-2.6`") as error:
        load(folder).evaluate(only="other_cost")
    assert error.value.diagnostics[0].help == "Did you mean `night-2.5`?"
    assert "Unknown tariff `night-2.6`" in [each.message for each in checked(folder).findings]
