"""Plans a table of one quantity over two inputs (reports/workbook.toml), all three of which a reader may replace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite, nan

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import CellRange
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag, Quantity
from formula_eval.export.workbook import units
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_string

DATA_TABLE = "Data table"
AS_SET = "as set"
ACROSS, DOWN = "across", "down"
QUANTITY_ROW, ACROSS_ROW, DOWN_ROW, WRITTEN_ROW = range(4, 8)
TITLE, CHOSEN, CHOSEN_LAST, UNIT = 0, 1, 3, 4
_MOST_POINTS = 10
_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)


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
    sections = [each for each in book.layout.data_tables if _named(each) <= names]
    if not sections or len(inputs) < len((ACROSS, DOWN)) or not quantities:
        return None
    section = sections[0]
    first = {name: place for place, name in enumerate(book.layout.first)}
    usual = iter(sorted(inputs, key=lambda node: first.get(node.name, len(first))))
    across, down = (_edge(book, section.get(each), inputs, usual) for each in (ACROSS, DOWN))
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
    named = next((each["unit"] for each in book.layout.headlines if each["name"] == node.name and "unit" in each), "")
    return book.units.scale(named) if named else book.units.typed(node)


def _named(section: Section) -> set[str]:
    """The names in a section of the layout."""
    edges = (section[each]["input"] for each in (ACROSS, DOWN) if each in section)
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
        points = (value * each for each in _FACTORS)
        whole = getattr(node.type, "whole", False)
        yield from dict.fromkeys(float(round(each)) if whole else each for each in points if low <= each <= high)


def _cells(book: Book, quantity: Node, across: Edge, down: Edge) -> list[list[float]]:
    program = book.document.evaluator.program([quantity.name])

    def value(x: float, y: float) -> float:
        try:
            given = {**book.document.givens.values, across.node.name: x, down.node.name: y}
            return float(program.evaluate(given)[quantity.name])
        except FormulaError:
            return nan

    return [[value(x, y) for x in across.points] for y in down.points]
