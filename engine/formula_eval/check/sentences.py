"""Finds sentences that cannot stand alone, as they do in tooltips, lists and cells."""

import re
from collections.abc import Iterator

from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, Label

# A sentence that begins so speaks of its neighbour; a short one that ends so, of something named elsewhere.
_LEANS = re.compile(
    r"^(the same|those|these|that|they|their|its|it)\b|^(\S+ ){1,4}(them|that|it|these|those)$", re.IGNORECASE
)


def dangling_sentences(declared: d.Declaration) -> Iterator[Diagnostic]:
    """Reports the sentences of a statement, its columns and its rows that lean on another one."""
    if isinstance(declared, d.CheckDeclaration):
        return
    parts = (*getattr(declared, "columns", ()), *getattr(declared, "rows", ()))
    for each in (declared, *parts):
        if _LEANS.search(each.notes.sentence):
            message = f"The sentence of `{each.name}` cannot stand alone: {each.notes.sentence}"
            help_ = "Say what it is: tooltips, lists and cells show it without its neighbours."
            yield Diagnostic("dangling-sentence", message, (Label(each.span),), help_)
