"""Separates findings that make a library wrong from those that only say what a draft still lacks."""

from collections.abc import Iterable

from formula_eval.core.diagnostic import Diagnostic

# What a library lacks while it is being written, though every number of it is right.
_LACKING = frozenset(
    [
        "bare-number",
        "dangling-sentence",
        "empty-example",
        "no-docstring",
        "no-example",
        "no-locator",
        "no-sentence",
        "no-source",
        "source-not-cited",
        "trivial-example",
        "unused",
    ]
)


def is_lacking(finding: Diagnostic) -> bool:
    """Whether the finding only reports what is not written yet."""
    return finding.code in _LACKING


def drafted(findings: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Splits findings into what is wrong and what is not written yet; of the latter, unused names come last."""
    found = list(findings)
    lacking = sorted(filter(is_lacking, found), key=lambda diagnostic: diagnostic.code == "unused")
    return [diagnostic for diagnostic in found if not is_lacking(diagnostic)], lacking
