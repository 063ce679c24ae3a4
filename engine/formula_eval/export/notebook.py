"""Renders the blocks of an answer as HTML for a notebook: the sections of a terminal, in the colours of its theme."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formula_eval.export.templates import filled
from formula_eval.export.terminal.blocks import Block
from formula_eval.library import OURS


def blocks_html(answer: Iterable[Block]) -> str:
    """All blocks, each beneath its title."""
    return _html({"blocks": [(type(block).__name__, block) for block in answer]})


def table_html(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts."""
    return _html({"columns": columns, "rows": rows})


def _html(shown: Mapping[str, Any]) -> str:
    return filled("notebook.html.j2", shown, None, [OURS / "reports"]).strip()
