"""Finds unknown names in the tables of measured sources: quantities that are measured, inputs that points state."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from formula_eval.analyse.validate.sources import FOLDER, library_folder, read_sources
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.namespace import qualified
from formula_eval.library import Library
from formula_eval.records.input_names import input_named
from formula_eval.records.schema import Schema
from formula_eval.resolve.load import read_chapters
from formula_eval.toml_table import of_names


def source_findings(library: Library, schema: Schema) -> Iterator[Diagnostic]:
    """Yields findings, each in the table that states it; raises FormulaError for a bad form.

    Formulas that only measurements need stand in a folder of their own, so that its names are known here too.
    """
    read_sources(library)
    own = {qualified(each.namespace, declared.name) for each in _chapters(library) for declared in each.declarations}
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
                if name not in own:
                    yield from (each._replace(file=shown) for each in _unknown(name, f"{shown}: [{table}]", schema))


def _unknown(name: str, where: str, schema: Schema) -> Iterator[Diagnostic]:
    try:
        input_named(name, schema, where=where)
    except FormulaError as error:
        yield from (each._replace(subject=name) for each in error.diagnostics)


def _chapters(library: Library) -> list[Chapter]:
    """The chapters that only measurements need."""
    folder = Path(library_folder(library))
    return read_chapters(Library((folder,), library.title, library.answer), library.cache)[0]
