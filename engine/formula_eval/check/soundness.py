"""Holds what checking a library comes to: its findings, what was checked, and the results that examples ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from formula_eval.core.diagnostic import Diagnostic


class Accepted(NamedTuple):
    """The new texts of files, and a message about each result filled in."""

    texts: Mapping[Path, str]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Soundness:
    """The findings, how much was checked, the results of examples that state none, and remarks for its author."""

    findings: tuple[Diagnostic, ...]
    formulas: int
    examples: int
    accepted: Accepted
    remarks: tuple[str, ...] = ()
