"""After any edits, in any order, a library has the findings that it would have if nobody had checked it before."""

import random
from pathlib import Path

import pytest

from formula_eval.cache import Cache
from formula_eval.check import examples, library as check_library
from formula_eval.check.library import soundness
from samples import samples

CHAPTER = '''"""How long a trip takes, and what it costs."""

record car in cars.toml default small
    "A car"

choice road = town | country

input speed: m/s = (50 m/s) in (1 m/s) .. (200 m/s)
    "Speed of the car"

input way: m = 100 m
    "Length of the way"

input fuel: kg/m = (1 kg/m) from car
    "Fuel burnt on the way"

input kind: road = town
    "Road that it takes"

situation quickly: speed = (100 m/s)
    "In a hurry"

def twice(time: s) -> s = 2 * time
    "Time there and back"
    derived "two ways"
    example time = 3 s -> 6 s

def longer(share: percent) -> s = twice(time) * (1 + share) + (time with quickly)
    "Time there and back with a pause, and once more in a hurry"
    derived "the ways and the pause"
    example quickly, share = 50 percent -> 4 s

time: s = way / speed if kind == town else way / (2 * speed)
    "Time of one way"
    derived "the speed"
    example way = 50 m, speed = (10 m/s) -> 5 s
    example quickly -> 1 s

both: s = twice(time) + (time with way = 2 * way)
    "Time of four ways"
    derived "twice there and back"
    example quickly -> 4 s
    example quickly, time = 3 s, way = 50 m -> 9 s

paused: s = longer(10 percent)
    "Time of a trip with a short pause"
    derived "the ways"
    example -> 5.4 s

burnt: kg = fuel * way
    "Fuel of one way"
    derived "the way"
    example -> 200 kg
    example car = large -> 500 kg
'''
CARS = '[small]\nname = "Small"\nfuel = "2 kg/m"\n\n[large]\nname = "Large"\nfuel = "5 kg/m"\n'
EDITS = [
    ("Time of one way", "Duration of one way"),
    ("Fuel of one way", "The same for fuel"),
    ('"Time of four ways"', '""'),
    ('derived "the ways"', 'derived ""'),
    ("2 * time", "2 * 1 * time"),
    ("2 * time", "3 * time"),
    ("twice(time) * (1 + share)", "twice(time) * (1 + 2 * share)"),
    ("way / speed if", "1.5 * way / speed if"),
    ("(2 * speed)", "(4 * speed)"),
    ("quickly: speed = (100 m/s)", "quickly: speed = (80 m/s)"),
    ("way = 2 * way", "way = 3 * way"),
    ("fuel * way", "fuel * way * 2"),
    ("input way: m = 100 m", "input way: m = 200 m"),
    ("kind: road = town", "kind: road = country"),
    (".. (200 m/s)", ".. (90 m/s)"),
    ("-> 1 s", "-> 2 s"),
    ("car = large -> 500 kg", "car = large -> ?"),
    ('name = "Large"\nfuel = "5 kg/m"', 'name = "Large"\nfuel = "6 kg/m"'),
    ('derived "the way"\n', 'derived "the way"\n    note "Cold starts burn more."\n'),
]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("formula_eval.text_files._SETTLED", 0)
    folder = tmp_path / "trips"
    (folder / "formulas").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Trips"\nuses = []\n')
    return folder


def _write(library: Path, edits: list[tuple[str, str]]) -> None:
    chapter, cars = CHAPTER, CARS
    for before, after in edits:
        chapter, cars = chapter.replace(before, after, 1), cars.replace(before, after, 1)
    (library / "formulas" / "trip.formula").write_text(chapter)
    (library / "cars.toml").write_text(cars)


@pytest.mark.slow
def test_a_library_that_was_checked_before_has_the_findings_of_a_new_one(library: Path, tmp_path: Path) -> None:
    cache, draw, made, faults = Cache(tmp_path / "cache"), random.Random(1), set[int](), 0
    for turn in range(samples(40)):
        made ^= {draw.randrange(len(EDITS))} if turn else set()
        edits = [EDITS[each] for each in sorted(made)]
        _write(library, edits)
        found = soundness(str(library), (), cache)
        assert found == soundness(str(library), (), Cache(None)), edits
        faults += bool(found.findings)
    assert faults


@pytest.mark.parametrize(
    ("edit", "computed"),
    [
        (("Time of one way", "Duration of one way"), 0),
        (("fuel * way", "fuel * way * 1"), 2),
        (("2 * time", "time * 2"), 5),
        (("-> 200 kg", "-> 2e2 kg"), 1),
    ],
)
def test_only_examples_that_an_edit_reaches_are_computed_again(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: tuple[str, str], computed: int
) -> None:
    cache, run, ran = Cache(tmp_path / "cache"), list[int](), examples._outcomes  # noqa: SLF001 - what is counted
    _write(library, [])
    assert soundness(str(library), (), cache).findings == ()
    monkeypatch.setattr(examples, "_outcomes", lambda cases, *rest: (run.append(len(cases)), ran(cases, *rest))[1])
    _write(library, [edit])
    assert soundness(str(library), (), cache).findings == ()
    assert sum(run) == computed


@pytest.mark.parametrize(
    ("edit", "resolved"),
    [
        (("Time of one way", "Duration of one way"), 0),
        (('derived "the way"\n', 'derived "the way"\n    note "Cold starts burn more."\n'), 0),
        (("Fuel of one way", "The same for fuel"), 1),
        (("-> 200 kg", "-> 2e2 kg"), 1),
        (("fuel * way", "fuel * way * 1"), 1),
    ],
)
def test_other_words_in_a_sentence_are_only_read(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: tuple[str, str], resolved: int
) -> None:
    cache, run, ran = Cache(tmp_path / "cache"), list[int](), check_library._soundness  # noqa: SLF001 - what is counted
    _write(library, [])
    before = soundness(str(library), (), cache)
    monkeypatch.setattr(check_library, "_soundness", lambda *of, **how: (run.append(1), ran(*of, **how))[1])
    _write(library, [edit])
    found = soundness(str(library), (), cache)
    assert found == before or edit[0] == "Fuel of one way"
    assert [each.code for each in found.findings] == ["dangling-sentence"] * (edit[0] == "Fuel of one way")
    assert len(run) == resolved
