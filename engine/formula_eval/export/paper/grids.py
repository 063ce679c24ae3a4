"""Collects the cells of a table of the formulas into grids, one for each set of inputs that gives it other values."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set as AbstractSet
from functools import cache
from itertools import combinations
from typing import NamedTuple

from formula_eval.ask.workbook.workbook_layout import read_workbook_layout
from formula_eval.core.closure import closure
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.namespace import COPY_MARK, binding_parts
from formula_eval.core.table import LEFT_OUT, elided
from formula_eval.core.type import Flag, Quantity
from formula_eval.export.document import Document
from formula_eval.export.paper.worked_equation import Working
from formula_eval.export.templates import Ready
from formula_eval.records.rows import is_unfilled

_MOST_COLUMNS = 6


class PaperGrid(NamedTuple):
    """Some columns of a table, no more than fit a page, and the text of each cell."""

    name: str
    condition: Ready
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def grids_of(document: Document, table: str, working: Working) -> Iterator[PaperGrid]:
    """The grids of one table, as far as its cells count here, each once."""
    shape, graph = document.graph.tables[table], document.graph
    needed = document.cells.get(table, frozenset()) & document.reached
    copied = {name.partition(COPY_MARK)[2] for name in needed}
    read = cache(lambda cell: closure(graph.parents[cell], graph.parents.__getitem__))
    alike: dict[tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]], list[str]] = {}
    for binding in _bindings(document, needed):
        marks = _marks(binding, copied)
        rows = [
            (row, [_cell(graph, needed, shape.cell(row, column), marks, read) for column in shape.columns])
            for row in shape.rows
        ]
        rows = [(row, cells) for row, cells in rows if not _is_unfilled(document, cells)]
        if not shape.sequence:
            counts = dict(zip(shape.columns, range(len(shape.columns)), strict=True)).get(_counts(document))
            rows = [row for row in rows if _says_something(document, row[1], counts)] or rows
        kept = [place for place in range(len(shape.columns)) if any(cells[place] for _, cells in rows)]
        rows = elided(rows, (LEFT_OUT, [])) if shape.sequence else rows
        condition = working.condition(
            next(graph.nodes[name] for name in needed if graph.nodes[name].binding == binding)
        )
        for start in range(0, len(kept), _MOST_COLUMNS):
            places = kept[start : start + _MOST_COLUMNS]
            columns = tuple(shape.columns[place].replace("_", " ") for place in places)
            texts = tuple((row.replace("_", " "), _texts(document, cells, places, working)) for row, cells in rows)
            alike.setdefault((columns, texts), []).append(condition)
    for (columns, texts), (condition, *others) in alike.items():
        more = rf"\text{{, and the same under {len(others)} other conditions}}" if others else ""
        yield PaperGrid(table, Ready(f"{condition}{more}"), columns, texts)


def _is_unfilled(document: Document, cells: Sequence[str]) -> bool:
    """Whether the row of these cells is not there."""
    nodes = (document.graph.nodes[cell] for cell in cells if cell)
    return any(is_unfilled(node.cell, document.numbers) for node in nodes)


def _counts(document: Document) -> str:
    """The column that says how often a row runs."""
    return read_workbook_layout(document.evaluator.library, document.evaluator.schema).counts


def _says_something(document: Document, cells: Sequence[str], counts: int | None) -> bool:
    """Whether a row runs, and a number of it is there and not 0: the model has what it is about."""
    if counts is not None and cells[counts] and document.numbers.get(cells[counts]) == 0:
        return False
    numbers = (document.numbers.get(cell, 0.0) for cell in cells if cell and _is_number(document, cell))
    return any(number > 0 or number < 0 for number in numbers)


def _is_number(document: Document, cell: str) -> bool:
    return isinstance(document.graph.nodes[cell].type, Quantity | Flag)


def _bindings(document: Document, needed: AbstractSet[str]) -> list[str]:
    """The sets of inputs that cells stand for; what is only a part of another set was computed for that one."""
    nodes = document.graph.nodes
    found = sorted(dict.fromkeys(nodes[name].binding for name in needed))
    wanted = {nodes[name].binding for name in needed if document.is_wanted(name)}
    parts = {name: frozenset(binding_parts(name)) for name in found}
    return [name for name in found if name in wanted or not any(parts[name] < parts[other] for other in found)]


def _marks(binding: str, copied: AbstractSet[str]) -> list[str]:
    """What a cell under these inputs may end in, of the bindings of copies that there are; the most inputs first."""
    parts = binding_parts(binding)
    under = (",".join(some) for many in range(len(parts), 0, -1) for some in combinations(parts, many))
    return [*(f"{COPY_MARK}{some}" for some in under if some in copied), ""]


def _cell(
    graph: FormulaGraph,
    needed: AbstractSet[str],
    name: str,
    marks: Sequence[str],
    read: Callable[[str], Iterable[str]],
) -> str:
    """The cell under those inputs on which it depends; nothing for one that nobody needs under them.

    It is another one there if something of all that it `read` was computed under these inputs too.
    """
    found = next((f"{name}{mark}" for mark in marks if f"{name}{mark}" in needed), "")
    if found != name:
        return found
    is_other = any(f"{each}{mark}" in graph.nodes for mark in marks if mark for each in read(name))
    return "" if is_other else found


def _texts(document: Document, cells: Sequence[str], places: Sequence[int], working: Working) -> tuple[str, ...]:
    if not cells:
        return (LEFT_OUT,) * len(places)
    return tuple(working.shown(document.graph.nodes[cells[place]]) if cells[place] else "" for place in places)
