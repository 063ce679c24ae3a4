"""Plans and writes a data table of one quantity over two inputs (reports/workbook.toml), which a reader may replace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite, nan
from typing import Any

from xlsxwriter.utility import xl_range, xl_rowcol_to_cell

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import CellRange
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag, Quantity
from formula_eval.export.plot.style import look_of
from formula_eval.export.workbook import units
from formula_eval.export.workbook.sheet import DATA_TABLE_MARK, Sheet
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_string

DATA_TABLE = "Data table"
AS_SET = "as set"
ACROSS, DOWN = "across", "down"
QUANTITY_ROW, ACROSS_ROW, DOWN_ROW, WRITTEN_ROW = range(4, 8)
TITLE, CHOSEN, CHOSEN_LAST, UNIT = 0, 1, 3, 4
_MOST_POINTS = 10
_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
_HEAD, EDGE = 9, 10
_WIDTH = 14.0
_TYPED_FORMAT = "#,##0.####"


@dataclass(frozen=True, slots=True)
class Edge:
    """An input along one edge of the table, and its values in base units."""

    node: Node
    points: Sequence[float]


@dataclass(frozen=True, slots=True)
class DataTablePlan:
    """The table at export, the quantities and inputs that a reader may choose, and the cells, row by row."""

    section: Section  # what reports/workbook.toml says of it
    quantity: Node  # what the cells hold
    across: Edge  # the input that varies from left to right
    down: Edge  # the input that varies from row to row
    quantities: Sequence[Node]
    inputs: Sequence[Node]
    cells: Sequence[Sequence[float]]


def data_table_plan(book: Book) -> DataTablePlan | None:
    """The first table of the layout for which the document holds all; None without two inputs to vary."""
    inputs = [node for node in book.inputs if node.name in book.asked and _is_variable(node)]
    quantities = [node for node in map(book.document.graph.nodes.__getitem__, book.document.wanted) if _is_shown(node)]
    names = {node.name for node in (*inputs, *quantities)}
    sections = [data_table for data_table in book.layout.data_tables if _named(data_table) <= names]
    if not sections or len(inputs) < len((ACROSS, DOWN)) or not quantities:
        return None
    section = sections[0]
    first = {name: place for place, name in enumerate(book.layout.first)}
    usual = iter(sorted(inputs, key=lambda node: first.get(node.name, len(first))))
    across, down = (_edge(book, section.get(text), inputs, usual) for text in (ACROSS, DOWN))
    quantity = next((node for node in quantities if node.name == section.get("quantity")), quantities[0])
    return DataTablePlan(section, quantity, across, down, quantities, inputs, _cells(book, quantity, across, down))


def plan_data_table(book: Book, plan: DataTablePlan) -> None:
    """Give what is chosen, and the cells that the table writes, their places."""
    for title, row in (("quantity", QUANTITY_ROW), (ACROSS, ACROSS_ROW), (DOWN, DOWN_ROW)):
        book.naming.put(f"table {title}", f"table_{title}", CellRange(DATA_TABLE, row, CHOSEN))
    for column, title in enumerate((ACROSS, DOWN), CHOSEN):
        book.naming.put(f"table {title} value", f"table_{title}_value", CellRange(DATA_TABLE, WRITTEN_ROW, column))
    book.varied = frozenset(node.name for node in plan.inputs)


def varied_formula(book: Book, node: Node, here: str) -> str:
    """The formula of the value that the table gives an input while it computes a cell; else an empty text."""
    text = '""'
    for title in (DOWN, ACROSS):
        chosen, value = (book.naming.reference(f"table {title}{part}", here) for part in ("", " value"))
        said = f'IF({value}={excel_string(AS_SET)},"",{value})'
        text = f"IF({chosen}={excel_string(node.name)},{said},{text})"
    return text


def shown_scale(book: Book, node: Node) -> units.UnitScale:
    """The unit in which the table shows a quantity: that of its headline, else the one in which it would be typed."""
    named = next(
        (
            headline["unit"]
            for headline in book.layout.headlines
            if headline["name"] == node.name and "unit" in headline
        ),
        "",
    )
    return book.units.scale(named) if named else book.units.typed(node)


def _named(section: Section) -> set[str]:
    """The names in a section of the layout."""
    edges = (section[text]["input"] for text in (ACROSS, DOWN) if text in section)
    return {*edges, *([section["quantity"]] if "quantity" in section else [])}


def _is_variable(node: Node) -> bool:
    return isinstance(node.type, Quantity | Choice | Flag)


def _is_shown(node: Node) -> bool:
    return isinstance(node.type, Quantity | Flag) and not node.original and node.kind != "input"


def _edge(book: Book, said: Section | None, inputs: Sequence[Node], usual: Iterator[Node]) -> Edge:
    """The edge that a layout says, else the next usual input that can vary at all."""
    if said is not None:
        return Edge(next(node for node in inputs if node.name == said["input"]), said["values"])
    edges = (Edge(node, tuple(_around(book, node))) for node in usual)
    return next(
        (edge for edge in edges if len(edge.points) > 1), Edge(inputs[0], (book.document.numbers[inputs[0].name],))
    )


def _around(book: Book, node: Node) -> Iterator[float]:
    """Values of an input to begin with: all that it may be, or some around the one that it has."""
    value = book.document.numbers[node.name]
    if isinstance(node.type, Flag):
        yield from (0.0, 1.0)
    elif isinstance(node.type, Choice):
        yield from map(float, range(len(node.type.values)))
    elif node.allowed:
        yield from islice(map(float, node.allowed), _MOST_POINTS)
    elif isfinite(value) and value > 0:
        low, high = node.low or 0.0, node.high if node.high is not None else float("inf")
        points = (value * factor for factor in _FACTORS)
        whole = getattr(node.type, "whole", False)
        yield from dict.fromkeys(float(round(point)) if whole else point for point in points if low <= point <= high)


def _cells(book: Book, quantity: Node, across: Edge, down: Edge) -> list[list[float]]:
    program = book.document.evaluator.program([quantity.name])

    def value(x: float, y: float) -> float:
        try:
            given = {**book.document.givens.values, across.node.name: x, down.node.name: y}
            return float(program.evaluate(given)[quantity.name])
        except FormulaError:
            return nan

    return [[value(x, y) for x in across.points] for y in down.points]


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
    listed = CellRange(DATA_TABLE, inputs, TITLE, inputs + len(plan.inputs) - 1)
    shown = CellRange(DATA_TABLE, quantities, TITLE, quantities + len(plan.quantities) - 1)
    for row, title, chosen, cells in (
        (QUANTITY_ROW, "quantity", plan.quantity, shown),
        (ACROSS_ROW, ACROSS, plan.across.node, listed),
        (DOWN_ROW, DOWN, plan.down.node, listed),
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
    for node in nodes:
        cell, scale = book.naming.reference(node.name, DATA_TABLE), _scale(book, node)
        text, held = units.read_cell(node, cell, book.value(node.name), scale)
        sheet.text(row, TITLE, node.name, "name")
        sheet.formula(row, 1, text, held, "number", "" if isinstance(held, str) else units.SCALED_FORMAT)
        sheet.text(row, 2, book.units.plural(scale.unit), "unit")
        row += 1


def _scale(book: Book, node: Node) -> units.UnitScale:
    return book.units.typed(node) if node.kind == "input" else shown_scale(book, node)


def _shown(node: Node, value: units.Value, scale: units.UnitScale) -> units.Value:
    return units.yes_or_no(value) if isinstance(node.type, Flag) else units.scaled(value, scale)


def _write_table(book: Book, sheet: Sheet, plan: DataTablePlan, shown: CellRange) -> None:
    """The quantity in the corner, the edges, and the cells that the spreadsheet computes from them."""
    across, down = (book.naming.reference(f"table {each}", DATA_TABLE) for each in (ACROSS, DOWN))
    head = f'{down}&" down, "&{across}&" across"'
    sheet.formula(_HEAD, TITLE, head, f"{plan.down.node.name} down, {plan.across.node.name} across", "subtitle")
    quantity, scale = plan.quantity, shown_scale(book, plan.quantity)
    corner = _shown(quantity, book.value(quantity.name), scale)
    # What tells the time is computed whenever a file is opened: LibreOffice keeps no values of a data table.
    text = f"IF(NOW()<0,0,{_looked_up(book, shown, 'quantity', 1)})"
    sheet.formula(EDGE, TITLE, text, corner, "calc", units.ANY_FORMAT, bold=True)
    _write_edge(book, sheet, plan.across, [(EDGE, 1 + place) for place in range(len(plan.across.points))])
    _write_edge(book, sheet, plan.down, [(EDGE + 1 + place, 0) for place in range(len(plan.down.points))])
    last = (EDGE + len(plan.down.points), len(plan.across.points))
    inputs = ",".join(xl_rowcol_to_cell(WRITTEN_ROW, column) for column in (CHOSEN, CHOSEN + 1))
    form = sheet.format("calc", number_format=units.ANY_FORMAT)
    values = [[_shown(quantity, units.cell_value(number, quantity), scale) for number in row] for row in plan.cells]
    sheet.raw.write_array_formula(EDGE + 1, 1, *last, f"{{={DATA_TABLE_MARK}({inputs})}}", form, values[0][0])
    sheet.formulas[EDGE + 1, 1] = values[0][0]
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            if (row, column) != (0, 0):
                sheet.raw.write(EDGE + 1 + row, 1 + column, value, form)
    heat = look_of(book.document.evaluator.library, "light").heat
    rule: dict[str, Any] = {"type": "2_color_scale", "min_color": heat[0], "max_color": heat[2]}
    sheet.raw.conditional_format(xl_range(EDGE + 1, 1, *last), rule)


def _write_edge(book: Book, sheet: Sheet, edge: Edge, cells: Sequence[tuple[int, int]]) -> None:
    """Write the values of an input, in the unit in which it is typed."""
    form = "" if isinstance(edge.node.type, Flag | Choice) else units.number_format(edge.node, _TYPED_FORMAT)
    for value, (row, column) in zip(edge.points, cells, strict=True):
        sheet.number(row, column, book.typed_value(edge.node, value), "input", form)
