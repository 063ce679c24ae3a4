"""A library to everything that is wrong with it: spelling, meaning, completeness, examples, records."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from formula_eval.cache import Cache
from formula_eval.check.examples import outcomes, run_examples, with_calls
from formula_eval.check.notes import completeness, notes_of_chapter
from formula_eval.check.slice import chosen_files, sliced
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, FormulaError, nearest, refuse
from formula_eval.core.namespace import qualified
from formula_eval.library import Library, find_library, read_text
from formula_eval.records.givens import RECORDS
from formula_eval.records.record_files import all_records, find_record, read_record
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


def soundness(path: str = "", libraries: tuple[str, ...] = (), cache: Cache | None = None, only: str = "") -> Soundness:
    """Everything that is wrong with our library, or with a folder or file beside it; raises FormulaError.

    With `only`, a glob of names, what is wrong with the chapters that hold such a name and with what they need.
    """
    file = Path(path) if path and not Path(path).is_dir() else None
    inside = file is not None and "formulas" in file.parent.parts
    folder = str(_root(file)) if file is not None and inside else path if file is None else ""
    library = find_library([*libraries, *([folder] if folder else [])])
    chapters, findings = read_chapters(library, cache or Cache(None))
    if file is not None:
        read_text(file, path)
        if not inside:
            chapter, found = read_file(file, path, "", library.units)
            chapters, findings = [*chapters, chapter], [*findings, *found]
    if only:
        return _soundness_of_part(library, chapters, findings, only)
    return _soundness(library, chapters, findings, beside=bool(path or libraries))


def _soundness_of_part(library: Library, chapters: list[d.Chapter], findings: list[Diagnostic], only: str) -> Soundness:
    """The findings of the chapters that hold a name, but for those that only the whole library can have."""
    files = chosen_files(chapters, only)
    if not files:
        known = [qualified(chapter.namespace, each.name) for chapter in chapters for each in chapter.declarations]
        help_ = nearest(only, known) or "`*` stands for any part of a name: `check --only 'memory.*'`."
        raise refuse("unknown-quantity", f"No formula is named `{only}`", help=help_)
    part = sliced(chapters, files, library.units)
    calls, cases = with_calls(chapter for chapter in part if chapter.file in files)
    resolved = resolve([*part, *calls], library.units)
    found = [*findings, *resolved.findings]
    for chapter in part:
        found += notes_of_chapter(chapter, resolved, library.citations) if chapter.file in files else ()
    if resolved.graph is not None and not findings:
        found += [each.finding for each in outcomes(cases, resolved.graph, library) if each.finding]
    return Soundness(tuple(sorted(found, key=_place)), _formulas(chapters, files), len(cases))


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
    return Soundness(tuple(sorted(found, key=_place)), _formulas(chapters, files), examples)


def _formulas(chapters: Iterable[d.Chapter], files: Collection[str]) -> int:
    """How many formulas and functions these files hold."""
    kinds = (d.FormulaDeclaration, d.FunctionDeclaration)
    looked_at = (each for chapter in chapters if chapter.file in files for each in chapter.declarations)
    return sum(isinstance(each, kinds) for each in looked_at)


def _place(finding: Diagnostic) -> tuple[str, int]:
    """Where a finding begins, so that findings stand in the order of the text; those of no place come last."""
    return (finding.labels[0].span.file, finding.labels[0].span.line) if finding.labels else ("\uffff", 0)


def _is_in(finding: Diagnostic, files: Collection[str]) -> bool:
    return any(label.span.file in files for label in finding.labels)


def _wrong_records(library: Library, supplier: str, schema: Schema) -> Iterator[Diagnostic]:
    try:
        for record in all_records(library, supplier):
            try:
                supplied = read_record(record, schema, library)
                for linked, name in supplied.links.items():
                    find_record(library, schema, linked, name)
            except FormulaError as error:
                yield from error.diagnostics
    except FormulaError as error:
        yield from error.diagnostics
