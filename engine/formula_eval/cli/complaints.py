"""Findings to messages on standard error."""

from collections.abc import Sequence
from pathlib import Path

import click

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.rendering import rendered
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import find_library


def complain(diagnostics: Sequence[Diagnostic]) -> None:
    """All findings on standard error, a blank line between them."""
    click.echo("\n\n".join(rendered(each, text_of) for each in diagnostics), err=True)


def note_cache(evaluator: Evaluator) -> None:
    """Say once why the cache could not be used."""
    if evaluator.cache.complaint:
        click.echo(f"note: {evaluator.cache.complaint}", err=True)


def text_of(file: str) -> str | None:
    """The text of a file as messages name it."""
    ours = find_library().folders[0]
    for path in (ours / file, Path(file)):
        try:
            return path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            continue
    return None
