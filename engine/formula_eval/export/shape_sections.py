"""Expands a section for tables of a shape into one for each such table that no other section shows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from formula_eval.ask.layout import Section, in_phase
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.namespace import in_words
from formula_eval.core.table import TableShape
from formula_eval.export.document import Document

OF_SHAPE = "of_shape"
_LIKE = "A `shape` is a table that others are like."
_MOST_GROUPS = 4
_COLUMNS = ("times", "time", "flops", "bytes", "bound")


def sections_of_shapes(sections: Iterable[Section], document: Document) -> Iterator[Section]:
    """The sections; one with a `shape` in place of a `table` is there once for each table like it."""
    written = list(sections)
    for section in written:
        if "shape" not in section:
            yield section
            continue
        _check_shape(section["shape"], document)
        named = {each.get("table") for each in written if each.get("kind") == section.get("kind")}
        for table in document.graph.tables.values():
            if section["shape"] in table.like and table.name not in named:
                yield from _section(section, table, document)


def _check_shape(shape: str, document: Document) -> None:
    """Refuse a section of an undeclared shape, unless a library without our formulas lacks ours."""
    known = document.evaluator.resolved.scope.symbols
    if shape not in known and not document.evaluator.library.is_alone:
        tables = (name for name in known if known[name].homes)
        raise refuse("bad-report", f"reports: no table is named `{shape}`", help=nearest(shape, tables) or _LIKE)


def _section(section: Section, table: TableShape, document: Document) -> Iterator[dict[str, Any]]:
    """The section for one table, if some row of it runs."""
    groups = [
        {"title": binding.replace(",", ", ").replace("=", " ") or "As asked", "at": binding}
        for binding in _bindings(table, section["time"], document)
        if any(_runs(table, row, section, binding, document) for row in table.rows)
    ]
    if groups:
        title = f"{section['title']}: {in_words(table.name)}"
        rest = {key: value for key, value in section.items() if key != "shape"}
        yield {**rest, "title": title, "table": table.name, "groups": groups[:_MOST_GROUPS], OF_SHAPE: True}


def _bindings(table: TableShape, time: str, document: Document) -> list[str]:
    """The bindings under which the wanted quantities read the times of a table, plain ones first."""
    nodes = (document.graph.nodes[name] for name in document.cells.get(table.name, ()))
    found = {node.binding for node in nodes if node.cell is not None and node.cell.column == time}
    return sorted(found, key=lambda each: (each.count("="), each))


def _runs(table: TableShape, row: str, section: Section, binding: str, document: Document) -> bool:
    """Whether a row counts for anything, and does work where the section places it by its work."""
    numbers = document.numbers
    for key, unknown in (("times", 0.0), ("flops", 1.0)):
        name = table.cell(row, section[key]) if key in section else ""
        if numbers.get(f"{name}@{binding}", numbers.get(name, unknown if name else 1.0)) <= 0:
            return False
    return True


def with_shapes(document: Document) -> Document:
    """The document with all cells that its page shows of tables of a known shape, computed where they are missing."""
    _, layout = document.evaluator.library.last("reports/page.toml")
    written = [each for each in layout.get("section", ()) if "shape" in each]
    schema, given = document.evaluator.schema, document.givens.values
    found: dict[str, None] = {}
    for section in sections_of_shapes(written, document):
        rows = document.graph.tables[section["table"]].rows
        columns = dict.fromkeys([*(section[key] for key in _COLUMNS if key in section), *section.get("columns", ())])
        names = (f"{section['table']}.{row}.{column}" for row in rows for column in columns)
        copies = [in_phase(name, group["at"], schema) for name in names for group in section["groups"]]
        found.update(dict.fromkeys(name for name in copies if name in document.graph.nodes))
    missing = [name for name in found if name not in document.numbers and not schema.unchosen(name, given)]
    if not missing:
        return document
    numbers = document.evaluator.program(missing).evaluate(document.givens.values)
    result = document.result.but(numbers={**numbers, **document.numbers})
    return replace(document, beside=tuple(missing), result=result)
