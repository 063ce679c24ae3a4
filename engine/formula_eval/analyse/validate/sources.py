"""Finds the tables that say how a source's points are read, merges what they extend, and matches them to points."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from formula_eval.analyse.validate.points import Point
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library
from formula_eval.records.record import NOTHING
from formula_eval.toml_shape import Shape, Vocabulary
from formula_eval.toml_table import check_table, table

FOLDER = "presets/measured"
_TABLES = ("words", "let", "described", "records", "inputs", "assumed", "search", "metrics", "units", "skip", "layout")
SOURCE = table(
    "name? sources?:[text] publisher? kinds?:[text] extends?:text|[text] source? date? note? "
    + " ".join(f"{name}?:any_table" for name in _TABLES),
    any_table=table("*:any"),
)


class SourceTable(NamedTuple):
    """Describes how the points of one source map to our inputs, and what their measurements mean."""

    id: str  # the name of its file, without the ending
    shown: str  # the path of its file, for messages
    name: str  # of the source, in reports
    sources: tuple[str, ...]  # globs of the sources read; empty for any
    kinds: tuple[str, ...]  # of points read; empty for all of the sources
    tables: Mapping[str, Any]  # its sections by name, extended ones merged in
    publisher: str = ""  # who printed it; left out of fits together

    def table(self, name: str) -> Mapping[str, Any]:
        """One of its tables; empty if it has none."""
        found: Mapping[str, Any] = self.tables.get(name, {})
        return found


def measured_tables(
    library: Library, file: str, shape: Shape, known: Vocabulary = NOTHING
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields what messages call each file of this name, and what it says; raises FormulaError for a mistake in it."""
    for folder, path in library.files(f"{FOLDER}/{file}"):
        shown = library.shown(folder, path)
        data = library.toml(path, shown)
        check_table(shape, data, shown, known)
        yield shown, data


def read_sources(library: Library) -> list[SourceTable]:
    """Reads all source tables of a library; raises FormulaError for a mistake in one of them."""
    files = {
        path.stem: (library.shown(folder, path), library.toml(path, library.shown(folder, path)))
        for folder, path in library.files(f"{FOLDER}/sources/*.toml")
    }
    found = [_table(name, shown, data, files) for name, (shown, data) in files.items()]
    return [each for each in found if each.sources or each.kinds]


def source_of(point: Point, tables: Sequence[SourceTable]) -> SourceTable | None:
    """The table that applies to a point: that of its source with the longest pattern, else that of its kind."""
    matches = [
        (len(pattern), each)
        for each in tables
        for pattern in each.sources
        if fnmatchcase(point.source, pattern) and point.kind in (each.kinds or (point.kind,))
    ]
    if matches:
        return max(matches, key=lambda match: match[0])[1]
    return next((each for each in tables if not each.sources and point.kind in each.kinds), None)


def library_folder(library: Library) -> str:
    """The folder of formulas that only measurements need: single kernels, and figures as sources define them."""
    return str(library.folders[0] / FOLDER / "library")


def _table(
    name: str, shown: str, data: Mapping[str, Any], files: Mapping[str, tuple[str, Mapping[str, Any]]]
) -> SourceTable:
    check_table(SOURCE, data, shown, {})
    merged = _extended(name, files, ())
    return SourceTable(
        name,
        shown,
        str(data.get("name", name)),
        tuple(map(str, data.get("sources", ()))),
        tuple(map(str, merged.get("kinds", ()))) if data.get("sources") else tuple(map(str, data.get("kinds", ()))),
        {key: merged[key] for key in _TABLES if key in merged},
        str(merged.get("publisher", data.get("name", name))),
    )


def _extended(
    name: str, files: Mapping[str, tuple[str, Mapping[str, Any]]], seen: tuple[str, ...]
) -> Mapping[str, Any]:
    shown, data = files[name]
    merged: Mapping[str, Any] = data
    said = data.get("extends", ())
    for base in [said] if isinstance(said, str) else said:
        if base not in files:
            raise refuse("unknown-record", f"{shown}: there is no `{base}` to extend", help=nearest(base, files))
        if base in (*seen, name):
            raise refuse("bad-value", f"{shown}: `extends` runs in a circle: {' -> '.join((*seen, name, base))}")
        merged = _over(merged, _extended(base, files, (*seen, name)))
    return merged


def _over(upper: Mapping[str, Any], lower: Mapping[str, Any]) -> Mapping[str, Any]:
    """Merges two tables; entries of the upper one come first and win."""
    merged = dict(upper)
    for key, value in lower.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _over(merged[key], value)
        else:
            merged.setdefault(key, value)
    return merged
