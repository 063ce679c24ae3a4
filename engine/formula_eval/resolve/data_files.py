"""Reads the CSV files that tables take rows from, and finds what is wrong with their form."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from formula_eval.core import declaration as d
from formula_eval.core.data_file import DataCell, DataFile
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label
from formula_eval.core.span import Span
from formula_eval.text_files import read_text

_MOST_FOUND = 10  # findings about one file
_CELL = re.compile(r'\s*(?:"([^"]*)"|([^",]*?))\s*(,|$)')
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def with_data(chapter: d.Chapter, beside: Path, within: Path) -> tuple[d.Chapter, tuple[Diagnostic, ...]]:
    """A chapter with the contents of the files that its tables name, and what cannot be read.

    `beside` is the folder of the chapter, and `within` the one that no file may lie outside of.
    """
    findings: list[Diagnostic] = []
    declarations: list[d.Declaration] = []
    for declaration in chapter.declarations:
        if isinstance(declaration, d.TableDeclaration) and declaration.file is not None:
            file, found = _read(declaration.file, chapter.file, beside, within)
            findings += found
            declarations.append(replace(declaration, file=file))
        else:
            declarations.append(declaration)
    return replace(chapter, declarations=tuple(declarations)), tuple(findings)


def _read(file: DataFile, chapter: str, beside: Path, within: Path) -> tuple[DataFile, Sequence[Diagnostic]]:
    folder = chapter.rpartition("/")[0]
    shown = f"{folder}/{file.path}" if folder else file.path
    path, file = beside / file.path, replace(file, shown=shown)
    if not file.path.endswith(".csv"):
        return file, [_at(file, f"`{file.path}` is not a CSV file", "Its name ends with `.csv`.")]
    if Path(file.path).is_absolute() or not path.resolve().is_relative_to(within.resolve()):
        help_ = "It lies beside the chapter, or in a folder beneath."
        return file, [_at(file, f"`{file.path}` lies outside the formulas of the library", help_)]
    try:
        text = read_text(path, shown)
    except FormulaError as error:
        first = error.diagnostics[0]
        return file, [_at(file, first.message, first.help or "Put it beside the chapter that names it.")]
    if (control := _CONTROL.search(text)) is not None:
        message = f"`{shown}` holds what is not text in line {text.count(chr(10), 0, control.start()) + 1}"
        return file, [_at(file, message, "Write it as plain text in UTF-8.")]
    findings: list[Diagnostic] = []
    lines = list(_lines(text, shown, findings))
    if not lines and not findings:
        help_ = "Its first line names the columns: `hour, irradiance (W/m**2)`."
        findings.append(_at(file, f"`{shown}` is empty", help_))
    return replace(file, lines=() if findings else tuple(lines)), findings[:_MOST_FOUND]


def _at(file: DataFile, message: str, help_: str) -> Diagnostic:
    return Diagnostic("bad-data", message, (Label(file.span),), help_)


def _lines(text: str, shown: str, findings: list[Diagnostic]) -> Iterator[tuple[DataCell, ...]]:
    """The cells of each line, as many as the first one has."""
    count = 0
    for number, line in enumerate(text.rstrip().replace("\r\n", "\n").split("\n") if text.strip() else (), 1):
        cells = _cells(line, number)
        whole = Span(shown, number, 1, number, len(line) + 1)
        wrong = _wrong(line, cells, count)
        if wrong is not None:
            findings.append(Diagnostic("bad-data", wrong[0], (Label(whole),), wrong[1]))
        count = count or len(cells or ())
        yield cells or ()
        if wrong is not None and number == 1:
            return


def _wrong(line: str, cells: tuple[DataCell, ...] | None, count: int) -> tuple[str, str] | None:
    """What is wrong with the form of a line, and what to do."""
    if cells is None:
        return "The quotes of this line do not pair up", 'A cell in quotes is `"..."`, and holds no quote itself.'
    if len(cells) == 1 and ";" in line:
        return "The columns of this file are not separated by commas", "Write `a, b`, and numbers with a point: `1.5`."
    if count and len(cells) != count:
        message = f"The first line has {count} cells, and this one {len(cells)}"
        return message, "Each line has a cell for each column, and numbers have a point: `1.5`."
    return None


def _cells(line: str, number: int) -> tuple[DataCell, ...] | None:
    """The cells of a line; None where its quotes do not pair up."""
    found, at = [], 0
    while True:
        match = _CELL.match(line, at)
        if match is None:
            return None
        group = 1 if match[1] is not None else 2
        found.append(DataCell(match[group], number, match.start(group) + 1))
        at = match.end()
        if not match[3]:
            return tuple(found)
