"""Prints findings as messages on standard error."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from formula_eval.cli.output import say
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.secrets import masked_forms
from formula_eval.library import OURS

if TYPE_CHECKING:
    from formula_eval.evaluate.evaluator import Evaluator


def complain(diagnostics: Sequence[Diagnostic]) -> None:
    """All findings on standard error, a blank line between them; those that follow from another one are counted."""
    from formula_eval.check.first_causes import first_causes  # noqa: PLC0415 - most commands complain of nothing
    from formula_eval.printing.diagnostic import rendered  # noqa: PLC0415 - as above

    told = first_causes(diagnostics, text_of)
    say(masked_forms("\n\n".join(rendered(diagnostic, text_of) for diagnostic in told)), err=True)


def say_library(name: str) -> None:
    """Say once that a library answers which nobody named."""
    say(f"note: answered by the library `{name}` (--library {name})", err=True)


def note_cache(evaluator: "Evaluator") -> None:
    """Say once why the cache could not be used."""
    if evaluator.cache.complaint:
        say(f"note: {evaluator.cache.complaint}", err=True)


def text_of(file: str) -> str | None:
    """The text of a file as messages name it."""
    for path in (OURS / file, Path(file)):
        try:
            return path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            continue
    return None
