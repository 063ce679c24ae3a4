"""A file of points is read whole or refused with a message; nothing in it is taken for granted."""

import json
import lzma

import pytest

from formula_eval.analyse.validate.points import read_points
from formula_eval.core.diagnostic import FormulaError


def test_a_folder_a_file_and_an_archive_hold_the_same(point, tmp_path):
    text = json.dumps([point()])
    (tmp_path / "measured.json").write_text(text, encoding="utf-8")
    (tmp_path / "other.json").write_text(text, encoding="utf-8")
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "measured.json.xz").write_bytes(lzma.compress(text.encode()))
    first, *others = (read_points(tmp_path / name) for name in ("", "other.json", "packed"))
    assert all(each == first for each in others)
    assert first[0].inputs["gpu"] == "One 80GB"


def test_what_is_not_needed_may_be_absent(point, written):
    (found,) = read_points(written([{key: value for key, value in point().items() if key != "core"}]))
    assert (found.core, found.tier, found.derived) == (False, "", ())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is not valid JSON"),
        (b"{", "is not valid JSON"),
        (b"[" * 100_000, "is not valid JSON"),
        (b"{}", "does not hold a list of points"),
        (b"3", "does not hold a list of points"),
        (b"\xff\xfe", "is not text in UTF-8"),
        (b"[3]", "point 0 is not an object"),
        (b'[{"id": "a"}]', "point 0 (`a`): `source` is missing"),
        (b'[{"id": 3, "source": "a", "kind": "b", "inputs": {}, "measured": {}}]', "point 0: `id` is not a text"),
        (b'[{"id": "a", "source": "a", "kind": "b", "inputs": [], "measured": {}}]', "`inputs` is not an object"),
        (b'[{"id": "a", "source": "a", "kind": "b", "inputs": {}}]', "`measured` is missing"),
    ],
)
def test_anything_else_is_refused(tmp_path, content, says):
    (tmp_path / "measured.json").write_bytes(content)
    with pytest.raises(FormulaError) as told:
        read_points(tmp_path)
    assert says in str(told.value)


def test_a_broken_archive_is_refused(tmp_path):
    (tmp_path / "measured.json.xz").write_bytes(b"no archive")
    with pytest.raises(FormulaError, match="is not an xz archive"):
        read_points(tmp_path)


@pytest.mark.parametrize("name", ["nowhere", "nowhere/measured.json", "\0", "a" * 5000])
def test_what_is_not_there_is_refused(tmp_path, name):
    with pytest.raises(FormulaError, match="There is no"):
        read_points(tmp_path / name)


def test_a_folder_without_points_is_refused(tmp_path):
    with pytest.raises(FormulaError, match=r"holds no `measured\.json`"):
        read_points(tmp_path)
