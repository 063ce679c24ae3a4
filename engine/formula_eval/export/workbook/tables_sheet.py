"""Tables of the formulas to grids: a row for each kernel, a column for each property, a grid for each phase."""

import math
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace

from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.graph import Node
from formula_eval.core.graph import TableShape
from formula_eval.core.type import Choice
from formula_eval.core.type import Flag
from formula_eval.core.unit import PLAIN
from formula_eval.evaluate.program import compile_program
from formula_eval.export.workbook.book import Book
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import FAINT
from formula_eval.export.workbook.units import WHOLE_FORMAT
from formula_eval.export.workbook.units import Scale
from formula_eval.export.workbook.units import Value

OPERATORS = "Operators"
_ENOUGH = 0.6
SCALED_PLACES = "[>=1E+15]0.0E+0;#,##0.000"
_PLAIN_PLACES = "[=0]0;[<0.001]0.0E+0;#,##0.000"
_SUBTITLE = (
    "Every table of the formulas, laid out: the cells are those of Calc, in the units of the second line. "
    "What did not run at export stands last, and grey while it does not."
)


def write_tables(book: Book) -> None:
    """The whole sheet."""
    grids = sorted(_grids(book), key=lambda grid: not any(_runs(book, *grid).values()))
    columns = max((len(table.columns) for table, _ in grids), default=1)
    sheet = book.sheet(OPERATORS, [30.0, *(15.0 for _ in range(columns))])
    sheet.text(0, 0, "Operators", "title")
    sheet.tall(0, 24)
    sheet.text(1, 0, _SUBTITLE, "subtitle")
    row = 3
    for table, binding in grids:
        row = _write_grid(book, sheet, table, binding, row) + 2
    if not grids:
        sheet.text(3, 0, "None of the quantities asked for needs a table.", "note")
    sheet.raw.freeze_panes(3, 1)
    sheet.finish()


def _grids(book: Book) -> Iterator[tuple[TableShape, str]]:
    """The tables that the document needs, once for each set of other inputs under which they are taken."""
    needed = book.document.names
    for name, table in book.document.graph.tables.items():
        cells = [each for each in needed if each.startswith(f"{name}.")]
        bindings = dict.fromkeys(
            each.partition("@")[2] for each in cells if book.document.graph.nodes[each].kind == "cell"
        )
        copies = sorted((each for each in bindings if each), key=lambda each: (each.count("="), each)) or list(bindings)
        parts = {each: set(each.split(",")) for each in copies}
        for binding in copies:
            whole = any(parts[binding] < parts[other] for other in copies)
            if _filled(book, table, binding) >= (1 if whole else _ENOUGH):
                yield table, binding


def _runs(book: Book, table: TableShape, binding: str) -> dict[str, bool]:
    """Whether each row counts for anything now, in a table that says how often its rows run; else all do."""
    counts = {row: cell_of(book, f"{table.name}.{row}.{book.layout.counts}", binding) for row in table.rows}
    return {row: node is None or book.value(node.name) != 0 for row, node in counts.items()}


def _filled(book: Book, table: TableShape, binding: str) -> float:
    """Which part of a grid the document computes; a copy made for a few cells is no table to read."""
    cells = [cell_of(book, f"{table.name}.{row}.{column}", binding) for row in table.rows for column in table.columns]
    return sum(cell is not None for cell in cells) / max(1, len(cells))


def _worked_out(book: Book, table: TableShape, binding: str) -> dict[str, tuple[str, Value, Node]]:
    """The cells that the document does not need, as far as those of the grid suffice: formula and value."""
    graph = book.document.graph
    made: dict[str, tuple[Node, dict[str, str]]] = {}
    for name in (f"{table.name}.{row}.{column}" for row in table.rows for column in table.columns):
        node = graph.nodes.get(name)
        if (
            cell_of(book, name, binding) is not None
            or node is None
            or node.expression is None
            or node.guard is not None
        ):
            continue
        copies = {each: cell_of(book, each, binding) for each in dict.fromkeys(e.references(node.expression))}
        if any(isinstance(part, e.Given) for part in e.walk(node.expression)) or None in copies.values():
            continue
        names = {each: copy.name for each, copy in copies.items() if copy is not None}
        if not any(math.isnan(book.document.numbers[copy]) for copy in names.values()):
            made[name] = node, names
    return {name: (*_work_out(book, node, copies), node) for name, (node, copies) in made.items()}


def _work_out(book: Book, node: Node, copies: Mapping[str, str]) -> tuple[str, Value]:
    """A cell as the engine computes it from other cells."""
    nodes = {
        name: replace(book.document.graph.nodes[name], kind="input", expression=None, guard=None) for name in copies
    }
    parents: dict[str, tuple[str, ...]] = {**dict.fromkeys(copies, ()), node.name: tuple(copies)}
    program = compile_program(FormulaGraph({**nodes, node.name: node}, parents, {}), [node.name])
    numbers = program.evaluate({name: book.document.numbers[copy] for name, copy in copies.items()})
    local = {name: book.naming.reference(copy, OPERATORS) for name, copy in copies.items()}
    return book.formula(node, OPERATORS, local), book.value(node.name, numbers)


def _write_grid(book: Book, sheet: Sheet, table: TableShape, binding: str, at: int) -> int:
    title = f"{table.name}, with {binding.replace(',', ', ')}" if binding else table.name
    sheet.band(at, title, len(table.columns) + 1)
    sheet.text(at + 1, 0, "row", "head")
    scales = {column: _scale(book, table, binding, column) for column in table.columns}
    for place, column in enumerate(table.columns):
        sheet.text(at + 1, 1 + place, column, "head", align="right")
        sheet.text(at + 2, 1 + place, scales[column].unit, "unit", align="right")
    sheet.text(at + 2, 0, "unit", "unit")
    worked_out = _worked_out(book, table, binding)
    row = at + 3
    runs = _runs(book, table, binding)
    for name in sorted(table.rows, key=lambda each: not runs[each]):
        sheet.text(row, 0, name, "name")
        for place, column in enumerate(table.columns):
            node = cell_of(book, f"{table.name}.{name}.{column}", binding)
            if node is not None:
                _write_cell(book, sheet, node, (row, 1 + place), scales[column])
            elif f"{table.name}.{name}.{column}" in worked_out:
                formula, value, node = worked_out[f"{table.name}.{name}.{column}"]
                text = formula if scales[column].factor == 1 else scales[column].from_base(f"({formula})")
                held = scaled(value, scales[column])
                sheet.formula(row, 1 + place, text, held, "calc", grid_format(node, scales[column]))
            else:
                sheet.text(row, 1 + place, "not needed", "note", align="right")
        row += 1
    if book.layout.counts in table.columns:
        count = xl_rowcol_to_cell(at + 3, 1 + table.columns.index(book.layout.counts), col_abs=True)
        rule = {"type": "formula", "criteria": f"={count}=0", "format": sheet.conditional(font_color=FAINT)}
        sheet.raw.conditional_format(at + 3, 0, row - 1, len(table.columns), rule)
    return row


def cell_of(book: Book, name: str, binding: str) -> Node | None:
    """The cell in the copy for a binding, or the cell itself where that makes no difference; none if not computed."""
    nodes, parts = book.document.graph.nodes, set(binding.split(","))
    relevant = book.depends(name) & book.bound(binding)
    labels = [each.partition("@")[2] for each in book.copies.get(name, ())] if relevant else [""]
    for label in labels:
        copy = f"{name}@{label}" if label else name
        if copy in book.naming.places and book.bound(label) == relevant and set(label.split(",")) - {""} <= parts:
            return nodes[copy]
    return None


def _scale(book: Book, table: TableShape, binding: str, column: str) -> Scale:
    """The unit in which the largest value of a column is readable."""
    cells = [cell_of(book, f"{table.name}.{row}.{column}", binding) for row in table.rows]
    nodes = [node for node in cells if node is not None]
    scales = book.units.shown(nodes[0]) if nodes else ()
    sizes = [abs(value) for value in (book.value(node.name) for node in nodes) if not isinstance(value, str)]
    fitting = [each for each in scales if each.factor <= max(sizes, default=0)]
    if scales:
        return (fitting or scales[:1])[-1]
    return Scale(nodes[0].unit if nodes else "")


def _write_cell(book: Book, sheet: Sheet, node: Node, at: tuple[int, int], scale: Scale) -> None:
    value = book.value(node.name)
    text = scale.from_base(book.naming.reference(node.name, OPERATORS))
    sheet.formula(*at, text, scaled(value, scale), "calc", grid_format(node, scale))


def scaled(value: Value, scale: Scale) -> Value:
    """A value in base units in another."""
    if isinstance(value, str | bool) or scale.factor == 1:
        return value
    return scale.number(value)


def grid_format(node: Node, scale: Scale) -> str:
    """How a number looks in a grid: three places where it was scaled to be readable."""
    if scale.factor != 1 or getattr(node.type, "dimension", PLAIN) != PLAIN:
        return SCALED_PLACES
    if isinstance(node.type, Flag | Choice):
        return "General"
    return WHOLE_FORMAT if getattr(node.type, "whole", False) else _PLAIN_PLACES
