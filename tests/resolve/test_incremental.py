"""Chapters resolved on top of others are what all of them resolve to at once; where they cannot be, that is said."""

from pathlib import Path

import pytest

from formula_eval.cache import Cache
from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.library import Library
from formula_eval.resolve import load
from formula_eval.resolve.graph_cache import kept_graph
from formula_eval.resolve.load import load_and_keep, read_chapters
from formula_eval.resolve.passes import resolve, resolve_on
from formula_eval.resolve.resolved import Resolved
from language.cases import reader, units

ROOT = Path(__file__).parents[2]
BASE = """
choice phase = prefill | decode
record hardware in hardware.toml as gpu
input other: hardware = hardware
input span: phase = prefill
input batch = 2
input speed from hardware
def half(x) = x / 2
table parts open
  work
  row body "Body"
    work = 3 * batch
  row head "Head"
    work = half(batch)
idle = count(part.work > 1 for part in parts)
def grown(x) = x * batch
situation doubled: batch = 2 * batch
doubly = (time with batch = parts.body.work, doubled)
broad = (time with doubled) + grown(3)
time = sum(part.work for part in parts) / speed * (2 if span == decode else 1)
decoding = (time with span = decode)
large = (decoding with batch = 8)
there = (time with hardware = other)
check batch_is_there refuse: batch > 0
    "The batch is {batch}"
"""
ADDED = {
    "a formula of its own": "twice = 2 * time",
    "a copy that is there": "again = 3 * (time with span = decode)",
    "another copy": "small = (decoding with batch = 1)",
    "under a formula of its own": "input limit = 3\nunder = (large with batch = limit, span = decode)",
    "a function and a table": "def third(x) = half(x) / 3\ntable mine\n  cost\n  row a\n    cost = third(time)",
    "an input of a record": "input links = 1 from hardware\nmoved = links * (time with hardware = other)",
    "a choice of the same words": "choice sort = prefill | rest\ninput of: sort = rest\nx = 1 if of == rest else 2",
    "a term more": "extend time + 1 / batch",
    "a term that needs more": "input wait = 1\nextend time + wait",
    "a factor": "extend time * 2 if batch > 1",
    "a limit": "extend decoding at most 3 * time",
    "a replacement of the original": "replace decoding = max(original, 1) + (original with batch = 3)",
    "another formula": "replace decoding = time / batch",
    "another formula that copies": "replace large = (time with batch = 9)",
    "an input that is extended": "extend batch + 1",
    "an input that is extended, and read": "input more = 1\nextend batch + more\nmine = (large with batch = 4) + batch",
    "an input that is limited": "extend batch at most 4",
    "a choice that copies read": "input share = 1\nextend batch * share\nalone = (decoding with span = prefill)",
    "rows more": "extend parts\n  row tail\n    work = 1",
    "rows more, and one of them": "extend parts\n  row tail\n    work = 1\nextend batch + 1\nmine = parts.tail.work",
}
APART = {
    "a name that is there": "time = 3",
}


@pytest.fixture(scope="module")
def base() -> Resolved:
    resolved = resolve([_chapter(BASE, "formulas/base.formula", "")], units())
    assert resolved.findings == ()
    return resolved


def _chapter(text: str, file: str, namespace: str) -> Chapter:
    chapter, findings = reader().chapter(text, file, namespace)
    assert not findings
    return chapter


@pytest.mark.parametrize("text", ADDED.values(), ids=ADDED)
@pytest.mark.parametrize("namespace", ["", "mine"])
def test_it_is_what_all_resolve_to(base: Resolved, text: str, namespace: str) -> None:
    more = _chapter(text, "mine/formulas/more.formula", namespace)
    on_top = resolve_on(base, [more], units())
    whole = resolve([_chapter(BASE, "formulas/base.formula", ""), more], units())
    assert on_top is not None
    assert on_top.findings == whole.findings == ()
    _is_same(on_top.graph, whole.graph)


@pytest.mark.parametrize("text", ["wrong = time + missing", "wrong = half(time, 2)", "a = b\nb = a"])
def test_what_is_wrong_is_found(base: Resolved, text: str) -> None:
    more = _chapter(text, "mine/formulas/more.formula", "mine")
    on_top = resolve_on(base, [more], units())
    whole = resolve([_chapter(BASE, "formulas/base.formula", ""), more], units())
    assert on_top is not None
    assert on_top.findings == whole.findings != ()


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_what_changes_the_meaning_of_others_is_resolved_with_them(base: Resolved, text: str) -> None:
    assert resolve_on(base, [_chapter(text, "mine/formulas/more.formula", "")], units()) is None


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["libraries/audio", "libraries/diffusion", "tests/user_library/reform_library"])
def test_libraries_are_what_all_their_chapters_resolve_to(folder: str, kept: Path) -> None:
    library, cache = find_library([ROOT / folder]), Cache(kept)
    fingerprint = library.fingerprint()
    on_top = load_and_keep(library, cache, fingerprint)
    assert on_top is not None
    whole = resolve(read_chapters(library, cache)[0], library.units)
    _is_same(on_top.graph, whole.graph)
    held = kept_graph(cache, fingerprint)
    assert held is not None
    _is_same(held.graph, whole.graph)
    assert held.scope.symbols == whole.scope.symbols


def test_a_library_of_data_alone_has_our_formulas(tmp_path: Path, kept: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "own.toml").write_text("layers = 2\n")
    cache = Cache(kept)
    own, ours = (Evaluator(find_library(folders), cache) for folders in ([tmp_path], []))
    assert own.resolved.made_anew == {}
    _is_same(own.graph, ours.graph)
    assert dict(own.schema.inputs) == dict(ours.schema.inputs)
    assert list(own.schema.formulas) == list(ours.schema.formulas)


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


def test_a_base_that_changes_meanwhile_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Edited(Library):
        """A library whose files are others each time that they are looked at."""

        def fingerprint(self) -> str:
            seen.append(1)
            return str(len(seen))

    seen: list[int] = []
    (tmp_path / "formulas").mkdir()
    (tmp_path / "formulas" / "own.formula").write_text('"""Own."""\n\nx = 1\n')
    cache = Cache(tmp_path / "cache")
    monkeypatch.setattr(load, "our_library", lambda: Edited((tmp_path,)))
    assert load._ours(cache, "0") is None  # noqa: SLF001 - a whole library on top of it takes seconds
    assert kept_graph(cache, "0") is kept_graph(cache, "1") is None
