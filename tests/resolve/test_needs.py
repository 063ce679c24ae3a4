"""A choice without a default: what needs it, what a `with` or a given makes of that, and what an answer says."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas, load
from formula_eval.core.graph import FormulaGraph
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.records.givens import Question
from libraries import DOCUMENTS, text_of

ROOT = '''"""Trips."""

choice season = summer | winter

choice tyres = soft | hard

input season: season
    "Season of the trip"

input tyres: tyres = (match season: summer -> hard, winter -> soft)
    "Tyres of the car"

input distance = 2 in 0 .. 10
    "Hours on the road"

drawn = 10 if season == summer else 20
    "Power drawn"
    derived "assumed"
    example season = summer -> 10

grip = 1 if tyres == soft else 2
    "Grip"
    derived "assumed"
    example tyres = soft -> 1

energy = distance * drawn
    "Energy of the trip"
    derived "power and hours"
    example season = winter -> 40

winter_energy = (energy with season = winter)
    "Energy in winter"
    derived "the same in winter"
    example distance = 3 -> 60

winter_grip = (grip with season = winter)
    "Grip in winter, unless somebody says the tyres"
    derived "the same in winter"
    example distance = 1 -> 1

check thrifty warn: energy < 30
    "{energy} are needed."
'''


@pytest.fixture(scope="module")
def trips(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("trips")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Trips"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


def test_what_needs_a_choice(graph: FormulaGraph) -> None:
    needs = {name: node.needs for name, node in graph.nodes.items() if "@" not in name}
    assert needs == {
        "season": (),
        "tyres": ("season",),
        "distance": (),
        "drawn": ("season",),
        "grip": ("tyres",),
        "energy": ("season",),
        "winter_energy": (),
        "winter_grip": (),
        "thrifty": ("season",),
        "thrifty.0": ("season",),
    }


def test_what_was_named_is_refused(trips: Formulas) -> None:
    with pytest.raises(FormulaError) as error:
        trips.evaluate(only=["energy", "winter_energy"])
    (finding,) = error.value.diagnostics
    assert finding.message == "`energy` needs `season`, which is not chosen"
    assert finding.help == "`--season summer` or `--season winter`: Season of the trip."
    with pytest.raises(FormulaError, match="`season` is not chosen"):
        trips.evaluate(only="season")
    with pytest.raises(FormulaError, match="`grip` needs `season`"):
        trips.explain("grip")


def test_what_a_glob_finds_is_left_out(trips: Formulas) -> None:
    result = trips.evaluate(only="*")
    assert {name: value.value for name, value in result.values.items()} == {"winter_energy": 40, "winter_grip": 1}
    assert not result.checks
    said = [each["message"] for each in result.to_data()["checks"]]
    assert said == [
        f"`{name}` has no value without `--season summer` or `--season winter`" for name in ("drawn", "grip", "energy")
    ]


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"season": "winter"}, {"drawn": 20, "grip": 1, "energy": 40, "winter_energy": 40, "winter_grip": 1}),
        ({"season": "summer"}, {"drawn": 10, "grip": 2, "energy": 20, "winter_energy": 40, "winter_grip": 1}),
        ({"tyres": "hard"}, {"grip": 2, "winter_energy": 40, "winter_grip": 2}),
    ],
)
def test_what_somebody_chose_has_a_value(trips: Formulas, given: dict[str, str], values: dict[str, int]) -> None:
    result = trips.evaluate(**given)
    assert {name: value.value for name, value in result.values.items()} == values
    assert [each.ok for each in result.checks] == ([given["season"] == "summer"] if "season" in given else [])


@pytest.mark.parametrize("form", DOCUMENTS)
@pytest.mark.parametrize("season", ["", "winter"])
def test_documents_hold_what_has_a_value(trips: Formulas, form: str, season: str, tmp_path: Path) -> None:
    evaluator = trips.evaluator
    question = Question(values={"season": season} if season else {})
    document = document_of(evaluator, question, evaluator.select(["*energy"]), named=True)
    assert document.wanted == (("energy", "winter_energy") if season else ("winter_energy",))
    assert ("season" in document.names) == bool(season)
    target = tmp_path / f"trips{FORMATS[form].ending}"
    write_document(document, form, str(target))
    if form in ("excel", "svg"):
        assert target.stat().st_size
        return
    text = text_of(target)
    assert ("Season of the trip" in text or '"season"' in text or "season:" in text) == bool(season)


def test_a_python_module_asks_for_the_choice_that_was_made(trips: Formulas, tmp_path: Path) -> None:
    evaluator = trips.evaluator
    modules = {}
    for season in ("", "winter"):
        question = Question(values={"season": season} if season else {})
        target = tmp_path / "trips.py"
        write_document(document_of(evaluator, question, evaluator.select(["*energy"])), "python", str(target))
        modules[season] = vars_of(target)
    assert "energy" not in modules[""]
    assert modules[""]["winter_energy"]() == modules["winter"]["energy"]() == 40
    assert modules["winter"]["energy"](season="summer") == 20


def vars_of(module: Path) -> dict[str, Any]:
    """What running a module leaves."""
    return runpy.run_path(str(module))
