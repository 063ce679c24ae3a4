"""Finds what is wrong with the records of a library: keys, values, names of other records, and facts."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from formula_eval.check.facts import wrong_facts
from formula_eval.check.held_graph import HeldGraph
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import find_record, records_in
from formula_eval.records.record_links import record_named_at
from formula_eval.records.record_values import read_record
from formula_eval.records.schema import Schema


def record_findings(
    held: HeldGraph, folders: Iterable[Path], graph: FormulaGraph, chapters: Iterable[d.Chapter]
) -> Iterator[Diagnostic]:
    """Everything wrong with the records of these folders, and with the kinds that these chapters declare."""
    library, schema, _ = held
    for chapter in chapters:
        for each in chapter.declarations:
            if isinstance(each, d.RecordDeclaration) and each.name in schema.kinds:
                yield from _wrong_kind(each, schema, library)
    yield from _unknown_literals(graph, schema, library)
    sound: list[RecordFile] = []
    for folder in folders:
        for kind in schema.kinds.values():
            yield from _wrong_records(library, kind, folder, schema, sound)
    yield from wrong_facts(sound, held)


def _unknown_literals(graph: FormulaGraph, schema: Schema, library: Library) -> Iterator[Diagnostic]:
    """Find names in formulas that should be records but are not."""
    for name, each in schema.inputs.items():
        if each.fixed:
            try:
                find_record(library, schema, each.quantity.unit, each.fixed)
            except FormulaError as error:
                why = error.diagnostics[0]
                yield Diagnostic("unknown-record", why.message, (Label(graph.nodes[name].declaration.span),), why.help)


def _wrong_kind(declared: d.RecordDeclaration, schema: Schema, library: Library) -> Iterator[Diagnostic]:
    """Find a folder or file that is nowhere, and a default that is not a record."""
    label = (Label(declared.span),)
    if not any((folder / declared.path).exists() for folder in library.folders):
        message = f"There is no `{declared.path}` for records of the kind `{declared.name}`"
        what = "Make the folder, a TOML file in it for each record" if declared.path.endswith("/") else "Write the file"
        yield Diagnostic("no-records", message, label, f"{what}, beside formulas/.")
        return
    try:
        if declared.default:
            find_record(library, schema, declared.name, declared.default)
    except FormulaError as error:
        yield Diagnostic("unknown-record", error.diagnostics[0].message, label, error.diagnostics[0].help)


def _wrong_records(
    library: Library, kind: RecordKind, folder: Path, schema: Schema, sound: list[RecordFile]
) -> Iterator[Diagnostic]:
    """Find what is wrong with the values of records; adds those without errors to `sound`."""
    try:
        for record in records_in(library, kind, folder):
            try:
                supplied = read_record(record, schema)
                for linked, name in supplied.links.items():
                    record_named_at(supplied.origin, library, schema, linked, name)
                sound.append(record)
            except FormulaError as error:
                yield from error.diagnostics
    except FormulaError as error:
        yield from error.diagnostics
