"""What records and commands say stays text in a workbook, whatever it looks like."""

import io
import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from export.office import Office
from export.workbook_cases import agrees, book_of, document, shown
from formula_eval.export.formats import write_document
from formula_eval.libraries import find_library

pytestmark = pytest.mark.slow

LEAST = "layers = 2\nhidden = 64\nheads = 2\nvocab = 100\n"
HOSTILE = [
    "=1+1",
    '=HYPERLINK("http://example.com","click")',
    "{=1}",
    "+1",
    "-1",
    "@SUM(1)",
    "=cmd|'/c calc'!A0",
    "#REF!",
    'a"b',
    "</t></si><script>alert(1)</script>",
    "tab\tand\nline\r\nbreak",
    "bell \u0007 and null \u0000 and escape \u001b[31m",
    "right \u202eto left",
    "https://example.com/not-a-link",
    "_x0041_",
    "x" * 40_000,
    "12",
    "TRUE",
]


def hostile_library(folder: Path) -> Path:
    (folder / "models").mkdir(parents=True)
    for number, text in enumerate(HOSTILE):
        quoted = re.sub(r"[^ -~]|[\"\\]", lambda match: f"\\U{ord(match[0]):08X}", text)
        record = f'name = "{quoted}"\nsource = "{quoted}"\nnote = "{quoted}"\n{LEAST}'
        (folder / "models" / f"hostile-{number}.toml").write_text(record, encoding="utf-8")
    for name in ("=1+1", "@x", "*", "a?", "Custom"):
        (folder / "models" / f"{name}.toml").write_text(
            "layers = 2\nhidden = 64\nheads = 2\nvocab = 100\n", encoding="utf-8"
        )
    return folder


def test_hostile_texts_stay_texts(office: Office, tmp_path: Path) -> None:
    library = find_library([hostile_library(tmp_path / "library")])
    of = document({"model": "*"}, {"tp": 2}, ("params.total",), library)
    book, contents = book_of(replace(of, command=HOSTILE[1] + "\u0007"))
    workbook = openpyxl.load_workbook(io.BytesIO(contents))
    formulas = sum(cell.data_type == "f" for sheet in workbook for row in sheet.iter_rows() for cell in row)
    assert formulas == sum(len(sheet.formulas) for sheet in book.sheets.values())
    assert not [
        cell for row in workbook["Models"].iter_rows() for cell in row if cell.data_type in "fe" or cell.hyperlink
    ]
    names = [row[1] for row in workbook["Models"].iter_rows(min_row=7, values_only=True)]
    assert "=1+1" in names
    assert "{=1}" in names
    path = tmp_path / "hostile.xlsx"
    path.write_bytes(contents)
    office.open(path)
    for title, sheet in book.sheets.items():
        grid = office.read(title) if sheet.formulas else []
        errors = {(row, column): code for row, column, code in office.ask("errors", title)}
        wrong = {
            at for at, value in sheet.formulas.items() if not agrees(value, shown(grid[at[0]][at[1]], errors.get(at)))
        }
        assert wrong == set(), title


def test_a_command_in_the_properties_is_no_formula(tmp_path: Path) -> None:
    of = replace(document({"model": "llama2-7b"}, {}, ("params.total",)), command="=1+1 & <b>")
    write_document(of, "excel", tmp_path / "written.xlsx")
    workbook = openpyxl.load_workbook(tmp_path / "written.xlsx")
    assert "=1+1 & <b>" in workbook.properties.description
