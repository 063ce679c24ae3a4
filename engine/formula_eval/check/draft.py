"""Findings to those that stop a library and those that only say what its draft still lacks, which come last."""

from collections.abc import Iterable

from formula_eval.core.diagnostic import Diagnostic

# What a library lacks while it is being written, though every number of it is right.
_LACKING = frozenset(
    [
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
    """Whether the finding only says what is not written yet."""
    return finding.code in _LACKING


def drafted(findings: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What is wrong, and what is only not written yet; of the latter, what nothing uses comes last."""
    found = list(findings)
    lacking = sorted(filter(is_lacking, found), key=lambda each: each.code == "unused")
    return [each for each in found if not is_lacking(each)], lacking
