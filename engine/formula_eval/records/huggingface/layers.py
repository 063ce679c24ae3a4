"""Groups the layers that a family describes into rows: one for each kind of layer, with how many there are."""

from collections.abc import Mapping
from typing import Any

from formula_eval.core.record_kind import RecordKind
from formula_eval.records.mapping.reader import ConfigReader
from formula_eval.records.rows import cells_of
from formula_eval.records.schema import Schema


def rows_by_layer(
    read: ConfigReader,
    words: Mapping[str, tuple[str, ...]],
    name: str,
    described: Any,  # noqa: ANN401 - as TOML holds it
    layers: int,
) -> list[dict[str, Any]]:
    """The rows of the table `name`, in the order in which their kinds come; a list describes parts of each layer."""
    parts = described if isinstance(described, list) else [described]
    return [row for columns in parts for row in _rows(read, name, columns, words, layers)]


def _rows(
    read: ConfigReader, name: str, columns: Mapping[str, str], words: Mapping[str, tuple[str, ...]], layers: int
) -> list[dict[str, Any]]:
    counts: dict[tuple[Any, ...], int] = {}
    for layer in range(layers):
        here = read.at_layer(layer)
        kind = tuple(here.value(text, f"{name}: {column}", words.get(column, ())) for column, text in columns.items())
        counts[kind] = counts.get(kind, 0) + 1
    return [{"count": count, **dict(zip(columns, kind, strict=True))} for kind, count in counts.items()]


def column_words(schema: Schema, kind: RecordKind, name: str) -> Mapping[str, tuple[str, ...]]:
    """The words of each column of a table that is a choice."""
    table = schema.table_name(name, kind.name)
    cells = cells_of(table, schema.tables[table].rows[0], schema) if table else {}
    return {column: each.quantity.words for column, each in cells.items()}
