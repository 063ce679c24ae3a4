"""Writes the sheet of a data table: the choices, the table that a spreadsheet computes, and lists to choose from."""

from collections.abc import Sequence
from typing import Any

from xlsxwriter.utility import xl_range, xl_rowcol_to_cell

from formula_eval.ask.workbook.naming import CellRange
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag
from formula_eval.export.plot.style import look_of
from formula_eval.export.workbook import units
from formula_eval.export.workbook.data_table_plan import (
    ACROSS,
    ACROSS_ROW,
    AS_SET,
    CHOSEN,
    CHOSEN_LAST,
    DATA_TABLE,
    DOWN,
    DOWN_ROW,
    QUANTITY_ROW,
    TITLE,
    UNIT,
    WRITTEN_ROW,
    DataTablePlan,
    Edge,
    shown_scale,
)
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.table_worksheet import DATA_TABLE_MARK
from formula_eval.export.workbook.units import Value
from formula_eval.export.workbook.workbook_context import Book

_HEAD, EDGE = 9, 10
_WIDTH = 14.0
_TYPED_FORMAT = "#,##0.####"


def write_data_table(book: Book, plan: DataTablePlan) -> None:
    """Write the whole sheet."""
    look = book.looks["data_table"]
    sheet = book.sheet(DATA_TABLE, [*look.widths, *(_WIDTH for _ in plan.across.points)])
    sheet.title_lines(plan.section["title"], [plan.section["says"]])
    wide = 1 + len(plan.across.points)
    last = EDGE + len(plan.down.points)
    inputs, quantities = last + 3, last + 5 + len(plan.inputs)
    sheet.band(QUANTITY_ROW - 1, look.words["chosen"], wide)
    _write_list(book, sheet, plan.inputs, (inputs, look.words["inputs"]), wide)
    _write_list(book, sheet, plan.quantities, (quantities, look.words["quantities"]), wide)
    listed = (CellRange(DATA_TABLE, inputs, TITLE, inputs + len(plan.inputs) - 1), [node.name for node in plan.inputs])
    shown = CellRange(DATA_TABLE, quantities, TITLE, quantities + len(plan.quantities) - 1)
    for row, title, chosen, cells in (
        (QUANTITY_ROW, "quantity", plan.quantity, shown),
        (ACROSS_ROW, ACROSS, plan.across.node, listed[0]),
        (DOWN_ROW, DOWN, plan.down.node, listed[0]),
    ):
        _write_choice(book, sheet, (row, title), chosen, cells)
    sheet.text(WRITTEN_ROW, TITLE, look.words["written"])
    for column in (CHOSEN, CHOSEN + 1):
        sheet.text(WRITTEN_ROW, column, AS_SET, "calc")
    sheet.text(WRITTEN_ROW, CHOSEN_LAST, look.words["leave"], "subtitle")
    _write_table(book, sheet, plan, shown)
    sheet.finish(frozen=(EDGE + 1, 1))
    sheet.raw.print_area(0, 0, last, max(wide - 1, UNIT))


def _write_choice(book: Book, sheet: Sheet, at: tuple[int, str], chosen: Node, listed: CellRange) -> None:
    """A yellow cell that takes a row of a list, and the unit of what is chosen."""
    row, title = at
    sheet.text(row, TITLE, title)
    sheet.raw.merge_range(row, CHOSEN, row, CHOSEN_LAST, "", sheet.format("input", align="left"))
    sheet.text(row, CHOSEN, chosen.name, "input", align="left")
    rule = {"validate": "list", "source": f"={listed.address()}", "error_message": "Choose a row of the lists below."}
    sheet.raw.data_validation(row, CHOSEN, row, CHOSEN, rule)
    text = _looked_up(book, listed, title, 2)
    scale = _scale(book, chosen)
    sheet.formula(row, UNIT, f'IF({text}="","",{text})', book.units.plural(scale.unit), "unit")


def _looked_up(book: Book, listed: CellRange, title: str, beside: int) -> str:
    """The formula of the value in a column beside the chosen row of a list."""
    there = CellRange(DATA_TABLE, listed.row, listed.column + beside, listed.last).address(DATA_TABLE)
    chosen = book.naming.reference(f"table {title}", DATA_TABLE)
    return f"INDEX({there},MATCH({chosen},{listed.address(DATA_TABLE)},0))"


def _write_list(book: Book, sheet: Sheet, nodes: Sequence[Node], at: tuple[int, str], wide: int) -> None:
    """Write what may be chosen: its name, its current value, and their unit."""
    row, title = at
    sheet.band(row - 1, title, wide)
    for each in nodes:
        cell, scale = book.naming.reference(each.name, DATA_TABLE), _scale(book, each)
        text, held = units.read_cell(each, cell, book.value(each.name), scale)
        sheet.text(row, TITLE, each.name, "name")
        sheet.formula(row, 1, text, held, "number", "" if isinstance(held, str) else units.SCALED_FORMAT)
        sheet.text(row, 2, book.units.plural(scale.unit), "unit")
        row += 1


def _scale(book: Book, node: Node) -> units.UnitScale:
    return book.units.typed(node) if node.kind == "input" else shown_scale(book, node)


def _shown(node: Node, value: Value, scale: units.UnitScale) -> Value:
    return units.yes_or_no(value) if isinstance(node.type, Flag) else units.scaled(value, scale)


def _write_table(book: Book, sheet: Sheet, plan: DataTablePlan, shown: CellRange) -> None:
    """The quantity in the corner, the edges, and the cells that the spreadsheet computes from them."""
    across, down = (book.naming.reference(f"table {each}", DATA_TABLE) for each in (ACROSS, DOWN))
    head = f'{down}&" down, "&{across}&" across"'
    sheet.formula(_HEAD, TITLE, head, f"{plan.down.node.name} down, {plan.across.node.name} across", "subtitle")
    corner = _shown(plan.quantity, book.value(plan.quantity.name), shown_scale(book, plan.quantity))
    # What tells the time is computed whenever a file is opened: LibreOffice keeps no values of a data table.
    text = f"IF(NOW()<0,0,{_looked_up(book, shown, 'quantity', 1)})"
    sheet.formula(EDGE, TITLE, text, corner, "calc", units.ANY_FORMAT, bold=True)
    _write_edge(book, sheet, plan.across, [(EDGE, 1 + place) for place in range(len(plan.across.points))])
    _write_edge(book, sheet, plan.down, [(EDGE + 1 + place, 0) for place in range(len(plan.down.points))])
    last = (EDGE + len(plan.down.points), len(plan.across.points))
    inputs = ",".join(xl_rowcol_to_cell(WRITTEN_ROW, column) for column in (CHOSEN, CHOSEN + 1))
    form = sheet.format("calc", number_format=units.ANY_FORMAT)
    values = [[_cell(book, plan.quantity, each) for each in row] for row in plan.cells]
    sheet.raw.write_array_formula(EDGE + 1, 1, *last, f"{{={DATA_TABLE_MARK}({inputs})}}", form, values[0][0])
    sheet.formulas[EDGE + 1, 1] = values[0][0]
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            if (row, column) != (0, 0):
                sheet.raw.write(EDGE + 1 + row, 1 + column, value, form)
    heat = look_of(book.document.evaluator.library, "light").heat
    rule: dict[str, Any] = {"type": "2_color_scale", "min_color": heat[0], "max_color": heat[2]}
    sheet.raw.conditional_format(xl_range(EDGE + 1, 1, *last), rule)


def _cell(book: Book, node: Node, number: float) -> Value:
    return _shown(node, units.cell_value(number, node), shown_scale(book, node))


def _write_edge(book: Book, sheet: Sheet, edge: Edge, cells: Sequence[tuple[int, int]]) -> None:
    """Write the values of an input, in the unit in which it is typed."""
    form = "" if isinstance(edge.node.type, Flag | Choice) else units.number_format(edge.node, _TYPED_FORMAT)
    for value, (row, column) in zip(edge.points, cells, strict=True):
        sheet.number(row, column, book.typed_value(edge.node, value), "input", form)
