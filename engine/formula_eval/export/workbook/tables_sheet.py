"""Writes tables of the formulas as grids: a row for each kernel, a column for each property, a grid for each phase."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.namespace import binding_parts
from formula_eval.core.table import FILLED, TableShape
from formula_eval.core.type import Choice, Date, Flag, Quantity
from formula_eval.core.unit import PLAIN
from formula_eval.evaluate.subexpression import value_of
from formula_eval.export.document import Document
from formula_eval.export.workbook import units
from formula_eval.export.workbook.charts import axis, frame, series
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import FAINT
from formula_eval.export.workbook.workbook_context import Book

OPERATORS = "Operators"
_ALONE = "Tables"
_ENOUGH = 0.6
_MOST_ABSENT = 0.25
SCALED_PLACES = "[>=1E+15]0.0E+0;[<0]-#,##0.000;#,##0.000"
_PLAIN_PLACES = "[=0]0;[<0.001]0.0E+0;#,##0.000"
_LEAST_ROWS = 8  # of a sequence that is drawn: fewer are read as they stand
_MOST_CHARTS, _MOST_LINES = 2, 6
_LABELS = 12  # along the axis of the index, about
_CHART_ROWS, _CHART_SIZE = 18, (620, 340)  # rows of the sheet that a chart takes, and its size


def title_of_tables(document: Document) -> str:
    """The title of the sheet: a library that stands alone has tables, but not of operators."""
    return _ALONE if document.evaluator.library.is_alone else OPERATORS


def write_tables(book: Book) -> None:
    """Write the whole sheet."""
    grids = list(_grids(book))
    running = [grid for grid in grids if not _says_nothing(book, *grid)]
    firsts = {(table.name, _situations(binding)): (table, binding) for table, binding in reversed(running)}
    read = [grid for grid in running if grid in firsts.values()]
    read.sort(key=lambda grid: not _is_asked(book, grid[0]))
    others = sorted((grid for grid in grids if grid not in read), key=lambda grid: _says_nothing(book, *grid))
    columns = max((len(table.columns) for table, _ in grids), default=1)
    title = title_of_tables(book.document)
    sheet = book.sheet(title, [30.0, *(15.0 for _ in range(columns))])
    words = book.looks["tables"].words
    sheet.title_lines(title, [" ".join([*words["says"], *([] if title == _ALONE else [words["of_kernels"]])])])
    row = 3
    for table, binding in read:
        row = _write_grid(book, sheet, table, binding, row) + 2
    printed = row  # the copies beneath differ in a few numbers
    for table, binding in others:
        row = _write_grid(book, sheet, table, binding, row) + 2
    if not grids:
        sheet.text(3, 0, words["without"], "note")
    sheet.finish(frozen=(3, 1))
    sheet.raw.print_area(0, 0, printed, columns)  # charts stand beside it


def _grids(book: Book) -> Iterator[tuple[TableShape, str]]:
    """The tables that the document needs, once for each set of other inputs under which they are taken."""
    cells = [node for node in book.document.nodes if node.kind == "cell"]
    for name, table in book.document.graph.tables.items():
        bindings = dict.fromkeys(node.binding for node in cells if node.cell and node.cell.table == name)
        bindings = {each: None for each in bindings if _absent(book, table, each) <= _MOST_ABSENT}
        copies = sorted((each for each in bindings if each), key=lambda each: (each.count("="), each)) or list(bindings)
        parts = {copy: frozenset(binding_parts(copy)) for copy in copies}
        for binding in copies:
            whole = any(parts[binding] < parts[other] for other in copies)
            if _filled(book, table, binding) >= (1 if whole else _ENOUGH):
                yield table, binding


def _situations(binding: str) -> frozenset[str]:
    """The situations by name, such as a phase, under which a copy is taken."""
    return frozenset(filter(str.isidentifier, binding_parts(binding)))


def _is_asked(book: Book, table: TableShape) -> bool:
    """Whether a cell of it was asked for: such tables stand first."""
    return any(name.startswith(f"{table.name}.") for name in book.document.wanted)


def _runs(book: Book, table: TableShape, binding: str) -> dict[str, bool]:
    """Whether each row counts for anything now, in a table that says how often its rows run; else all do."""
    counts = {row: book.cell(table.cell(row, book.layout.counts), binding) for row in table.rows}
    return {row: node is None or book.value(node.name) != 0 for row, node in counts.items()}


def _values(book: Book, table: TableShape, binding: str) -> list[units.Value]:
    """The numbers and flags that the document computes of a grid."""
    cells = [book.cell(name, binding) for name in table.cells()]
    return [book.value(node.name) for node in cells if node is not None and not isinstance(node.type, Choice)]


def _absent(book: Book, table: TableShape, binding: str) -> float:
    """The share of those that is absent, all where nobody knows how often rows run: of a draft model not chosen."""
    values = _values(book, table, binding)
    counts = (book.cell(table.cell(row, book.layout.counts), binding) for row in table.rows)
    if any(node is not None and book.value(node.name) == units.ABSENT for node in counts):
        return 1.0
    return values.count(units.ABSENT) / max(1, len(values))


def _says_nothing(book: Book, table: TableShape, binding: str) -> bool:
    """Whether no row of a grid runs at export, or all that it holds is 0."""
    runs = any(_runs(book, table, binding).values())
    return not runs or all(value in {0, units.ABSENT} for value in _values(book, table, binding))


def _filled(book: Book, table: TableShape, binding: str) -> float:
    """The share of a grid that the document computes; a copy made for a few cells is not a table to read."""
    cells = [book.cell(name, binding) for name in table.cells()]
    return sum(cell is not None for cell in cells) / max(1, len(cells))


class _Made(NamedTuple):
    """A cell that the document does not need: its formula, its number, its node."""

    formula: str
    number: float
    node: Node


def _worked_out(book: Book, table: TableShape, binding: str) -> dict[str, _Made]:
    """The cells that the document does not need, as far as those of the grid suffice."""
    left = [cell for cell in book.document.graph.cells(table.cells()) if book.cell(cell.name, binding) is None]
    made: dict[str, _Made] = {}
    before = -1
    while before < len(made):
        before = len(made)
        for node in left:
            if node.name not in made and (found := _work_out(book, node, binding, made)) is not None:
                made[node.name] = found
    return made


def _work_out(book: Book, node: Node, binding: str, made: Mapping[str, _Made]) -> _Made | None:
    """A cell computed from other cells; None where one of them is missing, or it has no value."""
    if node.expression is None or node.guard is not None:
        return None
    if any(isinstance(part, e.Given) for part in e.walk(node.expression)):
        return None
    local: dict[str, str] = {}
    numbers: dict[str, float] = {}
    for name in dict.fromkeys(e.references(node.expression)):
        copy = book.cell(name, binding)
        if copy is not None:
            local[name], numbers[name] = book.naming.reference(copy.name, OPERATORS), book.document.numbers[copy.name]
        elif name in made:
            local[name], numbers[name] = f"({made[name].formula})", made[name].number
        if math.isnan(numbers.get(name, math.nan)):
            return None
    try:
        number = value_of(node.expression, numbers, {})
    except (ArithmeticError, ValueError):
        return None
    return None if math.isnan(number) else _Made(book.formula(node, OPERATORS, local), number, node)


def _write_grid(book: Book, sheet: Sheet, table: TableShape, binding: str, at: int) -> int:
    title = f"{table.name}, with {binding.replace(',', ', ')}" if binding else table.name
    sheet.band(at, title, len(table.columns) + 1)
    sheet.text(at + 1, 0, "row", "head")
    worked_out = _worked_out(book, table, binding)
    scales = {column: _scale(book, table, binding, column, worked_out) for column in table.columns}
    for place, column in enumerate(table.columns):
        sheet.text(at + 1, 1 + place, column, "head", align="right")
        sheet.text(at + 2, 1 + place, scales[column].unit, "unit", align="right")
    sheet.text(at + 2, 0, "unit", "unit")
    row = at + 3
    runs = _runs(book, table, binding)
    for name in sorted(table.rows, key=lambda each: not runs[each]):
        sheet.text(row, 0, name, "name")
        there = book.cell(table.cell(name, FILLED), binding) if table.sequence else None
        for place, column in enumerate(table.columns):
            cell = table.cell(name, column)
            node = book.cell(cell, binding)
            if node is not None:
                _write_cell(book, sheet, node, (row, 1 + place), scales[column], there=there)
            elif cell in worked_out:
                formula, number, node = worked_out[cell]
                text = formula if scales[column].is_base else scales[column].from_base(f"({formula})")
                held = units.scaled(units.cell_value(number, node), scales[column])
                sheet.formula(row, 1 + place, text, held, "calc", grid_format(book, node, scales[column]))
            else:
                sheet.text(row, 1 + place, "not needed", "note", align="right")
        row += 1
    if book.layout.counts in table.columns:
        count = xl_rowcol_to_cell(at + 3, 1 + table.columns.index(book.layout.counts), col_abs=True)
        rule = {"type": "formula", "criteria": f"={count}=0", "format": sheet.conditional(font_color=FAINT)}
        sheet.raw.conditional_format(at + 3, 0, row - 1, len(table.columns), rule)
    return max(row, at + 2 + _draw(book, sheet, table, binding, scales, at + 3))


def _draw(  # noqa: PLR0913, PLR0917 - a grid and where it stands
    book: Book, sheet: Sheet, table: TableShape, binding: str, scales: Mapping[str, units.UnitScale], top: int
) -> int:
    """The rows that charts take of a sequence that was asked for: its columns of numbers, the rows there at export."""
    if not _is_asked(book, table):
        return 0
    drawn = {
        column: scale
        for column, scale in scales.items()
        if column not in table.indices
        and (node := book.cell(table.cell(table.rows[0], column), binding)) is not None
        and isinstance(node.type, Quantity)
    }
    flags = (book.cell(table.cell(row, FILLED), binding) for row in table.rows)
    there = [flag is None or bool(book.value(flag.name)) for flag in flags]
    return _draw_sequence(book, sheet, table, drawn, top, sum(there)) if drawn else 0


def _draw_sequence(  # noqa: PLR0913, PLR0917 - a grid, its columns and where they stand
    book: Book, sheet: Sheet, table: TableShape, drawn: Mapping[str, units.UnitScale], top: int, count: int
) -> int:
    """Draw columns of a grid as lines over its last index, a chart for each unit; gives the rows that charts take.

    The first of its rows, so many as `count`, stands at `top`.
    """
    if not table.sequence or count < _LEAST_ROWS:
        return 0
    shown = list(dict.fromkeys(scale.unit for scale in drawn.values()))[:_MOST_CHARTS]
    indices = [1 + table.columns.index(index) for index in table.indices]
    for number, unit in enumerate(shown):
        chart = book.workbook.add_chart({"type": "line"})
        for place, column in enumerate([name for name, scale in drawn.items() if scale.unit == unit][:_MOST_LINES]):
            look = {"line": {"color": book.palette.series(place), "width": 1.5}}
            at, rows = 1 + table.columns.index(column), (top, top + count - 1)
            lines = series(sheet.title, (min(indices), at), rows, name=column.replace("_", " "), **look)
            lines["categories"] = [sheet.title, top, min(indices), top + count - 1, max(indices)]
            chart.add_series(lines)
        title = f"{table.name}, {unit}" if unit else table.name
        frame(chart, title, _CHART_SIZE)
        indices_named = ", ".join(index.replace("_", " ") for index in table.indices)
        no_grid = {"visible": False}
        chart.set_x_axis(axis(indices_named, interval_unit=max(1, count // _LABELS), major_gridlines=no_grid))
        chart.set_y_axis(axis(""))
        options = {"object_position": 2, "description": title}
        sheet.raw.insert_chart(top - 2 + number * _CHART_ROWS, len(table.columns) + 2, chart, options)
    return len(shown) * _CHART_ROWS


def _scale(
    book: Book, table: TableShape, binding: str, column: str, worked_out: Mapping[str, _Made]
) -> units.UnitScale:
    """The unit in which the largest value of a column is readable."""
    names = list(table.column(column))
    cells = [(node, book.value(node.name)) for name in names if (node := book.cell(name, binding)) is not None]
    made = [worked_out[name] for name in names if name in worked_out]
    cells += [(each.node, units.cell_value(each.number, each.node)) for each in made]
    nodes = [node for node, _ in cells]
    scales = book.units.shown(nodes[0]) if nodes else ()
    sizes = [abs(value) for _, value in cells if not isinstance(value, str)]
    fitting = [scale for scale in scales if scale.factor <= max(sizes, default=0)]
    if scales:
        return (fitting or scales[:1])[-1]
    return units.UnitScale(nodes[0].unit if nodes else "")


def _write_cell(  # noqa: PLR0913 - a cell, its place and its looks
    book: Book, sheet: Sheet, node: Node, at: tuple[int, int], scale: units.UnitScale, *, there: Node | None
) -> None:
    """The value of a cell; nothing while its row is not there, if a sequence may end before it."""
    value = units.scaled(book.value(node.name), scale)
    text = scale.from_base(book.naming.reference(node.name, OPERATORS))
    if there is not None:
        text = f'IF({book.naming.reference(there.name, OPERATORS)},{text},"")'
        value = value if book.value(there.name) else ""
    sheet.formula(*at, text, value, "calc", grid_format(book, node, scale))


def grid_format(book: Book, node: Node, scale: units.UnitScale) -> str:
    """How a number looks in a grid: three places where it was scaled to be readable."""
    if node.cell is not None and node.cell.column == book.layout.counts:
        return "General"
    if node.quantity.style == "cents":
        return units.MONEY_FORMAT
    if scale.factor != 1 or getattr(node.type, "dimension", PLAIN) != PLAIN:
        return SCALED_PLACES
    if isinstance(node.type, Flag | Choice | Date):
        return units.number_format(node)
    return units.WHOLE_FORMAT if getattr(node.type, "whole", False) else _PLAIN_PLACES
