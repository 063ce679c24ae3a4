"""Chapters resolved on top of others are what all of them resolve to at once; where they cannot be, that is said."""

from pathlib import Path

import pytest

from formula_eval.cache import Cache
from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import FormulaGraph
from formula_eval.library import find_library
from formula_eval.resolve.below import Resolved
from formula_eval.resolve.kept import OUR_LIBRARY, keep_graph, kept_graph, kept_ours
from formula_eval.resolve.load import load_graph, read_chapters
from formula_eval.resolve.passes import resolve, resolve_on
from language.cases import reader, units

ROOT = Path(__file__).parents[2]
BELOW = """
choice phase = prefill | decode
record hardware in hardware.toml as gpu
input other: hardware = hardware
input span: phase = prefill
input batch = 2
input speed from hardware
def half(x) = x / 2
table parts
  work
  row body "Body"
    work = 3 * batch
  row head "Head"
    work = half(batch)
time = sum(part.work for part in parts) / speed * (2 if span == decode else 1)
decoding = (time with span = decode)
large = (decoding with batch = 8)
there = (time with hardware = other)
check batch_is_there refuse: batch > 0
    "The batch is {batch}"
"""
STANDING = {
    "a formula of its own": "twice = 2 * time",
    "a copy that is there": "again = 3 * (time with span = decode)",
    "another copy": "small = (decoding with batch = 1)",
    "under a formula of its own": "input limit = 3\nunder = (large with batch = limit, span = decode)",
    "a function and a table": "def third(x) = half(x) / 3\ntable mine\n  cost\n  row a\n    cost = third(time)",
    "an input of a record": "input links = 1 from hardware\nmoved = links * (time with hardware = other)",
    "a choice of the same words": "choice sort = prefill | rest\ninput of: sort = rest\nx = 1 if of == rest else 2",
    "a term more": "extend time + 1 / batch",
    "a term that needs more": "input wait = 1\nextend time + wait",
    "another formula": "replace decoding = time / batch",
    "another formula that copies": "replace large = (time with batch = 9)",
}
APART = {
    "an input that is extended": "extend batch + 1",
    "rows more": "extend parts\n  row tail\n    work = 1",
    "a name that is there": "time = 3",
}


@pytest.fixture(scope="module")
def below() -> Resolved:
    resolved = resolve([_chapter(BELOW, "formulas/below.formula", "")], units())
    assert resolved.findings == ()
    return resolved


def _chapter(text: str, file: str, namespace: str) -> Chapter:
    chapter, findings = reader().chapter(text, file, namespace)
    assert not findings
    return chapter


@pytest.mark.parametrize("text", STANDING.values(), ids=STANDING)
@pytest.mark.parametrize("namespace", ["", "mine"])
def test_it_is_what_all_resolve_to(below: Resolved, text: str, namespace: str) -> None:
    more = _chapter(text, "mine/formulas/more.formula", namespace)
    upon = resolve_on(below, [more], units())
    whole = resolve([_chapter(BELOW, "formulas/below.formula", ""), more], units())
    assert upon is not None
    assert upon.findings == whole.findings == ()
    _is_same(upon.graph, whole.graph)


@pytest.mark.parametrize("text", ["wrong = time + missing", "wrong = half(time, 2)", "a = b\nb = a"])
def test_what_is_wrong_is_found(below: Resolved, text: str) -> None:
    more = _chapter(text, "mine/formulas/more.formula", "mine")
    upon = resolve_on(below, [more], units())
    whole = resolve([_chapter(BELOW, "formulas/below.formula", ""), more], units())
    assert upon is not None
    assert upon.findings == whole.findings != ()


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_what_changes_the_meaning_of_others_is_resolved_with_them(below: Resolved, text: str) -> None:
    assert resolve_on(below, [_chapter(text, "mine/formulas/more.formula", "")], units()) is None


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["examples/diffusion", "tests/user_library/reform_library"])
def test_libraries_are_what_all_their_chapters_resolve_to(folder: str, kept: Path) -> None:
    library, cache = find_library([ROOT / folder]), Cache(kept)
    upon = load_graph(library, cache)
    whole = resolve(read_chapters(library, cache)[0], library.units)
    _is_same(upon.graph, whole.graph)
    fingerprint = library.fingerprint()
    keep_graph(upon, library, cache, fingerprint)
    held, ours = kept_graph(cache, fingerprint), kept_ours(cache)
    assert held is not None
    assert ours is not None
    assert ours.graph is not None
    _is_same(held.graph, whole.graph)
    assert held.scope.symbols == whole.scope.symbols
    assert OUR_LIBRARY.fingerprint() != fingerprint


def _is_same(one: FormulaGraph | None, other: FormulaGraph | None) -> None:
    assert one is not None
    assert other is not None
    assert one.nodes == other.nodes
    assert one.parents == other.parents
    assert {name: set(each) for name, each in one.children.items()} == {
        name: set(each) for name, each in other.children.items()
    }
    assert set(one.checks) == set(other.checks)
    assert (one.tables, one.kinds, one.functions) == (other.tables, other.kinds, other.functions)
