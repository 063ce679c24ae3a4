"""Reads reports/page.toml, and keeps the sections and controls for which the document has values."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.ask.layout import Section
from formula_eval.core.namespace import in_words
from formula_eval.core.quantity import Quantified
from formula_eval.core.table import FILLED, TableShape
from formula_eval.evaluate.display_unit import unit_of_entry
from formula_eval.export.document import Document
from formula_eval.export.html.controls import page_controls, with_first_sweep
from formula_eval.export.html.formulas import quantity_data
from formula_eval.export.html.operator_graph import drawn_structures, structure_section
from formula_eval.export.html.page_colours import coloured_stack
from formula_eval.export.html.page_sections import NEEDED, PAGE
from formula_eval.export.palette import palette_of
from formula_eval.export.quantities import headlines, is_about, is_written_for, title_of
from formula_eval.export.shape_sections import OF_SHAPE, sections_of_shapes
from formula_eval.export.terminal.quantity_blocks import split_tables
from formula_eval.records.roles import roles_of
from formula_eval.toml_table import check_table

_GOALS = ("maximise", "minimise", "most")
_NAMES = (*_GOALS, "name", "whole", "within", "used", "holds", "bandwidth", "total", "input", "vary", "fits")
_MOST_CARDS = 24
_EVERYWHERE = ("checks", "listing", "scenarios", "sweep", "sensitivity")
_NEEDED = ("charts", "lines")


def page_layout(document: Document) -> dict[str, Any]:
    """The layout of the last folder that has one, cut to what was asked for; raises FormulaError for what is wrong.

    What only the checks need heads no page: it stands in the derivations and in the list of everything. What somebody
    named heads the page, and only what is about it follows; so it does where no card of the layout is left. A namespace
    is headed by the cards of a layout that was written for it.
    """
    file, layout = document.evaluator.library.last("reports/page.toml")
    check_table(PAGE, layout, file, document.evaluator.schema.vocabulary)
    layout = {**layout, "section": [*sections_of_shapes(layout.get("section", ()), document)]}
    held = set(document.graph.ancestors([*document.wanted, *document.beside]))
    sections = [section for written in layout.get("section", ()) if (section := _shown(written, document, held))]
    cards = [section for section in sections if section["kind"] == "cards"]
    about = document.question.about(document.evaluator.library)
    if document.is_asked or not cards:
        about = "asked"
        entries = [entry for section in layout.get("section", ()) for entry in section.get("entries", ())]
        written = [each for each in layout.get("section", ()) if each.get("kind") == "cards"]
        shown = [each for each in written if any(entry.get("name") in held for entry in each.get("entries", ()))]
        own = is_written_for(document, shown)
        heads = cards if own else _headline_cards(document, [entry for entry in entries if "name" in entry])
        rest = [each for each in sections if each not in cards]
        sections = [*heads, *_asked_tables(document, rest), *(each for each in rest if _concerns(each, document))]
    sections = [_with_units(section, document) if section["kind"] == "cards" else section for section in sections]
    controls = page_controls(document, layout.get("control", []), held)
    sections = with_first_sweep(document, sections, controls)
    return {**layout, **_words(document, layout, about), "section": sections, "control": controls}


def _with_units(section: dict[str, Any], document: Document) -> dict[str, Any]:
    """Cards with the unit that each entry states, unless the user asked for its value in another one."""
    evaluator, entries = document.evaluator, []
    for entry in section["entries"]:
        asked = entry.get("name") in evaluator.shown_in
        quantity = document.graph.nodes[entry["name"]].quantity if "name" in entry else Quantified("")
        unit = None if asked else unit_of_entry(str(entry.get("name")), quantity, entry, evaluator.schema.units)
        added = {} if unit is None else {"word": unit} if isinstance(unit, str) else {"shown": quantity_data(unit)}
        entries.append({**entry, **added})
    return {**section, "entries": entries}


def _shown(written: Section, document: Document, held: set[str]) -> dict[str, Any] | None:
    """A section with its cells, without what is not there; None if nothing is left of it."""
    section = structure_section(written, document) if written["kind"] == "structure" else written
    cut = _cut(section, held)
    if cut is None or (
        written["kind"] not in _EVERYWHERE and not all(cut.get(key, True) for key in NEEDED[section["kind"]])
    ):
        return None
    filled = _with_cells(cut, document)
    if not filled.get("groups", True):
        return None
    if filled["kind"] == "structure":
        filled["structures"] = drawn_structures(filled, document)
    return coloured_stack(filled, palette_of(document.evaluator.library)) if filled["kind"] == "stack" else filled


def _concerns(section: Section, document: Document) -> bool:
    if not document.is_asked or section["kind"] in _EVERYWHERE:
        return True
    return OF_SHAPE in section or is_about(section, document)


def _words(document: Document, layout: Mapping[str, Any], about: str) -> dict[str, str]:
    """The title and the summary of the page."""
    words = {"title": "", **layout, **layout.get(about, {})}
    texts = {key: str(words[key]) for key in ("title", "summary") if key in words}
    library = document.evaluator.library
    if library.title and (about == "asked" or not texts["title"]):
        return {**texts, "title": library.title}
    return (
        texts
        if texts["title"] and roles_of(library).model in document.kinds
        else {**texts, "title": title_of(document)}
    )


def _headline_cards(document: Document, entries: list[Section]) -> list[dict[str, Any]]:
    """Cards of what was asked for and stands in no table."""
    alone, _ = split_tables([*document.wanted], document.evaluator.schema)
    found = [headline for headline in headlines(document, len(document.wanted), entries) if headline["name"] in alone][
        :_MOST_CARDS
    ]
    return [{"kind": "cards", "title": "What was asked for", "entries": found}] if found else []


def _asked_tables(document: Document, sections: Sequence[Section]) -> Iterator[dict[str, Any]]:
    """The tables of several rows that were asked for and that no section of the layout shows."""
    names = [name for name in document.wanted if document.graph.nodes[name].kind == "cell"]
    shown = {section.get("table") for section in sections}
    asked = split_tables(names, document.evaluator.schema)[1]
    titles = Counter(in_words(table) for table in asked)
    for table, cells in asked.items():
        if table not in shown:
            words = [in_words(name) for name in table.rsplit(".", 2)[-2:]]
            title = " ".join(words if titles[words[-1]] > 1 else words[-1:]).capitalize()
            columns = document.graph.tables[table].beside_names({column for _, column in cells}, document.numbers)
            section = {"kind": "table", "title": title, "table": table, "columns": columns}
            yield _table_section(section, document)


def _table_section(section: Section, document: Document) -> dict[str, Any]:
    """The section with its cells, its rows in their order (JavaScript would sort numbers), and which are filled."""
    shape, held = document.graph.tables[section["table"]], set(document.names)
    filled = {row: name for row in shape.rows if (name := shape.cell(row, FILLED)) in held}
    named = {row: {column: shape.cell(row, column) for column in section["columns"]} for row in shape.rows}
    there = {row: {each: name for each, name in cells.items() if name in held} for row, cells in named.items()}
    cells = {row: each for row, each in there.items() if each}
    along = _along(shape, document) if shape.sequence else {}
    return {**section, "cells": cells, "rows": list(cells), "filled": filled, **along}


def _along(shape: TableShape, document: Document) -> dict[str, Any]:
    """The indices of a sequence, and where each row stands along them: a cell of the page, or a number.

    Of several indices rows follow each other, in runs with the same value of the first, which `runs` names.
    """
    held, indices = set(document.names), [in_words(index) for index in shape.indices]
    if len(indices) > 1:
        firsts = [row.split("x", maxsplit=1)[0] for row in shape.rows]
        runs = [[firsts.index(first), f"{indices[0]} {first}"] for first in dict.fromkeys(firsts)]
        return {"indices": indices, "along": {row: place for place, row in enumerate(shape.rows)}, "runs": runs}
    named = {row: shape.cell(row, *shape.indices) for row in shape.rows}
    places = {row: name if name in held else document.numbers.get(name, float(row)) for row, name in named.items()}
    return {"indices": indices, "along": places}


def _cut(part: Section, held: set[str]) -> dict[str, Any] | None:
    """The part without entries that name what is not there; None if it names such a thing itself, or draws nothing."""
    if any(part[key] not in held for key in _NAMES if key in part):
        return None
    cut = dict(part)
    for key, parts in part.items():
        if isinstance(parts, list) and all(isinstance(each, Mapping) for each in parts):
            cut[key] = [inner for each in parts if (inner := _cut(each, held)) is not None]
            if key in _NEEDED and not cut[key]:
                return None
    return cut


def _with_cells(section: dict[str, Any], document: Document) -> dict[str, Any]:
    """A section of a table with, for each group, the cells of each row that are all there."""
    if "table" not in section:
        groups = [{**group, "cells": {}} for group in section.get("groups", ())]
        return {**section, "groups": groups} if groups else section
    if section["kind"] == "table":
        return _table_section(section, document)
    rows = document.graph.tables[section["table"]].rows
    columns = [section[key] for key in ("times", "time", "bound", "fixed", "flops", "bytes") if key in section]
    columns = list(dict.fromkeys([*columns, *section.get("columns", ())]))
    groups, held = [], set(document.names)
    for group in section["groups"]:
        cells = {row: _cells(f"{section['table']}.{row}", columns, group.get("at", ""), document, held) for row in rows}
        groups.append({**group, "cells": {row: cell for row, cell in cells.items() if len(cell) == len(columns)}})
    return {**section, "groups": [group for group in groups if group["cells"]]}


def _cells(row: str, columns: list[str], at: str, document: Document, held: set[str]) -> dict[str, str]:
    """The group's copy of each cell; the cell itself where it reads nothing that differs in the group."""
    found = {}
    for column in columns:
        name = f"{row}.{column}"
        copied = any(f"{parent}@{at}" in held for parent in document.graph.parents.get(name, ()))
        if f"{name}@{at}" in held:
            found[column] = f"{name}@{at}"
        elif name in held and not copied:
            found[column] = name
    return found
