"""Finds what launch tables and tables of measured sources name that is not there, and values that no input takes."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from formula_eval.analyse.validate.other_tools import Peer, peers
from formula_eval.analyse.validate.sources import FOLDER, library_folder, read_sources
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic, FormulaError, nearest
from formula_eval.core.namespace import qualified
from formula_eval.launch.tables.launch_program import LaunchProgram, Option
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.library import Library
from formula_eval.records.input_names import input_named
from formula_eval.records.record_links import record_named_at
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema
from formula_eval.records.values import read_value
from formula_eval.resolve.load import read_chapters
from formula_eval.toml_table import of_names


def launch_findings(library: Library, schema: Schema) -> Iterator[Diagnostic]:
    """Yields findings, each in the table that states it, not in extensions; raises FormulaError for a bad form."""
    programs, engines = programs_of(library), roles_of(library).engine
    for program in programs.values():
        base = programs.get(program.extends)
        inherited = base.options if base else {}
        own = [(name, option) for name, option in program.options.items() if option != inherited.get(name)]
        places = ((f"{program.shown} [options.{name}]", option) for name, option in own)
        found = [one for where, option in places for one in _of_option(option, where, library, schema)]
        found += _of_program(program, base, library, schema)
        if program.engine and (base is None or program.engine != base.engine):
            found += _wrong(engines, program.engine, program.shown, library, schema)
        yield from (diagnostic._replace(file=program.shown) for diagnostic in found)


def _of_option(option: Option, where: str, library: Library, schema: Schema) -> Iterator[Diagnostic]:
    if option.input:
        yield from _unknown(option.input, where, schema)
    for meant in option.words.values():
        pairs = meant.items() if isinstance(meant, Mapping) else [(option.input, meant)]
        for name, value in pairs:
            yield from _wrong(name, value, where, library, schema)


def _of_program(
    program: LaunchProgram, base: LaunchProgram | None, library: Library, schema: Schema
) -> Iterator[Diagnostic]:
    for derived in program.derived:
        if base is None or derived not in base.derived:
            yield from _unknown(derived.input, f"{program.shown} [derived]", schema)
    for option, rule in program.written.items():
        if base is None or rule != base.written.get(option):
            names = (name for name in rule.sources if name not in schema.formulas)
            yield from (
                diagnostic for name in names for diagnostic in _unknown(name, f"{program.shown} [written]", schema)
            )
    for name, value in program.usual.items():
        if base is None or base.usual.get(name) != value:
            yield from _wrong(name, value, f"{program.shown} [usual]", library, schema)


def _unknown(name: str, where: str, schema: Schema) -> Iterator[Diagnostic]:
    """Reports a name that is neither an input nor a kind of records, by full or short name."""
    if schema.input_name(name) is None and schema.kind_named(name) is None and name not in _records(schema):
        help_ = nearest(name, [*schema.inputs, *_records(schema)])
        yield Diagnostic("unknown-input", f"{where}: `{name}` is not an input", (), help_, name)


def _wrong(name: str, value: object, where: str, library: Library, schema: Schema) -> Iterator[Diagnostic]:
    """Reports an unknown name, an unfit value, or an unknown record."""
    if any(unknown := list(_unknown(name, where, schema))):
        yield from unknown
        return
    try:
        if name in schema.inputs:
            read_value(value, schema.inputs[name], schema.units, where)
        elif name in schema.kinds:
            record_named_at(where, library, schema, name, str(value))
    except FormulaError as error:
        yield error.diagnostics[0]._replace(subject=str(value))


def _records(schema: Schema) -> list[str]:
    return [
        *schema.kinds,
        *dict.fromkeys(input_schema.record for input_schema in schema.inputs.values() if input_schema.record),
    ]


def source_findings(library: Library, schema: Schema) -> Iterator[Diagnostic]:
    """Yields findings, each in the table that states it; raises FormulaError for a bad form.

    Formulas that only measurements need stand in a folder of their own, so that its names are known here too.
    """
    read_sources(library)
    own = {
        qualified(chapter.namespace, declared.name)
        for chapter in _chapters(library)
        for declared in chapter.declarations
    }
    quantity = of_names({*schema.formulas, *schema.inputs, *own}, "quantity")
    for folder, path in library.files(f"{FOLDER}/sources/*.toml"):
        shown = library.shown(folder, path)
        data = library.toml(path, shown)
        for said in data.get("metrics", {}).values():
            name = str(said.get("quantity", "") if isinstance(said, Mapping) else said)
            if name and (wrong := quantity(name)):
                yield Diagnostic("unknown-quantity", f"{shown}: [metrics]: {wrong[0]}", (), wrong[1], name, shown)
        for table in ("inputs", "assumed"):
            for name in data.get(table, {}):
                try:
                    if name not in own:
                        input_named(name, schema, where=f"{shown}: [{table}]")
                except FormulaError as error:
                    yield from (diagnostic._replace(subject=name, file=shown) for diagnostic in error.diagnostics)


def _chapters(library: Library) -> list[Chapter]:
    """The chapters that only measurements need."""
    folder = Path(library_folder(library))
    return read_chapters(Library((folder,), library.title, library.answer), library.cache)[0]


def peer_findings(library: Library, _: Schema) -> list[Peer]:
    """The published errors of other tools, read for no rows; raises FormulaError for a mistake in their file."""
    return peers(library, ())
