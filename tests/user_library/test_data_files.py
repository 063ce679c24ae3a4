"""Tables that take their cells from a CSV file: what is read, what is refused, and that a changed file is read anew."""

import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from formula_eval import load
from libraries import checked

HOURS = '''"""A roof, hour by hour."""

choice sky = clear | cloudy

table hours for hour in 0 .. 2 from weather.csv
    "Hours of a day"
    irradiance: W/m**2
        "Power of the light"
    sky: sky
        "What the sky is like"
    stored: kJ/m**2 = (previous.stored else 0) + irradiance * 1 s
        "Light until the end of the hour"

light: kJ/m**2 = last(each.stored for each in hours)
    "All light"

clear_hours = count(each.sky == clear for each in hours)
    "Hours without a cloud"

first_light: whole = first(each.hour for each in hours if each.irradiance > 0) else -1
    "First hour with light"
'''
WEATHER = "hour, irradiance (kW/m**2), sky\n0, 0, cloudy\n1, 2.5, clear\n2, 1e1, clear\n"
FIGURES = ["roof.light", "roof.clear_hours", "roof.first_light"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sun"
    (folder / "formulas" / "roof").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Sun"\nuses = []\nanswer = "roof"\n', encoding="utf-8")
    (folder / "formulas" / "roof" / "roof.formula").write_text(HOURS, encoding="utf-8")
    (folder / "formulas" / "roof" / "weather.csv").write_text(WEATHER, encoding="utf-8")
    return folder


def figures(folder: Path) -> list[float]:
    return [load(folder).evaluate(only=FIGURES).numbers[name] for name in FIGURES]


def test_a_changed_file_is_read_anew(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FORMULA_EVAL_CACHE", str(tmp_path / "cache"))
    assert figures(folder) == [12500, 2, 1]
    assert figures(folder) == [12500, 2, 1]
    (folder / "formulas/roof/weather.csv").write_text(WEATHER.replace("0, 0, cl", "0, 1, cl"), encoding="utf-8")
    assert figures(folder) == [13500, 2, 0]
    (folder / "formulas/roof/weather.csv").write_text(WEATHER.replace("2.5, clear", "20, cloudy"), encoding="utf-8")
    assert figures(folder) == [30000, 1, 1]


def messages(folder: Path) -> list[str]:
    return [str(each) for each in checked(folder).findings]


def test_a_place_in_the_file_is_told(folder: Path) -> None:
    path = folder / "formulas/roof/weather.csv"
    path.write_text(WEATHER.replace("2.5", "=2+3"), encoding="utf-8")
    assert f"{path}:3:4: `=2+3` is no value of `irradiance`" in messages(folder)


def unreadable(path: Path, sort: str) -> None:
    path.unlink()
    if sort == "pipe":
        os.mkfifo(path)
    elif sort == "folder":
        path.mkdir()
    elif sort == "large":
        with path.open("wb") as file:
            file.truncate(10_000_000_000)
    elif sort == "encoding":
        path.write_bytes("hour,température\n".encode("latin-1"))
    elif sort == "link":
        path.symlink_to("/etc/hostname")


@pytest.mark.parametrize(
    ("sort", "message"),
    [
        ("pipe", "Cannot read `{}`: it is a pipe"),
        ("folder", "Cannot read `{}`: is a directory"),
        ("large", "`{}` is larger than 1 MB, the most that is read"),
        ("encoding", "`{}` is not text in UTF-8"),
        ("link", "`weather.csv` lies outside the formulas of the library"),
        ("none", "Cannot read `{}`: no such file or directory"),
    ],
)
def test_what_is_no_file_of_text_is_refused(folder: Path, sort: str, message: str) -> None:
    path = folder / "formulas/roof/weather.csv"
    unreadable(path, sort)
    chapter = folder / "formulas/roof/roof.formula"
    assert messages(folder)[0] == f"{chapter}:5:37: {message.format(path)}"


def test_a_workbook_holds_numbers_and_words_alone(folder: Path, tmp_path: Path) -> None:
    from formula_eval.export.document import document_of  # noqa: PLC0415 - takes time
    from formula_eval.export.formats import write_document  # noqa: PLC0415
    from formula_eval.records.givens import Question  # noqa: PLC0415

    document = document_of(load(folder).evaluator, Question(), FIGURES, named=True)
    write_document(document, "excel", tmp_path / "sun.xlsx")
    with ZipFile(tmp_path / "sun.xlsx") as book:
        texts = "".join(book.read(name).decode() for name in book.namelist() if name.startswith("xl/worksheets/sheet"))
    assert "2500" in texts
    assert "=2" not in texts
