"""Writes the cells of one worksheet: text that is never taken for a formula, and formulas with their values."""

import re
from collections.abc import Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Any

from xlsxwriter.utility import xl_range
from xlsxwriter.worksheet import Worksheet

from formula_eval.core.diagnostic import refuse
from formula_eval.export.workbook.formula_lint import excel_findings
from formula_eval.export.workbook.styles import MONO, Styles
from formula_eval.export.workbook.units import Value

_LONGEST = 32_000
_LINE = 13.0
_TALLEST = 400.0
_NARROW = 9.0
_INFINITE = 1e280  # what is more stands for infinity
_MOST_MEASURED = 4_000
_MOST_LINKS = 65_530  # that Excel takes on a sheet
_BEGINS_FORMULA = tuple("=+-@")
_NOTHING = (0, 16_383)  # a cell that no sheet fills: what is to be printed of a sheet that is not
DATA_TABLE_MARK = "TABLE"  # of a data table: `TABLE(B8,C8)` are the cells that take the values of its edges
_SHARED = "SHARED "  # before the number of a formula that several cells share, those cells, and its text in the first
# How many letters of either font stand in the width of one digit of the default font.
_ROOM, _MONO_ROOM = 1.24, 0.95
# Control characters, characters that turn the direction of what follows, and halves of characters.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class TableWorksheet(Worksheet):  # type: ignore[misc]  # a library without types
    """A worksheet that can hold data tables: array formulas with our mark, of which the linter has let all through."""

    def _prepare_formula(self, formula: str, *more: bool) -> str:
        """The formula of a cell as it is: the linter lets no function through that xlsxwriter would search it for."""
        if more or formula.startswith("{"):
            return str(super()._prepare_formula(formula, *more))
        return formula.removeprefix("=")

    def _xml_formula_element(self, formula: str, result: Value, attributes: Sequence[tuple[str, object]]) -> None:
        """A cell; one of a shared formula holds its text only where it is the first."""
        if not formula.startswith(_SHARED):
            super()._xml_formula_element(formula, result, attributes)
            return
        _, number, cells, text = formula.split(" ", 3)
        super()._xml_start_tag("c", attributes)
        super()._xml_data_element("f", text, [("t", "shared"), *([("ref", cells)] if text else []), ("si", number)])
        super()._xml_data_element("v", str(result))
        super()._xml_end_tag("c")

    def _write_cell_array_formula(self, formula: str, cell_range: str) -> None:
        if not formula.startswith(f"{DATA_TABLE_MARK}("):
            super()._write_cell_array_formula(formula, cell_range)
            return
        upper, left = formula.removeprefix(f"{DATA_TABLE_MARK}(").removesuffix(")").split(",")
        kind = [("t", "dataTable"), ("ref", cell_range), ("dt2D", "1"), ("dtr", "1")]
        self._xml_empty_tag("f", [*kind, ("r1", upper), ("r2", left)])


class Sheet:
    """One worksheet; rows grow with the text in them, and every formula passes the linter."""

    def __init__(self, worksheet: Any, styles: Styles, widths: list[float]) -> None:  # noqa: ANN401 - a library without types
        """Write to this worksheet, whose columns are so wide."""
        self.raw = worksheet
        self.title: str = worksheet.get_name()
        self.formulas: dict[tuple[int, int], Value] = {}
        self._styles = styles
        self._widths = widths
        self._lines: dict[int, float] = {}
        self._links = 0
        self._shared = 0
        for column, width in enumerate(widths):
            worksheet.set_column(column, column, width, styles.get("text"))
        worksheet.hide_gridlines(2)

    def text(self, row: int, column: int, text: str, style: str = "text", **more: Any) -> None:  # noqa: ANN401 - properties of a format
        """Write a text as it is, whatever it begins with."""
        clean = fit_text(text)
        # The same as if a person had typed an apostrophe: an edit of the cell does not bring it to life.
        if clean[:1] in _BEGINS_FORMULA:
            more = {**more, "quote_prefix": True}
        form = self._styles.get(style, **more)
        if clean:
            self.raw.write_string(row, column, clean, form)
        else:
            self.raw.write_blank(row, column, None, form)
        if form.text_wrap:
            self._grow(row, column, clean, mono=form.font_name == MONO)

    def number(self, row: int, column: int, value: Value, style: str = "number", number_format: str = "") -> None:
        """Write a constant."""
        form = self._styles.get(style, number_format)
        if isinstance(value, bool):
            self.raw.write_boolean(row, column, value, form)
        elif isinstance(value, str):
            self.text(row, column, value, style)
        else:
            self.raw.write_number(row, column, value, form)

    def blank(self, row: int, column: int, style: str = "input", number_format: str = "") -> None:
        """Write an empty cell with a style."""
        self.raw.write_blank(row, column, None, self._styles.get(style, number_format))

    def formula(  # noqa: PLR0913, PLR0917 - a cell has that many sides
        self,
        row: int,
        column: int,
        text: str,
        value: Value,
        style: str = "calc",
        number_format: str = "",
        **more: object,
    ) -> None:
        """Write a formula with its current value; raises FormulaError for one that Excel would refuse."""
        for finding in excel_findings(text):
            message = f"A formula of the workbook, in row {row + 1} of {self.title}, does not work in Excel: {finding}"
            raise refuse("excel-limit", message, help=f"It begins `{text[:120]}`.")
        form = self._styles.get(style, number_format, **more)
        if form.text_wrap and isinstance(value, str):
            self._grow(row, column, value, mono=form.font_name == MONO)
        self.raw.write_formula(row, column, f"={text}", form, value)
        self.formulas[row, column] = value

    def formulas_alike(
        self,
        places: Sequence[tuple[int, int]],
        texts: Sequence[str],
        values: Sequence[Value],
        style: str = "calc",
        number_format: str = "",
    ) -> None:
        """Write one formula into neighbours, in each of which it reads cells as far away: the file has it once."""
        for place, text, value in zip(places, texts, values, strict=True):
            self.formula(*place, text, value, style, number_format)
        if len(places) == 1 or "!" in texts[0]:  # Excel shares none that reads another sheet
            return
        form, cells = self._styles.get(style, number_format), xl_range(*places[0], *places[-1])
        for place, text, value in zip(places, (texts[0], *("" for _ in places[1:])), values, strict=True):
            self.raw.write_formula(*place, f"{_SHARED}{self._shared} {cells} {text}", form, value)
        self._shared += 1

    def link(self, row: int, column: int, target: str, text: str, style: str = "link") -> None:
        """Write a link to a place in the workbook, or to the web at a sound address; text where Excel takes no more."""
        self._links += 1
        if self._links > _MOST_LINKS:
            self.text(row, column, text)
            return
        self.raw.write_url(row, column, target, self._styles.get(style), fit_text(text)[:_LONGEST])

    def format(self, style: str, **more: Any) -> Any:  # noqa: ANN401 - as above
        """The format of a style, for what the library writes by itself."""
        return self._styles.get(style, **more)

    def conditional(self, **properties: Any) -> Any:  # noqa: ANN401 - a library without types
        """A format for a rule that colours cells."""
        return self._styles.bare(**properties)

    def say_infinite(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        """Show the word for infinity in the place of a number that stands for it, in whatever unit."""
        look = self.conditional(num_format='"infinite"')
        rule = {"type": "cell", "criteria": ">=", "value": _INFINITE, "format": look}
        self.raw.conditional_format(*first, *last, rule)

    def title_lines(self, title: str, says: Sequence[str]) -> None:
        """Write the title of the sheet and the sentences beneath it."""
        self.text(0, 0, title, "title")
        self.tall(0, 24)
        for line, text in enumerate(says, 1):
            self.text(line, 0, text, "subtitle")

    def head(self, row: int, titles: list[str]) -> None:
        """Write a header row."""
        for column, title in enumerate(titles):
            self.text(row, column, title, "head")
        self._lines[row] = max(self._lines.get(row, 0), 18)

    def band(self, row: int, text: str, columns: int) -> None:
        """Write a heading across the columns."""
        for column in range(columns):
            self.text(row, column, text if column == 0 else "", "block")

    def tall(self, row: int, height: float) -> None:
        """Make a row at least so tall."""
        self._lines[row] = max(self._lines.get(row, 0), height)

    def finish(
        self, *, frozen: tuple[int, int] = (0, 0), repeat: int = 0, portrait: bool = False, to_read: bool = True
    ) -> None:
        """Set heights, protection as a guard-rail, and printing: a page wide, or nothing if it is not to read.

        The first rows and columns, so many as are `frozen`, stay when somebody scrolls.
        """
        if any(frozen):
            self.raw.freeze_panes(*frozen)
        for row, height in self._lines.items():
            self.raw.set_row(row, min(height, _TALLEST))
        allowed = ("format_columns", "format_rows", "autofilter", "sort", "select_locked_cells")
        self.raw.protect("", dict.fromkeys(allowed, True))
        if not portrait:
            self.raw.set_landscape()
        self.raw.set_paper(9)
        self.raw.fit_to_pages(1, 0)
        if not to_read:
            self.raw.print_area(*_NOTHING, *_NOTHING)
        self.raw.set_margins(0.4, 0.4, 0.5, 0.6)
        self.raw.set_footer("&L&8&F&C&8&A&R&8&P / &N")
        if repeat:
            self.raw.repeat_rows(repeat)

    def _grow(self, row: int, column: int, text: str, *, mono: bool) -> None:
        width = self._widths[column] if column < len(self._widths) else _NARROW
        room = max(4, int(width * (_MONO_ROOM if mono else _ROOM)))
        lines = _lines(text[:_MOST_MEASURED], room)
        self._lines[row] = max(self._lines.get(row, 0), _LINE * lines + 3)


@lru_cache(maxsize=65_536)
def _lines(text: str, room: int) -> int:
    """How many lines a text needs; the copies of a formula have its sentences."""
    return sum(
        1 if len(name) <= room else len(wrap(name, room, break_on_hyphens=False)) or 1 for name in text.split("\n")
    )


def fit_text(text: str) -> str:
    """A text as a cell can hold it."""
    if text.isprintable() and len(text) <= _LONGEST:  # as most are
        return text
    clean = _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))
    return clean if len(clean) <= _LONGEST else f"{clean[:_LONGEST]}…"
