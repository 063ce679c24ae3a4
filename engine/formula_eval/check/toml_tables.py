"""Checks the TOML tables of a library other than records: reports, presets and the like."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.analyse.compare.published_tools import COMPARE, correspondences
from formula_eval.analyse.evidence import LAYOUT as EVIDENCE_LAYOUT, EvidenceLayout
from formula_eval.analyse.listing import RECORD_LISTS
from formula_eval.analyse.search.search_space import SearchSpace
from formula_eval.analyse.validate.intervals import REGIMES
from formula_eval.analyse.validate.other_tools import PEERS, peers
from formula_eval.analyse.validate.parameters import FITS, read_fits
from formula_eval.analyse.validate.sources import SOURCE
from formula_eval.ask.answer_layout import ANSWER
from formula_eval.ask.export_lists import EXPORT_LISTS
from formula_eval.ask.plan_layout import PLANS, unknown_hours
from formula_eval.ask.workbook.workbook_layout import SHEETS, WorkbookLayout
from formula_eval.check.preset_tables import launch_findings, source_findings
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label, nearest, nearest_unit
from formula_eval.core.option_names import OPTIONS, option_of
from formula_eval.core.span import Span
from formula_eval.evaluate.situation import SITUATIONS
from formula_eval.export.accuracy.tables import AccuracyLayout
from formula_eval.export.diagram.diagram_layout import DIAGRAM
from formula_eval.export.formats import FORMATS
from formula_eval.export.html.assets import SCRIPTS, SCRIPTS_FILE
from formula_eval.export.html.page_sections import PAGE
from formula_eval.export.measurement_files import MEASURE
from formula_eval.export.palette import PALETTE, PALETTE_FILE, colours_in
from formula_eval.export.paper.closed_forms import CLOSED_FORMS
from formula_eval.export.plot.style import PLOT
from formula_eval.export.static_site import FILE as SITE_FILE, SiteLayout
from formula_eval.export.terminal.help_text import HELP, switches
from formula_eval.export.workbook.readme_sheet import README_SHEET
from formula_eval.launch.tables.program_reader import PROGRAM
from formula_eval.library import Library
from formula_eval.records.checkpoint.checkpoint import CHECKPOINTS
from formula_eval.records.checkpoint_name import CHECKPOINT_NAMES
from formula_eval.records.huggingface.family import FAMILY
from formula_eval.records.record_values import DESCRIPTION
from formula_eval.records.roles import FILE as ROLES_FILE, Roles
from formula_eval.records.schema import Schema
from formula_eval.resolve.condition import Names, with_conditions
from formula_eval.resolve.resolved import Resolved
from formula_eval.text_files import read_text
from formula_eval.toml_shape import Lookup, Shape, Vocabulary
from formula_eval.toml_table import findings, of_names, quoted, table, table_of


class TableFile(NamedTuple):
    """The files of a library that match a glob, and the shape of their tables; `merged` if later ones add to earlier.

    `more` finds in all of them what a shape cannot express.
    """

    pattern: str
    shape: Shape
    merged: bool = True
    more: Callable[[Library, Schema], Iterable[object]] | None = None


_VALUES = table("*key:any")
_PRESET = table("inputs?:values *kind:records", values=_VALUES, records=table("*:values", values=_VALUES))
TABLE_FILES = (
    TableFile(ROLES_FILE, table_of(Roles)),
    TableFile("reports/search/*.toml", table_of(SearchSpace)),
    TableFile("reports/plan.toml", PLANS, more=unknown_hours),
    TableFile("reports/compare.toml", COMPARE, more=correspondences),
    TableFile("reports/answers/*.toml", ANSWER),
    TableFile("reports/page.toml", PAGE),
    TableFile(SCRIPTS_FILE, SCRIPTS),
    TableFile(SITE_FILE, table_of(SiteLayout)),
    TableFile("reports/structure.toml", DIAGRAM),
    TableFile("reports/structure/*.toml", DIAGRAM),
    TableFile("reports/workbook.toml", table_of(WorkbookLayout)),
    TableFile("reports/situations.toml", SITUATIONS),
    TableFile("reports/lists.toml", RECORD_LISTS),
    TableFile("reports/export.toml", EXPORT_LISTS),
    TableFile("reports/help.toml", HELP),
    TableFile("reports/closed_forms.toml", CLOSED_FORMS),
    TableFile("reports/measure.toml", MEASURE),
    TableFile("reports/validate.toml", table_of(AccuracyLayout)),
    TableFile("reports/palette.toml", PALETTE),
    TableFile("reports/plot.toml", PLOT),
    TableFile("reports/workbook/sheets.toml", SHEETS),
    TableFile("reports/workbook/readme.toml", README_SHEET),
    TableFile("presets/launch/*.toml", PROGRAM, merged=False, more=launch_findings),
    TableFile("presets/checkpoint_names.toml", CHECKPOINT_NAMES),
    TableFile("presets/measured/sources/*.toml", SOURCE, merged=False, more=source_findings),
    TableFile("presets/measured/fit.toml", FITS, merged=False, more=read_fits),
    TableFile("presets/measured/regimes.toml", REGIMES, merged=False),
    TableFile(EVIDENCE_LAYOUT, table_of(EvidenceLayout)),
    TableFile("presets/measured/peers.toml", PEERS, merged=False, more=lambda library, _: peers(library, ())),
    TableFile("*/checkpoints/*.toml", CHECKPOINTS),
    TableFile("formulas/**/preset.toml", _PRESET, merged=False),
    TableFile("*/families/*.toml", FAMILY, merged=False),
    TableFile("*/families/common/*.toml", FAMILY, merged=False),
    TableFile("*/towers/*.toml", FAMILY, merged=False),
)


def table_findings(
    library: Library, folders: Collection[Path], resolved: Resolved, schema: Schema
) -> Iterator[Diagnostic]:
    """Yields what is wrong with the tables of these folders, with its place where that is clear."""
    known = _vocabulary(library, resolved, schema)
    for kind in TABLE_FILES:
        files = {shown: (path, data) for shown, path, data in _said(kind, library, folders)}
        wrong = [finding for shown, (_, data) in files.items() for finding in findings(kind.shape, data, shown, known)]
        wrong = wrong or (_more(kind, library, schema) if files else [])
        for diagnostic in wrong:
            if not diagnostic.file:
                yield diagnostic
            elif diagnostic.file in files:
                yield _placed(diagnostic, files[diagnostic.file][0])


def _more(kind: TableFile, library: Library, schema: Schema) -> list[Diagnostic]:
    """What the readers of a kind of files find wrong with them, files of other folders included."""
    try:
        found = kind.more(library, schema) if kind.more else ()
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
