"""Checks a whole library: spelling, meaning, completeness, examples, records."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from formula_eval.cache import Cache
from formula_eval.check.chapter_check import Faults, findings_of_part, outcomes_of, part_of
from formula_eval.check.dependencies import Layer, chosen_files, layers
from formula_eval.check.examples import OF_A_RECORD, ExampleOutcome
from formula_eval.check.held_graph import HeldGraph, held_of, kept_of
from formula_eval.check.notes import completeness
from formula_eval.check.record_findings import record_findings
from formula_eval.check.rewording import found_unless_reworded
from formula_eval.check.soundness import Accepted, Soundness
from formula_eval.check.toml_tables import table_findings
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, FormulaError, nearest, refuse
from formula_eval.core.namespace import qualified
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.kept_results import kept_result
from formula_eval.libraries import find_library
from formula_eval.library import OURS, PARTS, Library
from formula_eval.records.schema import Schema
from formula_eval.records.synonyms import FILE, misnamed, synonyms_in
from formula_eval.resolve.load import read_chapters, read_file, read_own_chapters, resolve_chapters
from formula_eval.resolve.resolved import Resolved
from formula_eval.text_files import read_text

_UNSTATED = "?"


def soundness(path: str = "", libraries: tuple[str, ...] = (), cache: Cache | None = None, only: str = "") -> Soundness:
    """Checks our library, or a folder or file beside it; raises FormulaError.

    With `only`, a glob of names, checks the chapters that hold such a name, with what they need.
    """
    file = Path(path) if path and not Path(path).is_dir() else None
    around = file.parents if file is not None else ()
    root = next((each.parent for each in around if each.name == "formulas"), None)
    folder = str(root) if root is not None else path if file is None else ""
    cache = cache or Cache(None)
    library = find_library([*libraries, *([folder] if folder else [])]).keeping(cache).holding()
    if folder and not any((Path(folder) / part).exists() for part in PARTS):
        help_ = "A library is a folder with formulas/, models/ or hardware.toml."
        raise refuse("no-library", f"`{folder}` holds nothing to check", help=help_)
    if folder and not library.is_alone:
        _refuse_copy(Path(folder))
    if file is not None:
        read_text(file, path)

    def check() -> Soundness:
        beside = bool(path or libraries)
        return _soundness_of(path, library, cache, only, file=file if root is None else None, beside=beside)

    more = [] if file is None else [file]
    return kept_result(library, cache, Soundness, (path, libraries, only), check, more=more)


def _soundness_of(  # noqa: PLR0913 - what is asked, apart
    path: str, library: Library, cache: Cache, only: str, *, file: Path | None, beside: bool
) -> Soundness:
    """Checks a library, and a chapter that stands outside of its formulas if there is one."""
    is_whole = file is None and not only
    chapters, findings = (read_own_chapters if beside and is_whole else read_chapters)(library, cache)
    if file is not None:
        chapter, found = read_file(file, path, "", library)
        chapters, findings = [*chapters, chapter], [*findings, *found]
    if only:
        return _soundness_of_part(library, chapters, findings, only)

    def find() -> Soundness:
        return _soundness(library, chapters, findings, beside=beside, is_whole=is_whole)

    known = beside and is_whole and not findings
    return found_unless_reworded(library, cache, chapters, find) if known else find()


def _refuse_copy(folder: Path) -> None:
    """Refuse a folder that holds most of our own chapters, each of which would be declared twice."""
    chapters = [path.relative_to(OURS) for path in OURS.glob("formulas/**/*.formula")]
    if 2 * sum((folder / chapter).is_file() for chapter in chapters) > len(chapters):
        message = f"`{folder}` is a copy of the built-in library, which is checked by its own engine"
        help_ = f"Run `PYTHONPATH={folder}/engine python -m formula_eval check`."
        raise refuse("library-copy", message, help=help_)


def _soundness_of_part(library: Library, chapters: list[d.Chapter], findings: list[Diagnostic], only: str) -> Soundness:
    """Checks the chapters that hold a name, without findings that only the whole library can have."""
    files = chosen_files(chapters, only)
    if not files:
        known = [
            qualified(chapter.namespace, declaration.name)
            for chapter in chapters
            for declaration in chapter.declarations
        ]
        help_ = nearest(only, known) or "`*` stands for any part of a name: `check --only 'memory.*'`."
        raise refuse("unknown-quantity", f"No formula is named `{only}`", help=help_)
    found, examples = [*findings], []
    for layer in layers(library, chapters):
        inside = files & layer.files
        if inside:
            wrong, ran = findings_of_part(part_of(layer.chapters, inside, library), findings, library)
            found += wrong
            examples += ran
    return _result(found, _formulas(chapters, files), examples, library)


def _soundness(
    library: Library, chapters: list[d.Chapter], findings: list[Diagnostic], *, beside: bool, is_whole: bool
) -> Soundness:
    """Checks all chapters, or only those that stand beside our own, which then need not be among them.

    `is_whole` if they are those of the library.
    """
    ours = {library.shown(OURS, path) for path in OURS.glob("formulas/**/*.formula")}
    files = {chapter.file for chapter in chapters if not beside or chapter.file not in ours}
    evaluator = Evaluator(library, library.cache) if is_whole and not findings else None
    if evaluator is None and beside and is_whole:
        chapters, findings = read_chapters(library, library.cache)
    resolved = resolve_chapters(chapters, library) if evaluator is None else evaluator.resolved
    held: Library | HeldGraph = library
    if resolved.graph is not None and not findings:
        held = kept_of(evaluator) if evaluator is not None else held_of(resolved.graph, library)
    wrong = [*findings, *resolved.findings]
    noted = completeness(resolved, chapters, files, library.citations)
    noted = [
        diagnostic for diagnostic in noted if not beside or any(label.span.file in files for label in diagnostic.labels)
    ]
    examples: list[ExampleOutcome] = []
    stated: list[Diagnostic] = []
    faults = Faults(findings, noted)
    is_split = sum(bool(files & each.files) for each in layers(library, chapters)) > 1
    if evaluator is not None and beside and (is_split or resolved.graph is None or faults.examples):
        chapters, findings = read_chapters(library, library.cache)
    for layer in layers(library, chapters):
        inside = files & layer.files
        folders = [folder for folder in layer.folders if not beside or folder != OURS]
        if not inside and not folders:
            continue
        is_all = len(layer.chapters) == len(chapters)
        below, under = (resolved, held) if is_all else _held_below(layer, library, is_sound=not findings)
        examples += outcomes_of(layer.chapters, below, faults, under, inside)
        if below.graph is not None and isinstance(under, HeldGraph) and not findings:
            looked_at = [chapter for chapter in chapters if chapter.file in inside]
            stated += record_findings(under, folders, below.graph, looked_at)
            if is_all:
                stated += _misnamed_synonyms(library, under.schema)
                stated += table_findings(
                    library,
                    [folder for folder in library.folders if not beside or folder != OURS],
                    resolved,
                    under.schema,
                )
    failed = [example.finding for example in examples if example.finding]
    following = [diagnostic for diagnostic in failed if stated and diagnostic.code == OF_A_RECORD]
    stated = [
        diagnostic._replace(following=len(following)) if diagnostic is stated[0] else diagnostic
        for diagnostic in stated
    ]
    found = [*wrong, *noted, *(diagnostic for diagnostic in failed if diagnostic not in following), *stated]
    order = (change for change in resolved.scope.changes.values() if change.onto)
    remarks = tuple(
        f"`{change.target}` {change.text}; another order of the libraries gives another value." for change in order
    )
    return replace(_result(found, _formulas(chapters, files), examples, library), remarks=remarks)


def _held_below(layer: Layer, library: Library, *, is_sound: bool) -> tuple[Resolved, Library | HeldGraph]:
    """What the libraries up to a layer resolve to, and what holds it: where nothing is misspelled, as it is kept."""
    below = library.until(layer.folders[-1])
    if is_sound:
        evaluator = Evaluator(below, library.cache)
        return evaluator.resolved, below if evaluator.resolved.graph is None else kept_of(evaluator)
    resolved = resolve_chapters(layer.chapters, below)
    return resolved, below if resolved.graph is None else held_of(resolved.graph, below)


def _misnamed_synonyms(library: Library, schema: Schema) -> Iterator[Diagnostic]:
    words = {word for input_schema in schema.inputs.values() for word in input_schema.quantity.words}
    try:
        synonyms = synonyms_in(library.synonyms, FILE)
    except FormulaError as error:
        yield from error.diagnostics
    else:
        known = {
            "inputs": schema.inputs,
            "records": schema.kinds,
            "tunings": schema.kinds,
            "variants": schema.kinds,
            "words": words,
        }
        units = [*library.units.units, *filter(library.units.explains, synonyms.units.values())]
        yield from misnamed(synonyms, known | {"quantities": schema.formulas, "units": units})


def _result(
    found: Iterable[Diagnostic], formulas: int, examples: Sequence[ExampleOutcome], library: Library
) -> Soundness:
    return Soundness(tuple(sorted(found, key=_place)), formulas, len(examples), _accepted(examples, library))


def _accepted(outcomes: Iterable[ExampleOutcome], library: Library) -> Accepted:
    """The texts and messages to write, in the order of the source."""
    paths = {library.shown(folder, path): path for folder, path in library.files("formulas/**/*.formula")}
    texts: dict[Path, str] = {}
    lines: list[str] = []
    for outcome in outcomes:
        if outcome.result not in ("", _UNSTATED):
            file = outcome.span.file
            path = paths.get(file, Path(file))
            texts[path] = _filled(texts[path] if path in texts else read_text(path, file), outcome)
            lines.append(f"{outcome.span.place}: the example of `{outcome.name}` now states {outcome.result}")
    return Accepted(texts, tuple(lines))


def _filled(text: str, outcome: ExampleOutcome) -> str:
    """Replaces the `?`, the last character of its example, and keeps all line ends."""
    lines = text.splitlines(keepends=True)
    number, column = outcome.span.end_line - 1, outcome.span.end_column - 2
    line = lines[number]
    if line[column] == _UNSTATED:
        lines[number] = f"{line[:column]}{outcome.result}{line[column + 1 :]}"
    return "".join(lines)


def _formulas(chapters: Iterable[d.Chapter], files: Collection[str]) -> int:
    """How many formulas and functions these files hold."""
    kinds = (d.FormulaDeclaration, d.FunctionDeclaration)
    looked_at = (declaration for chapter in chapters if chapter.file in files for declaration in chapter.declarations)
    return sum(isinstance(declaration, kinds) for declaration in looked_at)


def _place(finding: Diagnostic) -> tuple[bool, str, int]:
    """The sort key that puts findings in the order of the source; those without a place come last.

    Unused names come after all else, since other errors may be the reason.
    """
    place = (finding.labels[0].span.file, finding.labels[0].span.line) if finding.labels else ("\uffff", 0)
    return finding.code == "unused", *place
