"""Fills a user's own workbook with live formulas where its cells hold `{{ ... }}`.

A cell may hold `{{ value("inference.tpot") }}`, `{{ value("inference.tpot", "ms") }}`, `{{ input("batch") }}`,
arithmetic with these, or text around them. A row that begins with `{% for each in checks %}`, or with `{% for each in
operators("operators.pass_operators@decode") %}`, is written once for each of these, down into the empty rows beneath.
The sheets that compute stand behind those of the user.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from openpyxl import load_workbook
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.worksheet.worksheet import Worksheet

from formula_eval.ask.workbook.safe_reader import check_workbook
from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.export.workbook.cell_expressions import MOST_LETTERS, CellExpressions
from formula_eval.export.workbook.charts import OUTPUTS
from formula_eval.export.workbook.formula_lint import too_large
from formula_eval.export.workbook.live_value import LiveValue, live_values
from formula_eval.export.workbook.readme_sheet import README
from formula_eval.export.workbook.scenarios_sheet import SCENARIOS
from formula_eval.export.workbook.structure_sheet import STRUCTURE
from formula_eval.export.workbook.sweep_sheet import SWEEP
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_string

_MARKED = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_FOR = re.compile(r"\{%-?\s*for\s+(\w+)\s+in\s+(.+?)\s*-?%\}", re.DOTALL)
_END = re.compile(r"\{%-?\s*endfor\s*-?%\}")
_NAMED = re.compile(r"""\bvalue\(\s*(["'])(.+?)\1""")
_LONGEST = 200  # letters of an expression in a message
_HELP = 'Cells take {{ value("inference.tpot", "ms") }}, {{ input("batch") }}, {% for each in checks %}.'
# What shows results is the user's own: charts would not survive the copy, and nothing reads these sheets.
_SHOWN = (README, OUTPUTS, SCENARIOS, STRUCTURE, SWEEP)


def names_in(template: str | Path) -> list[str]:
    """The quantities that the cells of a template name, each once; raises FormulaError if it is not a workbook."""
    texts = (str(cell.value) for sheet in _opened(template) for cell in _marked(sheet))
    return list(dict.fromkeys(found[2] for text in texts for found in _NAMED.finditer(text)))


def filled(book: Book, made: bytes, template: str) -> bytes:
    """The user's workbook, filled, with our sheets behind; raises FormulaError that names the cell it cannot fill."""
    theirs = _opened(template)
    _Filler(book, template).fill(theirs)
    _copy_sheets(load_workbook(BytesIO(made)), theirs, template)
    theirs.calculation.fullCalcOnLoad = True
    written = BytesIO()
    theirs.save(written)
    return written.getvalue()


def _opened(template: str | Path) -> Any:  # noqa: ANN401 - as openpyxl's own
    check_workbook(Path(template), str(template))
    try:
        return load_workbook(template)
    except Exception as error:  # a broken file breaks its reader in many ways
        help_ = "Open it in a spreadsheet program, save it as .xlsx, and try again."
        raise refuse("bad-workbook", f"`{template}` is a damaged workbook", help=help_) from error


def _marked(sheet: Any) -> Iterator[Cell]:  # noqa: ANN401 - a chart sheet has no cells
    rows = sheet.iter_rows() if isinstance(sheet, Worksheet) else ()
    for row in rows:
        yield from (cell for cell in row if isinstance(cell.value, str) and ("{{" in cell.value or "{%" in cell.value))


class _Filler:
    """Fills the cells of one workbook."""

    def __init__(self, book: Book, template: str) -> None:
        self._template = template
        self._known = live_values(book)
        self._expressions = CellExpressions(self._known)

    def fill(self, workbook: Any) -> None:  # noqa: ANN401 - as openpyxl's own
        """Fill all sheets of the workbook."""
        for sheet in workbook.worksheets:
            rows: dict[int, list[Cell]] = {}
            for cell in _marked(sheet):
                rows.setdefault(cell.row, []).append(cell)
            for cells in rows.values():
                loops = [cell for cell in cells if "{%" in str(cell.value)]
                if any(_FOR.search(str(cell.value)) for cell in loops):
                    self._fill_rows(sheet, cells)
                    continue
                for cell in cells:
                    if "{%" in str(cell.value):
                        raise self._wrong(cell, f"`{cell.value}` stands outside a `{{% for ... %}}` of its row")
                    self._fill_cell(cell, str(cell.value), {})

    def _fill_rows(self, sheet: Worksheet, cells: list[Cell]) -> None:
        """Write a row once for each item of its loop, into the empty rows beneath."""
        head = next(cell for cell in cells if _FOR.search(str(cell.value)))
        loops = [found for cell in cells for found in _FOR.finditer(str(cell.value))]
        if len(loops) > 1:
            raise self._wrong(head, "A row has one loop")
        name, over = loops[0][1], loops[0][2]
        items = self._evaluated(head, over, lambda: self._expressions.items(over))
        row = [cell for cell in sheet[head.row] if not isinstance(cell, MergedCell)]
        texts = {cell.column: _END.sub("", _FOR.sub("", str(cell.value))).strip() for cell in cells}
        if any("{%" in text for text in texts.values()):
            raise self._wrong(head, "A row takes `{% for ... %}` and `{% endfor %}`, and no other block")
        kept = {cell.column: cell.value for cell in row}
        for number, item in enumerate(items):
            for cell in row:
                at = sheet.cell(head.row + number, cell.column)
                if number:
                    self._take_look(at, cell)
                text = texts.get(cell.column)
                if text is None:
                    at.value = kept[cell.column]
                else:
                    self._fill_cell(at, text, {name: item}, cell)
        if not items:
            for column in texts:
                sheet.cell(head.row, column).value = None

    def _take_look(self, at: Any, cell: Cell) -> None:  # noqa: ANN401 - a cell, or one that is merged away
        if isinstance(at, MergedCell) or at.value is not None:
            message = "The rows of a loop need this cell, which is not empty"
            raise self._wrong(at, message, f"Leave empty rows beneath row {cell.row}.")
        at._style = copy(cast("Any", cell)._style)  # noqa: SLF001 - openpyxl has no other way to take over a whole style

    def _fill_cell(self, cell: Any, text: str, more: Mapping[str, Any], written: Cell | None = None) -> None:  # noqa: ANN401
        place = written or cell
        parts = enumerate(_MARKED.split(text))
        found = [self._value(place, part.strip(), more) if at % 2 else part for at, part in parts]
        shown = [part for part in found if not isinstance(part, str) or part]
        live = [part for part in shown if isinstance(part, LiveValue)]
        if not live:
            plain = _plain(shown[0]) if len(shown) == 1 else "".join(map(str, shown))
            if isinstance(plain, str) and len(plain) > MOST_LETTERS:
                raise self._wrong(place, f"It would hold {len(plain):,} letters, and a cell takes {MOST_LETTERS:,}")
            cell.value = plain
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type  # never a formula
            return
        if len(shown) == 1:
            formula = live[0].formula
            if cell.number_format == "General" and live[0].number_format:
                cell.number_format = live[0].number_format
        else:
            texts = (part.text() if isinstance(part, LiveValue) else excel_string(str(part)) for part in shown)
            formula = "&".join(texts)
        wrong = next(too_large(f"={formula}"), None)
        if wrong is not None:
            raise self._wrong(
                place, f"It would be a formula that Excel refuses: {wrong}", "Spread it over several cells."
            )
        cell.value = f"={formula}"

    def _value(self, cell: Any, expression: str, more: Mapping[str, Any]) -> Any:  # noqa: ANN401 - what a mark gives
        found = self._evaluated(cell, expression, lambda: self._expressions.value(expression, more))
        if found is not None and not isinstance(found, str | int | float | LiveValue | list | tuple | Mapping):
            raise self._wrong(cell, f"`{expression}` gives nothing that a cell can hold")
        return found

    def _evaluated(self, cell: Any, expression: str, give: Callable[[], Any]) -> Any:  # noqa: ANN401 - what a template makes
        try:
            return give()
        except FormulaError as error:
            first = error.diagnostics[0]
            raise self._wrong(cell, first.message, first.help) from error
        except Exception as error:  # what stands in a cell may do anything
            shown = expression if len(expression) <= _LONGEST else f"{expression[:_LONGEST]} ..."
            near = nearest(expression.partition("(")[0], self._known)
            raise self._wrong(cell, f"`{shown}`: {error or type(error).__name__}", near or _HELP) from error

    def _wrong(self, cell: Any, message: str, help_: str | None = None) -> FormulaError:  # noqa: ANN401 - as above
        place = f"`{self._template}`, sheet `{cell.parent.title}`, cell {cell.coordinate}"
        return refuse("bad-template", f"{place}: {message}", help=help_ or _HELP)


def _plain(value: object) -> Any:  # noqa: ANN401 - what a cell may hold
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _copy_sheets(ours: Any, theirs: Any, template: str) -> None:  # noqa: ANN401 - as openpyxl's own
    """Put ours behind theirs; raises FormulaError where a sheet or a name of theirs is the same as one of ours."""
    titles = [title for title in ours.sheetnames if title not in _SHOWN]
    taken = {title.lower() for title in theirs.sheetnames}
    clash = next((title for title in titles if title.lower() in taken), None)
    if clash is not None:
        message = f"`{template}` has a sheet `{clash}`, as the sheets that compute do"
        raise refuse("bad-template", message, help="Give that sheet another name.")
    names = {name.lower() for name in theirs.defined_names}
    clash = next((name for name in ours.defined_names if name.lower() in names), None)
    if clash is not None:
        message = f"`{template}` defines a name `{clash}`, which the sheets that compute need"
        raise refuse("bad-template", message, help="Give it another name, or export with --refs cells.")
    styled: dict[int, Any] = {}
    for title in titles:
        _copy_sheet(ours[title], theirs.create_sheet(title), styled)
    for name, defined in ours.defined_names.items():
        if not any(f"{title}!" in defined.attr_text or f"'{title}'!" in defined.attr_text for title in _SHOWN):
            theirs.defined_names[name] = copy(defined)


def _copy_sheet(source: Any, target: Any, styled: dict[int, Any]) -> None:  # noqa: ANN401 - as above
    for cell in (each for row in source.iter_rows() for each in row):
        _copy_cell(cell, target, styled)
    for key, column_dimension in source.column_dimensions.items():
        target.column_dimensions[key].width = column_dimension.width
    for key, row_dimension in source.row_dimensions.items():
        target.row_dimensions[key].height = row_dimension.height
    for each in source.merged_cells.ranges:
        target.merge_cells(str(each))
    for each in source.data_validations.dataValidation:
        target.add_data_validation(copy(each))
    for ranges in source.conditional_formatting:
        for rule in ranges.rules:
            target.conditional_formatting.add(str(ranges.sqref), copy(rule))
    target.freeze_panes = source.freeze_panes
    target.sheet_view.showGridLines = source.sheet_view.showGridLines
    target.sheet_properties.tabColor = copy(source.sheet_properties.tabColor)


def _copy_cell(cell: Any, target: Any, styled: dict[int, Any]) -> None:  # noqa: ANN401 - as above
    """Copy a value and its style, which the first cell that has it, in `styled`, takes over piece by piece."""
    if cell.value is None and not cell.has_style:
        return
    at = target.cell(cell.row, cell.column, cell.value)
    if not cell.has_style:
        return
    first = styled.setdefault(cell.style_id, at)
    if first is at:
        at.font, at.fill, at.border = copy(cell.font), copy(cell.fill), copy(cell.border)
        at.alignment, at.number_format, at.protection = copy(cell.alignment), cell.number_format, copy(cell.protection)
    else:
        at._style = copy(first._style)  # noqa: SLF001 - openpyxl's own way to give a cell another's style
