"""The cache on good, broken, full, foreign and shared directories."""

import gc
import json
import os
import weakref
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

from formula_eval.cache import Cache, cache_directory
from formula_eval.core import expression as e
from formula_eval.core.graph import Check
from formula_eval.core.span import Span
from formula_eval.core.type import AnyQuantity, Quantity
from formula_eval.core.unit import UnitTable
from formula_eval.frozen_pickle import unpickled
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "made" / "cache"


def entry(directory: Path) -> Path:
    return next(directory.glob("*.entry"))


def test_keeps_what_it_is_given(directory: Path) -> None:
    Cache(directory).put("key", b"payload")
    cache = Cache(directory)
    assert cache.get("key") == b"payload"
    assert cache.get("../other") is None
    assert cache.complaint is None
    assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("broken", [b"", b"short", b"0" * 40, b"\xff" * 8, bytes(4)])
def test_a_broken_entry_is_removed(directory: Path, broken: bytes) -> None:
    cache = Cache(directory)
    cache.put("key", b"payload")
    entry(directory).write_bytes(broken)
    assert cache.get("key") is None
    assert not list(directory.iterdir())
    assert cache.complaint is None


def test_a_cut_entry_is_removed(directory: Path) -> None:
    cache = Cache(directory)
    cache.put("key", b"payload")
    entry(directory).write_bytes(entry(directory).read_bytes()[:-1])
    assert cache.get("key") is None


def test_nothing_is_kept_nowhere() -> None:
    cache = Cache(None)
    cache.put("key", b"payload")
    assert cache.get("key") is None
    assert cache.complaint is None


def test_a_file_in_the_place_of_the_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        cache = Cache(place)
        cache.put("key", b"payload")
        assert cache.get("key") is None
        assert cache.complaint is not None
        assert cache.complaint.startswith("Works without a cache: ")


@pytest.mark.skipif(ROOT, reason="nothing is read-only for root")
def test_a_read_only_directory(directory: Path) -> None:
    Cache(directory).put("old", b"payload")
    directory.chmod(0o500)
    cache = Cache(directory)
    cache.put("key", b"payload")
    assert cache.complaint is not None
    assert Cache(directory).get("old") == b"payload"
    directory.chmod(0o700)


def test_a_full_disk(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache = Cache(directory)
    cache.put("key", b"payload")
    assert cache.complaint == f"Works without a cache: No space left on device ({directory})"
    assert not list(directory.iterdir())
    cache.put("key", b"payload")
    assert cache.get("key") is None


def test_a_directory_that_others_may_write_to_is_not_trusted(directory: Path) -> None:
    Cache(directory).put("key", b"payload")
    directory.chmod(0o777)
    cache = Cache(directory)
    assert cache.get("key") is None
    assert cache.complaint is not None
    assert "can be written to by others" in cache.complaint


def test_only_the_entries_used_last_are_kept(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formula_eval.cache._MOST_BYTES", 50)
    cache = Cache(directory)
    for number in range(8):
        cache.put(str(number), b"payload")
        assert cache.get("0") == b"payload"
    assert len(list(directory.iterdir())) == 4
    assert [each for each in range(8) if cache.get(str(each))] == [0, 5, 6, 7]


def _many(directory: Path) -> bool:
    cache = Cache(directory)
    good = True
    for number in range(100):
        cache.put(str(number % 5), bytes([number % 5]) * 5000)
        good &= cache.get(str(number % 5)) in (None, bytes([number % 5]) * 5000)
    return good and cache.complaint is None


def test_processes_may_share_it(directory: Path) -> None:
    with ProcessPoolExecutor(3) as pool:
        assert all(pool.map(_many, [directory] * 3))


def test_the_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORMULA_EVAL_CACHE", "/one")
    monkeypatch.setenv("XDG_CACHE_HOME", "/two")
    assert cache_directory() == Path("/one")
    monkeypatch.delenv("FORMULA_EVAL_CACHE")
    assert cache_directory() == Path("/two/formula-eval")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_directory() == Path("/home/someone/.cache/formula-eval")


@pytest.mark.skipif(os.name != "posix", reason="files have no owner")
def test_an_entry_that_others_may_have_written_is_not_trusted(directory: Path) -> None:
    Cache(directory).put("key", b"payload")
    entry(directory).chmod(0o666)
    cache = Cache(directory)
    assert cache.get("key") is None
    assert cache.complaint is not None
    assert f"Remove {directory}" in cache.complaint


@pytest.mark.skipif(not ROOT, reason="only root gives files away")
def test_an_entry_of_another_user_is_not_trusted(directory: Path) -> None:
    Cache(directory).put("key", b"payload")
    os.chown(entry(directory), 12345, 12345)
    assert Cache(directory).get("key") is None
    os.chown(entry(directory), 0, 0)
    assert Cache(directory).get("key") == b"payload"


@pytest.mark.skipif(not ROOT, reason="only root gives links away")
def test_a_link_of_another_user_to_a_directory_is_not_trusted(directory: Path, tmp_path: Path) -> None:
    Cache(directory).put("key", b"payload")
    link = tmp_path / "link"
    link.symlink_to(directory)
    assert Cache(link).get("key") == b"payload"
    os.lchown(link, 12345, 12345)
    cache = Cache(link)
    assert cache.get("key") is None
    assert "is a link that belongs to another user" in str(cache.complaint)


@pytest.mark.parametrize("make", ["link", "pipe", "folder"])
def test_an_entry_that_is_no_file_is_not_opened(directory: Path, tmp_path: Path, make: str) -> None:
    Cache(directory).put("key", b"payload")
    path = entry(directory)
    path.rename(tmp_path / "moved")
    if make == "link":
        path.symlink_to(tmp_path / "moved")
    elif make == "pipe":
        os.mkfifo(path, 0o600)
    else:
        path.mkdir(0o700)
    cache = Cache(directory)
    assert cache.get("key") is None
    assert cache.complaint is not None


def test_what_cannot_be_made_of_an_entry_is_forgotten(directory: Path) -> None:
    cache = Cache(directory)
    cache.put("key", b"no json")
    assert cache.get_made("key", json.loads) is None
    assert not list(directory.iterdir())
    cache.put("object", b"no pickle")
    assert cache.get_object("object") is None
    assert cache.complaint is None
    cache.put("key", b"[1]")
    assert cache.get_made("key", json.loads) == [1]


def test_objects_are_kept_as_they_were(directory: Path) -> None:
    """Classes with and without slots and fields, those of the standard library, and one object for what was one."""
    shared = e.Number("0.5", "byte", Fraction(1, 2), span=Span("file", 1, 2, 3, 4))
    whole = {
        "tree": e.Binary("+", shared, e.Call("max", (shared, e.Infinity()), "as written")),
        "kinds": (e.Number, Quantity(whole=True), AnyQuantity(), Check("node", "warn", ("message",))),
        "table": UnitTable(),
    }
    Cache(directory).put_object("key", whole)
    assert Cache(directory).get_object("key") is whole
    found = Cache(directory).get_made("key", unpickled)
    assert found is not None
    assert found is not whole
    assert repr((found["tree"], found["kinds"])) == repr((whole["tree"], whole["kinds"]))
    assert (found["tree"], found["kinds"]) == (whole["tree"], whole["kinds"])
    assert found["tree"].left is found["tree"].right.arguments[0]
    assert found["tree"].left.span == shared.span
    assert found["table"].units == {}


def test_an_object_is_made_again_only_when_nobody_holds_it(directory: Path) -> None:
    cache = Cache(directory)
    for number in range(20):
        cache.put_object(f"key {number}", Resolved(None, Scope(UnitTable()), ()))
    held, others = (
        cache.get_object("key 0"),
        [weakref.ref(cache.get_object(f"key {number}")) for number in range(1, 20)],
    )
    gc.collect()
    assert cache.get_object("key 0") is held
    assert 0 < sum(each() is not None for each in others) < 10


def test_who_asks_again_gets_what_was_made_before_until_it_changes(directory: Path) -> None:
    cache = Cache(directory)
    cache.put("key", b"payload")
    first = cache.get_shared("key", bytearray)
    assert first == b"payload"
    assert Cache(directory).get_shared("key", bytearray) is first
    cache.put("key", b"another")
    assert cache.get_shared("key", bytearray) == b"another"
