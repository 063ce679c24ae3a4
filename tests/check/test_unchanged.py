"""What has not changed is not checked again; any change to it is."""

import pytest

from formula_eval.cache import Cache
from formula_eval.check import library as checks

CHAPTER = '''"""How long a round trip takes."""

input way: s = 2 s
    "Time of one way"

round_trip: s = 2 * way
    "Time there and back"
    derived "two ways"
    example way = 3 s -> 6 s
'''


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setattr("formula_eval.text_files._SETTLED", 0)
    folder = tmp_path / "trips"
    (folder / "formulas").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Trips"\nuses = []\n')
    (folder / "formulas" / "trip.formula").write_text(CHAPTER)
    return folder


def test_what_has_not_changed_is_not_checked_again(library, tmp_path, monkeypatch):
    cache = Cache(tmp_path / "cache")
    first = checks.soundness(str(library), (), cache)
    monkeypatch.setattr(checks, "Evaluator", None)
    assert checks.soundness(str(library), (), cache) == first
    assert (first.findings, first.examples) == ((), 1)


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("formulas/trip.formula", CHAPTER.replace("6 s", "7 s"), "wrong-example"),
        ("formulas/trip.formula", CHAPTER.replace("2 * way", "3 * way"), "wrong-example"),
        ("reports/lists.toml", "extends = true\ntrips = 5\n", "bad-value"),
    ],
)
def test_what_has_changed_is(library, tmp_path, file, text, code):
    cache = Cache(tmp_path / "cache")
    assert checks.soundness(str(library), (), cache).findings == ()
    (library / file).parent.mkdir(exist_ok=True)
    (library / file).write_text(text)
    assert code in [each.code for each in checks.soundness(str(library), (), cache).findings]


def test_without_a_cache_it_is_checked_again(library, monkeypatch):
    checks.soundness(str(library), (), Cache(None))
    monkeypatch.setattr(checks, "Evaluator", None)
    with pytest.raises(TypeError):
        checks.soundness(str(library), (), Cache(None))
