"""Checks the TOML tables of a library other than records: reports, presets and the like."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label, nearest, nearest_unit
from formula_eval.core.option_names import OPTIONS, option_of
from formula_eval.core.span import Span
from formula_eval.export.formats import FORMATS
from formula_eval.export.palette import PALETTE_FILE, colours_in
from formula_eval.export.terminal.help_text import switches
from formula_eval.library import Library
from formula_eval.records.record_values import DESCRIPTION
from formula_eval.records.roles import FILE as ROLES_FILE
from formula_eval.records.schema import Schema
from formula_eval.resolve.condition import Names, with_conditions
from formula_eval.resolve.resolved import Resolved
from formula_eval.text_files import read_text
from formula_eval.toml_shape import Lookup, Shape, Vocabulary
from formula_eval.toml_table import findings, of_names, quoted, table, table_of

_More = Callable[[Library, Schema], Iterable[object]]


class TableFile(NamedTuple):
    """The files of a library that match a glob, and the shape of their tables; `merged` if later ones add to earlier.

    `shape_at` names where the shape stands, `module:name`, and `more` what finds in all of them what a shape cannot
    express: neither is loaded for a library without such a file.
    """

    pattern: str
    shape_at: str
    merged: bool = True
    more: str = ""

    @property
    def shape(self) -> Shape:
        """The shape of their tables."""
        shape = _found(self.shape_at)
        return table_of(shape) if isinstance(shape, type) else cast("Shape", shape)


def _found(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(import_module(f"{__package__.partition('.')[0]}.{module}"), name)


_VALUES = table("*key:any")
PRESET = table("inputs?:values *kind:records", values=_VALUES, records=table("*:values", values=_VALUES))
TABLE_FILES = (
    TableFile(ROLES_FILE, "records.roles:Roles"),
    TableFile("reports/search/*.toml", "analyse.search.search_space:SearchSpace"),
    TableFile("reports/plan.toml", "ask.plan_layout:PLANS", more="ask.plan_layout:unknown_hours"),
    TableFile(
        "reports/compare.toml",
        "analyse.compare.published_tools:COMPARE",
        more="analyse.compare.published_tools:correspondences",
    ),
    TableFile("reports/answers/*.toml", "ask.answer_layout:ANSWER"),
    TableFile("reports/page.toml", "export.html.page_sections:PAGE"),
    TableFile("reports/page/scripts.toml", "export.html.assets:SCRIPTS"),
    TableFile("reports/site.toml", "export.static_site:SiteLayout"),
    TableFile("reports/structure.toml", "export.diagram.diagram_layout:DIAGRAM"),
    TableFile("reports/structure/*.toml", "export.diagram.diagram_layout:DIAGRAM"),
    TableFile("reports/workbook.toml", "ask.workbook.workbook_layout:WorkbookLayout"),
    TableFile("reports/situations.toml", "evaluate.situation:SITUATIONS"),
    TableFile("reports/lists.toml", "analyse.listing:RECORD_LISTS"),
    TableFile("reports/export.toml", "ask.export_lists:EXPORT_LISTS"),
    TableFile("reports/help.toml", "export.terminal.help_text:HELP"),
    TableFile("reports/closed_forms.toml", "export.paper.closed_forms:CLOSED_FORMS"),
    TableFile("reports/measure.toml", "export.measurement_files:MEASURE"),
    TableFile("reports/validate.toml", "export.accuracy.tables:AccuracyLayout"),
    TableFile("reports/palette.toml", "export.palette:PALETTE"),
    TableFile("reports/plot.toml", "export.plot.style:PLOT"),
    TableFile("reports/workbook/sheets.toml", "ask.workbook.workbook_layout:SHEETS"),
    TableFile("reports/workbook/readme.toml", "export.workbook.readme_sheet:README_SHEET"),
    TableFile(
        "presets/launch/*.toml",
        "launch.tables.program_reader:PROGRAM",
        merged=False,
        more="check.preset_tables:launch_findings",
    ),
    TableFile("presets/checkpoint_names.toml", "records.checkpoint_name:CHECKPOINT_NAMES"),
    TableFile(
        "presets/measured/sources/*.toml",
        "analyse.validate.sources:SOURCE",
        merged=False,
        more="check.preset_tables:source_findings",
    ),
    TableFile(
        "presets/measured/fit.toml",
        "analyse.validate.parameters:FITS",
        merged=False,
        more="analyse.validate.parameters:read_fits",
    ),
    TableFile("presets/measured/regimes.toml", "analyse.validate.intervals:REGIMES", merged=False),
    TableFile("presets/measured/evidence.toml", "analyse.evidence:EvidenceLayout"),
    TableFile(
        "presets/measured/peers.toml",
        "analyse.validate.other_tools:PEERS",
        merged=False,
        more="check.preset_tables:peer_findings",
    ),
    TableFile("*/checkpoints/*.toml", "records.checkpoint.checkpoint:CHECKPOINTS"),
    TableFile("formulas/**/preset.toml", "check.toml_tables:PRESET", merged=False),
    TableFile("*/families/*.toml", "records.huggingface.family:FAMILY", merged=False),
    TableFile("*/families/common/*.toml", "records.huggingface.family:FAMILY", merged=False),
    TableFile("*/towers/*.toml", "records.huggingface.family:FAMILY", merged=False),
)


def table_findings(
    library: Library, folders: Collection[Path], resolved: Resolved, schema: Schema
) -> Iterator[Diagnostic]:
    """Yields what is wrong with the tables of these folders, with its place where that is clear."""
    known = _vocabulary(library, resolved, schema)
    for kind in TABLE_FILES:
        files = {shown: (path, data) for shown, path, data in _said(kind, library, folders)}
        if not files:
            continue
        shape = kind.shape
        wrong = [finding for shown, (_, data) in files.items() for finding in findings(shape, data, shown, known)]
        wrong = wrong or _more(kind, library, schema)
        for diagnostic in wrong:
            if not diagnostic.file:
                yield diagnostic
            elif diagnostic.file in files:
                yield _placed(diagnostic, files[diagnostic.file][0])


def _more(kind: TableFile, library: Library, schema: Schema) -> list[Diagnostic]:
    """What the readers of a kind of files find wrong with them, files of other folders included."""
    try:
        found = cast("_More", _found(kind.more))(library, schema) if kind.more else ()
        return [diagnostic for diagnostic in found if isinstance(diagnostic, Diagnostic)]
    except FormulaError as error:
        return list(error.diagnostics)


def _said(
    kind: TableFile, library: Library, folders: Collection[Path]
) -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """Yields the name of each file in messages, its path and its contents; of files that merge, the last one."""
    paths = {path: folder for folder, path in library.files(kind.pattern) if folder in folders}
    for path, folder in paths.items():
        shown, inside = library.shown(folder, path), path.relative_to(folder).as_posix()
        name, data = library.last(inside) if kind.merged else (shown, library.toml(path, shown))
        if name == shown:
            yield shown, path, data


def _vocabulary(library: Library, resolved: Resolved, schema: Schema) -> Vocabulary:
    """The names that a table may use, including those that need the parser."""
    quantities = [*schema.formulas, *schema.inputs]
    looked_up = schema.vocabulary["quantity"]

    def glob(text: str) -> tuple[str, str] | None:
        if "*" not in text:
            return looked_up(text)
        found = any(fnmatchcase(quantity, text) for quantity in quantities)
        return (
            None
            if found
            else (
                f"no quantity fits `{text}`",
                nearest(text.rstrip("*."), (quantity.rpartition(".")[0] for quantity in quantities)),
            )
        )

    def quoting(text: str) -> tuple[str, str] | None:
        return next((wrong for name in quoted(text) if (wrong := looked_up(name))), None)

    def condition(text: str) -> tuple[str, str] | None:
        try:
            with_conditions(resolved, [text], library, Names(units=schema.units))
        except FormulaError as error:
            return error.diagnostics[0].message, error.diagnostics[0].help
        return None

    def unit(text: str) -> tuple[str, str] | None:
        known = not text or schema.units.explains(text)
        return None if known else (f"`{text}` is not a unit", nearest_unit(text, schema.units.units))

    words = [*schema.inputs, *(name for kind in schema.kinds.values() for name in (kind.name, kind.word))]
    keys = [*DESCRIPTION, *words, *(each.rpartition(".")[2] for each in schema.inputs)]
    purposes = library.last_or_ours(ROLES_FILE)[1].get("job", ())
    more: dict[str, Lookup] = {"glob": glob, "quoting": quoting, "condition": condition, "unit": unit}
    return {
        **schema.vocabulary,
        **more,
        "column": of_names(
            {column for shape in schema.tables.values() for column in shape.columns}, "column of a table"
        ),
        "record": of_names(
            [*schema.kinds, *(input_schema.record for input_schema in schema.inputs.values())], "kind of records"
        ),
        "kind": of_names(schema.kinds, "kind of records"),
        "list": of_names([title for kind in schema.kinds.values() for title in kind.titles()], "list of records"),
        "key": of_names(keys, "key of a record"),
        "option": switches([option_of(option) for option in (*OPTIONS, *purposes, *words)]),
        "format": of_names([*FORMATS, "others"], "kind of document"),
        "colour": colours_in(library.last_or_ours(PALETTE_FILE)[1]),
    }


def _placed(finding: Diagnostic, path: Path) -> Diagnostic:
    """The finding with its place, if its subject occurs exactly once in the file."""
    if not finding.subject:
        return finding
    shown = finding.file
    lines = read_text(path, shown).split("\n")
    word = re.compile(rf"(?<![\w.]){re.escape(finding.subject)}(?![\w.])")
    found = [(number, mark) for number, line in enumerate(lines, 1) for mark in word.finditer(line)]
    if len(found) != 1:
        return finding
    number, mark = found[0]
    place = Label(Span(shown, number, mark.start() + 1, number, mark.end() + 1))
    return finding._replace(message=finding.message.removeprefix(f"{shown}: "), labels=(place,))
