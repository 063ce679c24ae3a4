"""Opens an untrusted workbook within limits, and reads the cells of its sheets or says what is wrong with it."""

import lzma
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.text_files import refuse_pipe

_MOST_PACKED = 50_000_000
# Ours unpack to 14 MB with 23,000 strings and 600,000 tags. What a reader makes of each string and tag takes far more
# than its letters, so the numbers of both are limited too.
_MOST_UNPACKED = 60_000_000
_MOST_STRINGS = 250_000
_MOST_TAGS = 5_000_000
_MOST_PARTS = 2_000
_MOST_ROWS, _MOST_COLUMNS = 5_000, 500
_CHUNK = 1_000_000
_LONGEST_DECLARATION = 100
_DECLARATION = re.compile(rb"<\s*!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)

_Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a sheet, twice: what they show, and the formula where one stands."""

    title: str
    shown: Sequence[_Row]
    formulas: Sequence[_Row]

    def at(self, row: int, column: int) -> Any:  # noqa: ANN401 - whatever a cell holds
        """What a cell shows; nothing beyond the last one."""
        return _cell(self.shown, row, column)

    def formula(self, row: int, column: int) -> str:
        """The formula of a cell, nothing if it holds none."""
        held = _cell(self.formulas, row, column)
        text = getattr(held, "text", held)
        return text if isinstance(text, str) and text.startswith("=") else ""


def _cell(rows: Sequence[_Row], row: int, column: int) -> Any:  # noqa: ANN401 - whatever a cell holds
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else None


class OpenedWorkbook:
    """A workbook whose sheets are read when they are asked for."""

    def __init__(self, path: str | Path) -> None:
        """Open the file; raises FormulaError if it is not a workbook, or one that nobody should unpack."""
        self.shown = str(path)
        check_workbook(Path(path), self.shown)
        try:
            self._values = load_workbook(path, read_only=True, data_only=True, keep_links=False)
            self._formulas = load_workbook(path, read_only=True, data_only=False, keep_links=False)
        except InvalidFileException as error:
            raise _no_workbook(self.shown) from error
        except Exception as error:  # a broken file breaks its reader in many ways
            raise _broken(self.shown) from error

    @property
    def titles(self) -> list[str]:
        """The names of its sheets."""
        return list(self._values.sheetnames)

    def sheet(self, title: str, what: str) -> Cells:
        """The cells of a sheet; raises FormulaError if it is gone."""
        if title not in self._values.sheetnames:
            message = f"`{self.shown}` has no sheet `{title}`, which holds {what}"
            raise refuse("missing-sheet", message, help="Was it deleted or renamed? Export the workbook again.")
        try:
            return Cells(title, _rows(self._values[title]), _rows(self._formulas[title]))
        except FormulaError:
            raise
        except Exception as error:  # a broken file breaks its reader in many ways
            raise _broken(self.shown) from error

    def close(self) -> None:
        """Let go of the file."""
        self._values.close()
        self._formulas.close()


def _rows(worksheet: Any) -> list[_Row]:  # noqa: ANN401 - a library without types
    if not hasattr(worksheet, "iter_rows"):
        return []
    return [tuple(row) for row in worksheet.iter_rows(max_row=_MOST_ROWS, max_col=_MOST_COLUMNS, values_only=True)]


def check_workbook(path: Path, shown: str) -> None:
    """Refuse what is unreadable, no workbook, or far larger unpacked than any of ours."""
    refuse_pipe(path, shown)
    try:
        if path.stat().st_size > _MOST_PACKED:
            raise refuse("too-large", f"`{shown}` is far larger than a workbook of ours", help="Is it the right file?")
        with zipfile.ZipFile(path) as packed:
            parts = packed.infolist()
            if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _MOST_UNPACKED:
                message = f"`{shown}` would unpack to far more than a workbook of ours holds"
                raise refuse("too-large", message, help="It was not opened. Is it the right file?")
            if "xl/workbook.xml" not in packed.namelist():
                raise _no_workbook(shown)
            counts = [_check_part(packed, part, shown) for part in parts]
            tags, strings = (sum(each) for each in zip(*counts, strict=True))
            if tags > _MOST_TAGS or strings > _MOST_STRINGS:
                message = f"`{shown}` holds far more cells and texts than a workbook of ours"
                raise refuse("too-large", message, help="It was not opened. Is it the right file?")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{shown}`: {reason}") from error
    except (zlib.error, lzma.LZMAError) as error:
        raise _broken(shown) from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise _no_workbook(shown) from error


def _check_part(packed: zipfile.ZipFile, part: zipfile.ZipInfo, shown: str) -> tuple[int, int]:
    """How many tags and shared strings a part holds; refuses more bytes than it states, and a declaration of entities.

    Such a declaration has no place in a workbook: it is how small files grow without bound.
    """
    tags = strings = read = 0
    end = b""
    with packed.open(part) as file:
        while chunk := file.read(_CHUNK):
            read += len(chunk)
            text = chunk.replace(b"\0", b"")
            tags, strings = tags + text.count(b"<"), strings + text.count(b"<si")
            if read > _MOST_UNPACKED or tags > _MOST_TAGS or strings > _MOST_STRINGS:
                break
            if part.filename.endswith((".xml", ".rels")) and _DECLARATION.search(end + text):
                message = f"`{shown}` declares entities, as no workbook does"
                raise refuse("bad-workbook", message, help="It was not opened.")
            end = text[-_LONGEST_DECLARATION:]
    return tags, strings


def _no_workbook(shown: str) -> FormulaError:
    help_ = "Inputs are read from .toml files and from .xlsx workbooks, such as `formula-eval export excel` writes."
    return refuse("bad-workbook", f"`{shown}` is not an Excel workbook", help=help_)


def _broken(shown: str) -> FormulaError:
    help_ = "Open it in a spreadsheet program, save it as .xlsx, and try again."
    return refuse("bad-workbook", f"`{shown}` is a damaged workbook", help=help_)
