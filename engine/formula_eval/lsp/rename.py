"""Computes the edits that rename something in every file, or tells why it cannot bear the new name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from formula_eval.core.diagnostic import Diagnostic, FormulaError, refuse
from formula_eval.core.span import Span
from formula_eval.language.keywords import language_words
from formula_eval.lsp.snapshot import Snapshot
from formula_eval.lsp.symbol_at import Target, occurrences
from formula_eval.resolve.declare import TAKEN
from formula_eval.text_files import read_text

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_RENAMED = ("symbol", "choice", "column", "row", "parameter", "loop")
_BESIDE = ("reports/**/*", "models/**/*.toml", "presets/**/*.toml", "*.toml")
_ADVICE = "Choose another name."


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that takes the place of another one."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Renaming:
    """The edits of each file, and the files that still write the old name."""

    edits: Mapping[Path, list[Edit]]
    others: tuple[str, ...] = ()


def refuse_unrenamable(snapshot: Snapshot, target: Target | None) -> Target:
    """The target, if it can have another name at all; raises FormulaError."""
    if target is None:
        raise refuse("no-rename", "Nothing here has a name that could be changed")
    if target.kind == "word":
        help_ = "Users, records and reports write it too; change it by hand."
        raise refuse("no-rename", f"`{target.word}` is a word of a choice", help=help_)
    if target.kind not in _RENAMED:
        what = {"unit": "a unit", "builtin": "a function of the language", "keyword": "a word of the language"}
        raise refuse(
            "no-rename", f"`{target.word}` is {what.get(target.kind, f'a {target.kind}')}, which keeps its name"
        )
    path = snapshot.paths.get(target.span.file)
    own = snapshot.library.folders[-1] if snapshot.beside is None else None
    if path is None or not (path == snapshot.beside or (own is not None and path.is_relative_to(own))):
        message = f"`{target.word}` is declared in {target.span.file}, which is not of this library"
        raise refuse("no-rename", message, help="Open that library and rename it there.")
    return target


def renaming(snapshot: Snapshot, target: Target, name: str) -> Renaming:
    """Every edit; raises FormulaError where the new name cannot be borne, with the place that says why."""
    _refuse_name(snapshot, name)
    edits: dict[Path, list[Edit]] = {}
    for span in dict.fromkeys(occurrences(snapshot, target)):
        edits.setdefault(snapshot.paths[span.file], []).append(Edit(span, name))
    _refuse_findings(snapshot, edits, target, name)
    old, new = target.name, f"{target.name[: len(target.name) - len(target.word)]}{name}"
    if target.kind != "symbol":
        return Renaming(edits)
    others: list[str] = []
    for path, shown in _beside(snapshot):
        places = list(_written(path, shown, old))
        if places and "." in old and "reports" in path.parts:
            edits[path] = [Edit(span, new) for span in places]
        elif places:
            others.append(shown)
    return Renaming(edits, tuple(others))


def _refuse_name(snapshot: Snapshot, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise refuse("bad-name", f"`{name}` is not a name in lower case", help="Write letters, digits and `_`.")
    if name in language_words() or name in TAKEN:
        raise refuse("reserved-name", f"`{name}` is a word of the language", help=_ADVICE)
    if name in snapshot.library.units.units:
        raise refuse("reserved-name", f"`{name}` is a unit", help=_ADVICE)


def _refuse_findings(snapshot: Snapshot, edits: Mapping[Path, list[Edit]], target: Target, name: str) -> None:
    """Refuse what the renamed library would be refused for: a taken name, a hidden one, another one meant."""
    unsaved = dict(snapshot.unsaved)
    touched = {snapshot.files[path] for path in edits}
    for path, inside in edits.items():
        unsaved[path] = edited(snapshot.text(snapshot.files[path]), inside)
    after = replace(snapshot, unsaved=unsaved, _parts={})
    before = {diagnostic.message for file in touched for diagnostic in _binding(snapshot, file)}
    for file in sorted(touched):
        for finding in _binding(after, file):
            if finding.message not in before:
                message = f"`{target.word}` cannot be called `{name}`: {finding.message}"
                raise FormulaError(finding._replace(message=message))
    renamed = replace(target, word=name, name=f"{target.name[: len(target.name) - len(target.word)]}{name}")
    if target.kind in ("symbol", "choice"):
        found = sum(1 for _ in occurrences(after, renamed))
        if found != sum(len(inside) for inside in edits.values()):
            message = f"`{name}` means something else in places where `{target.word}` stands"
            raise refuse("no-rename", message, target.span, help=_ADVICE)


def _binding(snapshot: Snapshot, file: str) -> Sequence[Diagnostic]:
    return snapshot.part(file).resolved.findings


def edited(text: str, edits: list[Edit]) -> str:
    """A text with other texts in these places, each within one line."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda each: (each.span.line, each.span.column), reverse=True):
        line = lines[edit.span.line - 1]
        lines[edit.span.line - 1] = line[: edit.span.column - 1] + edit.text + line[edit.span.end_column - 1 :]
    return "\n".join(lines)


def _beside(snapshot: Snapshot) -> Iterator[tuple[Path, str]]:
    """The other texts of the library: reports and records."""
    folder = snapshot.library.folders[-1]
    if snapshot.beside is not None:
        return
    for pattern in _BESIDE:
        for path in sorted(folder.glob(pattern)):
            if path.is_file() and path.suffix not in (".png", ".svg"):
                yield path, path.relative_to(folder).as_posix()


def _written(path: Path, shown: str, name: str) -> Iterator[Span]:
    """Where a text writes the whole name; one of the root as a key or in quotes, since it may be a plain word too."""
    try:
        text = read_text(path, shown)
    except FormulaError:
        return
    escaped = re.escape(name)
    pattern = rf"(?<![\w.]){escaped}(?!\w)" if "." in name else rf'(?:^|(?<=")){escaped}(?= *=|")'
    for number, line in enumerate(text.split("\n"), 1):
        for found in re.finditer(pattern, line):
            yield Span(shown, number, found.start() + 1, number, found.end() + 1)
