"""reports/sweep.toml to the columns of a sweep where nobody names quantities, and to the titles of columns."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.export import layout
from formula_eval.export.terminal.answer_layout import read_answer_layout
from formula_eval.library import Library
from formula_eval.records.schema import Schema

_FILE = "reports/sweep.toml"


def usual_columns(library: Library, purpose: str, schema: Schema) -> list[str]:
    """The quantities that a sweep computes where nobody names any; raises FormulaError for a file that is wrong."""
    shown, data = library.last(_FILE)
    if purpose in data:
        names = [each["name"] for each in _entries(data, purpose, shown)]
        return layout.known_quantities(names, schema, shown)
    sections = read_answer_layout(library, purpose).sections
    entries = [each for section in sections if section["kind"] == "values" for each in section["entries"]]
    found = [each["name"] for each in entries if "name" in each and each["name"] not in schema.inputs]
    return found or read_answer_layout(library, purpose).quantities(schema)


def column_titles(library: Library) -> Mapping[str, str]:
    """What heads the columns of a terminal, by quantity."""
    shown, data = library.last(_FILE)
    return {each["name"]: each["title"] for purpose in data for each in _entries(data, purpose, shown)}


def _entries(data: Mapping[str, Any], purpose: str, shown: str) -> Sequence[Mapping[str, Any]]:
    entries = data[purpose]
    if not isinstance(entries, list):
        raise refuse("bad-report", f"{shown}: `{purpose}` is not a list of columns")
    layout.check_tables(entries, layout.ENTRY, f"{shown}: one of `{purpose}`")
    return entries
