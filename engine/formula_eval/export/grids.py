"""A table of the formulas to the values of its cells, once for each set of inputs it was computed under."""

from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass

from formula_eval.core.graph import Node
from formula_eval.core.graph import TableShape
from formula_eval.export.document import Document
from formula_eval.export.templates import Ready
from formula_eval.export.working import Working

_MOST_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class Grid:
    """Some columns of a table, no more than fit a page, and the text of each cell."""

    name: str
    sentence: str
    condition: Ready
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def grids_of(document: Document, table: str, working: Working) -> Iterator[Grid]:
    """The grids of one table, as far as its cells are needed."""
    shape = document.graph.tables[table]
    needed = [name for name in document.graph.ancestors(list(document.wanted)) if name.startswith(f"{table}.")]
    bindings = dict.fromkeys(document.graph.nodes[name].binding for name in needed)
    if len(bindings) > 1 and not _is_whole("", shape, needed):
        bindings.pop("", None)
    for binding in bindings:
        rows = [(row, [_cell(document, shape, row, column, binding) for column in shape.columns]) for row in shape.rows]
        kept = [place for place in range(len(shape.columns)) if any(cells[place] for _, cells in rows)]
        node = next(document.graph.nodes[name] for name in needed if document.graph.nodes[name].binding == binding)
        for start in range(0, len(kept), _MOST_COLUMNS):
            places = kept[start : start + _MOST_COLUMNS]
            yield Grid(
                table,
                "",
                Ready(working.condition(node)),
                tuple(shape.columns[place].replace("_", " ") for place in places),
                tuple((row.replace("_", " "), _texts(cells, places, working)) for row, cells in rows),
            )


def _is_whole(binding: str, shape: TableShape, needed: Sequence[str]) -> bool:
    """Whether the last columns, which rest on the others, are among what is needed."""
    suffix = f"@{binding}" if binding else ""
    return any(f"{shape.name}.{row}.{shape.columns[-1]}{suffix}" in needed for row in shape.rows)


def _cell(document: Document, shape: TableShape, row: str, column: str, binding: str) -> Node | None:
    """The cell under these inputs; where they make no difference, the cell itself."""
    name = f"{shape.name}.{row}.{column}"
    for each in (f"{name}@{binding}" if binding else name, *_shorter(name, binding), name):
        if each in document.numbers and each in document.graph.nodes:
            return document.graph.nodes[each]
    return None


def _shorter(name: str, binding: str) -> list[str]:
    """Copies under a part of the inputs: what depends on fewer of them is computed once."""
    parts = binding.split(",")
    return [f"{name}@{part}" for part in parts] if len(parts) > 1 else []


def _texts(cells: Sequence[Node | None], places: Sequence[int], working: Working) -> tuple[str, ...]:
    return tuple(working.shown(cell) if (cell := cells[place]) is not None else "" for place in places)
