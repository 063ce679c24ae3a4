"""What a cached program is kept under: every file that shapes it, and the moment at which the files were read."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

import formula_eval
from formula_eval import library as library_module, text_files
from formula_eval.cache import Cache
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library, shipped_libraries
from formula_eval.library import OURS, SHIPPED_LIBRARIES, Library, engine_fingerprint
from formula_eval.records.givens import Question
from formula_eval.resolve import load

PACKAGE = Path(formula_eval.__file__).parent
LONG_AGO = 1_000_000_000
REPORT = "reports/lists.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chapter = tmp_path / "formulas" / "own" / "heat.formula"
    chapter.parent.mkdir(parents=True)
    chapter.write_text(
        '"""Heat."""\n\nheat: W = 1 W\n    "Heat of a server"\n    derived "a round figure"\n    example -> 1 W\n'
    )
    return tmp_path


def test_every_file_of_the_engine_and_of_all_formulas_counts(folder: Path) -> None:
    paths = {Path(path) for _, path in find_library([folder])._shaping()}  # noqa: SLF001 - what the key covers
    engine = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in engine if PACKAGE / "compiled" not in path.parents} <= paths
    assert folder / "formulas/own/heat.formula" in paths


def test_our_own_files_are_named_alike_wherever_they_lie(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "OURS", folder)
    (folder / "hardware.toml").write_text("")
    names = {name for name, _ in Library((folder,))._shaping()}  # noqa: SLF001 - as above
    assert {"/own/heat.formula", "engine/library.py", "engine/core/unit.py"} <= names
    assert not [each for each in names if str(folder) in each or str(PACKAGE) in each]


def test_a_library_has_one_fingerprint_by_its_name_its_path_and_a_shorter_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what was resolved under one of them serves the others; messages call its files the same."""
    monkeypatch.chdir(OURS)
    name = shipped_libraries()[0]
    ways = [[name], [SHIPPED_LIBRARIES / name], [f"libraries/{name}"]]
    assert len({find_library(each).fingerprint() for each in ways}) == 1
    monkeypatch.chdir(SHIPPED_LIBRARIES)
    assert find_library([Path(name)]).fingerprint() != find_library([SHIPPED_LIBRARIES / name]).fingerprint()


def test_a_changed_renamed_or_added_file_changes_the_fingerprint(folder: Path) -> None:
    library = find_library([folder])
    chapter = folder / "formulas/own/heat.formula"
    seen = {library.fingerprint()}
    chapter.write_text(chapter.read_text().replace("1 W", "2 W"))
    seen.add(library.fingerprint())
    chapter.rename(chapter.with_name("warmth.formula"))
    seen.add(library.fingerprint())
    (folder / "formulas/own/preset.toml").write_text("")
    seen.add(library.fingerprint())
    (folder / "formulas/own/remarks.txt").write_text("")
    seen.add(library.fingerprint())
    assert len(seen) == 4


def test_a_file_that_was_read_is_read_again_once_it_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formula_eval.text_files._SETTLED", 0)
    library, report = find_library([folder]), folder / "reports" / "lists.toml"
    report.parent.mkdir()
    report.write_text("extends = true\n[own]\nrows = 1\n")
    chapter, first, fingerprint = folder / "formulas/own/heat.formula", library.last(REPORT)[1], library.fingerprint()
    assert first["own"] == {"rows": 1}
    assert library.last(REPORT)[1] is first
    assert library.fingerprint() == fingerprint
    report.write_text("extends = true\n[own]\nrows = 1000\n")
    chapter.write_text(chapter.read_text().replace("1 W", "1000 W"))
    assert library.last(REPORT)[1]["own"] == {"rows": 1000}
    assert library.fingerprint() != fingerprint


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
def test_pipes_and_names_that_are_no_utf_8_stop_nobody(folder: Path) -> None:
    os.mkfifo(folder / "formulas/own/pipe.formula")
    os.mkfifo(folder / "formulas/own/pipe")
    odd = folder / os.fsdecode(b"lib\xff")
    (odd / "formulas").mkdir(parents=True)
    library = find_library([folder, odd])
    assert library.fingerprint()
    assert Evaluator(library, Cache(None)).library.stamp() is not None
    assert folder / "formulas/own/pipe.formula" not in {path for _, path in library.files("formulas/**/*.formula")}


def test_a_renamed_folder_of_the_engine_changes_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "_PACKAGE", tmp_path)
    (tmp_path / "resolve").mkdir()
    (tmp_path / "resolve/passes.py").write_text("PASSES = ()")
    library = Library((tmp_path,))
    before = library.fingerprint()
    (tmp_path / "resolve").rename(tmp_path / "elaborate")
    assert library.fingerprint() != before


def test_what_reads_no_chapter_shapes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "_PACKAGE", tmp_path)
    for folder in ("language", "check"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "reader.py").write_text("")
    first = engine_fingerprint(["check"])
    (tmp_path / "check" / "reader.py").write_text("changed = True\n")
    assert engine_fingerprint(["check"]) == first
    (tmp_path / "check").rename(tmp_path / "inspect")
    assert engine_fingerprint(["check"]) != first
    (tmp_path / "inspect").rename(tmp_path / "check")
    (tmp_path / "language" / "reader.py").write_text("changed = True\n")
    assert engine_fingerprint(["check"]) != first


def test_chapters_are_parsed_once_for_all_processes(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "library.toml").write_text("uses = []\n")
    place = tmp_path_factory.mktemp("cache")
    first = load.read_chapters(find_library([folder]), Cache(place))
    library_module._table.cache_clear()  # noqa: SLF001 - as another process begins, with a table of its own
    monkeypatch.setattr(load, "_chapter", None)
    assert load.read_chapters(find_library([folder]), Cache(place)) == first


def test_what_was_written_just_now_has_no_stamp(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = find_library([folder])
    assert library.stamp() == ""
    monkeypatch.setattr(text_files, "_SETTLED", -1)
    first = library.stamp()
    assert first == library.stamp() != ""
    os.utime(folder / "formulas/own/heat.formula", (LONG_AGO, LONG_AGO))
    assert library.stamp() != first


def test_formulas_that_change_while_they_are_read_are_refused(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "library.toml").write_text("uses = []\n")
    chapter = folder / "formulas/own/heat.formula"
    read = load.read_text

    def read_and_change(path: Path, shown: str) -> str:
        text = read(path, shown)
        if path == chapter:
            chapter.write_text(text.replace("1 W", "2 W"))
        return text

    monkeypatch.setattr(load, "read_text", read_and_change)
    kept = tmp_path_factory.mktemp("cache")
    with pytest.raises(FormulaError, match="changed while they were read"):
        Evaluator(find_library([folder]), Cache(kept)).graph  # noqa: B018 - to read it is the test
    monkeypatch.undo()
    evaluator = Evaluator(find_library([folder]), Cache(kept))
    givens = evaluator.givens(Question())
    assert evaluator.evaluate(givens, ["own.heat"]).values["own.heat"].value == 2


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk whose clock cannot tell two files apart, and files that were written long ago."""

    def long_ago(path: str | Path) -> SimpleNamespace:
        seen = os.stat(path)  # noqa: PTH116 - what the modules ask
        told = {each: getattr(seen, each) for each in ("st_dev", "st_ino", "st_size")}
        return SimpleNamespace(**told, st_mtime_ns=LONG_AGO, st_ctime_ns=LONG_AGO)

    for module in (text_files, library_module):
        monkeypatch.setattr(module, "os", SimpleNamespace(**{**vars(os), "stat": long_ago}))


def ten_libraries(folder: Path) -> list[Path]:
    """Libraries of the same files, sizes and times, each with a heat of its own."""
    found = []
    for number in range(10):
        chapter = folder / f"v{number}" / "formulas" / "own" / "heat.formula"
        chapter.parent.mkdir(parents=True)
        (folder / f"v{number}" / "library.toml").write_text("uses = []\n")
        (folder / f"v{number}" / "formulas" / "own" / "preset.toml").write_text("")
        chapter.write_text(f'"""Heat."""\n\nheat: J = 1{number} J\n    "Heat"\n    derived "a round figure"\n')
        for each in (folder / f"v{number}").rglob("*"):
            os.utime(each, (LONG_AGO, LONG_AGO))
        found.append(folder / f"v{number}")
    return found


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("by", ["link", "folder"])
def test_libraries_behind_one_path_give_each_its_own_number(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    kept, current, heats = tmp_path_factory.mktemp("cache"), tmp_path / "current", []
    for folder in ten_libraries(tmp_path):
        if by == "link":
            current.unlink(missing_ok=True)
            current.symlink_to(folder)
        else:
            monkeypatch.chdir(folder)
        evaluator = Evaluator(find_library([current if by == "link" else "."]), Cache(kept))
        assert evaluator.library.stamp()
        heats.append(evaluator.evaluate(evaluator.givens(Question()), ["own.heat"]).values["own.heat"].value)
    assert heats == list(range(10, 20))
