"""A library to everything that is wrong with it: spelling, meaning, completeness, examples, records."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from formula_eval.check.examples import run_examples
from formula_eval.check.notes import completeness
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.library import Library, find_library, read_text
from formula_eval.records.givens import RECORDS
from formula_eval.records.record_files import all_records, read_record
from formula_eval.records.schema import Schema
from formula_eval.records.schema_of_graph import schema_of
from formula_eval.resolve.load import read_chapters, read_file
from formula_eval.resolve.passes import resolve


@dataclass(frozen=True, slots=True)
class Soundness:
    """The findings, and how much was looked at."""

    findings: tuple[Diagnostic, ...]
    formulas: int
    examples: int


def soundness(path: str = "", libraries: tuple[str, ...] = ()) -> Soundness:
    """Everything that is wrong with our library, or with a folder or file beside it; raises FormulaError."""
    file = Path(path) if path and not Path(path).is_dir() else None
    inside = file is not None and "formulas" in file.parent.parts
    folder = str(_root(file)) if file is not None and inside else path if file is None else ""
    library = find_library([*libraries, *([folder] if folder else [])])
    chapters, findings = read_chapters(library)
    if file is not None:
        read_text(file, path)
        if not inside:
            chapter, found = read_file(file, path, "", library.units)
            chapters, findings = [*chapters, chapter], [*findings, *found]
    return _soundness(library, chapters, findings, beside=bool(path or libraries))


def _root(file: Path) -> Path:
    """The library folder that a chapter stands in."""
    parts = file.parent.parts
    last = len(parts) - 1 - parts[::-1].index("formulas")
    return Path(*parts[:last]) if last else Path()


def _soundness(library: Library, chapters: list[d.Chapter], findings: list[Diagnostic], *, beside: bool) -> Soundness:
    """The findings of all chapters, or only of those that stand beside our own."""
    ours = {library.shown(library.folders[0], path) for path in library.folders[0].glob("formulas/**/*.formula")}
    files = {chapter.file for chapter in chapters if not beside or chapter.file not in ours}
    resolved = resolve(chapters, library.units)
    found = [*findings, *resolved.findings]
    examples = 0
    found += [each for each in completeness(resolved, chapters, library.citations) if not beside or _is_in(each, files)]
    if resolved.graph is not None and not findings:
        for outcome in run_examples(chapters, resolved, library, files):
            examples += 1
            found += [outcome.finding] if outcome.finding else []
        schema = schema_of(resolved.graph)
        found += [finding for each in RECORDS for finding in _wrong_records(library, each, schema)]
    kinds = (d.FormulaDeclaration, d.FunctionDeclaration)
    looked_at = (each for chapter in chapters if chapter.file in files for each in chapter.declarations)
    found.sort(key=_place)
    return Soundness(tuple(found), sum(isinstance(each, kinds) for each in looked_at), examples)


def _place(finding: Diagnostic) -> tuple[str, int]:
    """Where a finding begins, so that findings stand in the order of the text; those of no place come last."""
    return (finding.labels[0].span.file, finding.labels[0].span.line) if finding.labels else ("\uffff", 0)


def _is_in(finding: Diagnostic, files: Collection[str]) -> bool:
    return any(label.span.file in files for label in finding.labels)


def _wrong_records(library: Library, supplier: str, schema: Schema) -> Iterator[Diagnostic]:
    try:
        for record in all_records(library, supplier):
            try:
                read_record(record, schema, library)
            except FormulaError as error:
                yield from error.diagnostics
    except FormulaError as error:
        yield from error.diagnostics
