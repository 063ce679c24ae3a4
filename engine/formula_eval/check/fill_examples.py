"""Fills in examples that state no result: replaces each `?` in their files by the computed result."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from formula_eval.check.examples import ExampleOutcome

_UNSTATED = "?"


class Accepted(NamedTuple):
    """The new texts of files, and a message about each result filled in."""

    texts: Mapping[Path, str]
    lines: tuple[str, ...] = ()


def accepted(
    outcomes: Iterable[ExampleOutcome], text_of: Callable[[str], str], path_of: Callable[[str], Path]
) -> Accepted:
    """The texts and messages to write, in the order of the source."""
    found: dict[str, list[ExampleOutcome]] = {}
    lines: list[str] = []
    for outcome in outcomes:
        if outcome.result not in ("", _UNSTATED):
            found.setdefault(outcome.span.file, []).append(outcome)
            place = outcome.span.place
            lines.append(f"{place}: the example of `{outcome.name}` now states {outcome.result}")
    return Accepted({path_of(file): _filled(text_of(file), inside) for file, inside in found.items()}, tuple(lines))


def _filled(text: str, outcomes: Iterable[ExampleOutcome]) -> str:
    """Replaces each `?`, the last character of its example, and keeps all line ends."""
    lines = text.splitlines(keepends=True)
    for outcome in outcomes:
        number, column = outcome.span.end_line - 1, outcome.span.end_column - 2
        line = lines[number]
        if line[column] == _UNSTATED:
            lines[number] = f"{line[:column]}{outcome.result}{line[column + 1 :]}"
    return "".join(lines)
