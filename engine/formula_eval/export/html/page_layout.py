"""reports/page.toml to what the page shows: its sections and controls, without what the document does not hold."""

from collections.abc import Mapping
from typing import Any

from formula_eval.export.document import Document
from formula_eval.export.html.operator_graph import drawn_structures, structure_section
from formula_eval.export.layout import PAGE, Section, check_section
from formula_eval.export.quantities import headline_nodes, headline_title

_NAMES = ("name", "whole", "within", "used", "holds", "bandwidth", "total", "input")
_MOST_CARDS = 24
_OPTIONAL = ("entries", "parts", "peaks", "groups", "rows", "nodes", "boxes")


def page_layout(document: Document) -> dict[str, Any]:
    """The layout of the last folder that has one, cut to what was asked for; raises FormulaError for an unknown kind.

    What only the checks need heads no page: it stands in the derivations and in the list of everything. A page that
    holds no card of the layout is headed by what was asked for.
    """
    file, layout = document.evaluator.library.last("reports/page.toml")
    held = set(document.graph.ancestors(list(document.wanted)))
    sections = []
    for written in layout.get("section", []):
        section = structure_section(written, document) if written.get("kind") == "structure" else written
        check_section(section, PAGE, file)
        cut = _cut(section, held)
        if cut is not None and all(cut.get(key, True) for key in PAGE[section["kind"]]):
            filled = _with_cells(cut, document)
            sections += [filled] if filled.get("groups", True) else []
    for section in sections:
        if section["kind"] == "structure":
            section["structures"] = drawn_structures(section, document)
    controls = [each for each in layout.get("control", []) if each["input"] in held]
    about = document.question.purpose
    if not any(section["kind"] == "cards" for section in sections):
        about, sections = "asked", [*_headline_cards(document), *sections]
    words = {"title": "", **layout, **layout.get(about, {})}
    texts = {key: str(words[key]) for key in ("title", "summary") if key in words}
    return {**layout, **texts, "section": sections, "control": controls}


def _headline_cards(document: Document) -> list[dict[str, Any]]:
    """Cards of what was asked for."""
    entries = [{"name": node.name, "title": headline_title(node)} for node in headline_nodes(document, _MOST_CARDS)]
    return [{"kind": "cards", "title": "What was asked for", "entries": entries}] if entries else []


def layout_names(layout: Mapping[str, Any]) -> list[str]:
    """Every quantity and input that a layout names."""
    found = []
    for value in layout.values():
        for each in value if isinstance(value, list) else ():
            if isinstance(each, dict):
                found += [str(each[key]) for key in _NAMES if key in each] + layout_names(each)
    return found


def _cut(part: Section, held: set[str]) -> dict[str, Any] | None:
    """The part without entries that name what is not there; None if it names such a thing itself."""
    if any(part[key] not in held for key in _NAMES if key in part):
        return None
    cut = dict(part)
    for key in _OPTIONAL:
        if isinstance(part.get(key), list):
            cut[key] = [inner for each in part[key] if (inner := _cut(each, held)) is not None]
    return cut


def _with_cells(section: dict[str, Any], document: Document) -> dict[str, Any]:
    """A section of a table with, for each group, the cells of each row that are all there."""
    if "table" not in section:
        groups = [{**group, "cells": {}} for group in section.get("groups", ())]
        return {**section, "groups": groups} if groups else section
    if section["table"] not in document.graph.tables:
        return section
    rows = document.graph.tables[section["table"]].rows
    columns = [section[key] for key in ("times", "time", "bound", "fixed", "flops", "bytes") if key in section]
    columns = list(dict.fromkeys([*columns, *section.get("columns", ())]))
    groups = []
    for group in section["groups"]:
        cells = {row: _cells(section["table"], row, columns, group["at"], document) for row in rows}
        groups.append({**group, "cells": {row: each for row, each in cells.items() if len(each) == len(columns)}})
    return {**section, "groups": [group for group in groups if group["cells"]]}


def _cells(table: str, row: str, columns: list[str], at: str, document: Document) -> dict[str, str]:
    """The group's copy of each cell; the cell itself where it reads nothing that differs in the group."""
    held = set(document.names)
    found = {}
    for column in columns:
        name = f"{table}.{row}.{column}"
        copied = any(f"{parent}@{at}" in held for parent in document.graph.parents.get(name, ()))
        if f"{name}@{at}" in held:
            found[column] = f"{name}@{at}"
        elif name in held and not copied:
            found[column] = name
    return found
