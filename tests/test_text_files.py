"""TOML files are read once while they are the same, and again as soon as they are not."""

import os
from pathlib import Path

import pytest

from formula_eval import text_files
from formula_eval.cache import Cache
from formula_eval.core.diagnostic import FormulaError
from formula_eval.text_files import read_toml

LONG_AGO = 1_600_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "record.toml"
    path.write_text("date = 2024-02-01\nat = 2024-02-01T06:30:00Z\n[facts]\ndays = [2024-02-02]\nlayers = 80\n")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def test_dates_are_texts(file: Path, tmp_path: Path) -> None:
    for _ in range(2):  # parsed, then kept
        found = read_toml(file, "record.toml", Cache(tmp_path / "cache"))
        assert found["date"] == "2024-02-01"
        assert found["at"] == "2024-02-01T06:30:00+00:00"
        assert found["facts"] == {"days": ["2024-02-02"], "layers": 80}


def test_a_file_is_read_once_until_it_changes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "_SETTLED", -1)
    first = read_toml(file, "record.toml")
    assert read_toml(file, "record.toml") is first
    os.utime(file, (LONG_AGO, LONG_AGO + 1))
    assert read_toml(file, "record.toml") == first
    file.write_text("date = 2024-02-03\n")
    assert read_toml(file, "record.toml") == {"date": "2024-02-03"}


def test_a_file_that_was_written_just_now_is_read_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(text_files, "read_text", lambda path, _: read.append(path) or path.read_text())
    file.write_text("layers = 80\n")
    for _ in range(2):
        assert read_toml(file, "record.toml") == {"layers": 80}
    assert read == [file, file]


def test_a_broken_entry_of_the_cache_is_made_anew(file: Path, tmp_path: Path) -> None:
    first = read_toml(file, "record.toml", Cache(tmp_path / "cache"))
    for entry in (tmp_path / "cache").iterdir():
        entry.write_bytes(b"no entry")
    assert read_toml(file, "record.toml", Cache(tmp_path / "cache")) == first


def test_what_cannot_be_toml_is_refused(tmp_path: Path) -> None:
    for text in ("a = ", "a = " + "[" * 5000, "a = 1\na = 2"):
        path = tmp_path / "bad.toml"
        path.write_text(text)
        with pytest.raises(FormulaError, match="is not valid TOML"):
            read_toml(path, "bad.toml")
