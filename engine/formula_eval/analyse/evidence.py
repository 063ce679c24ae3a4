"""Lists which measured runs stand behind answers, by accelerator, engine, kind of model and number format.

The groups stand in presets/measured/evidence.tsv, a line each, as `python -m benchmarks.runs` writes them; what is
counted, and what is near where nothing was measured, stands in evidence.toml beside it. `narrowed_evidence.py` narrows
them by words.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library
from formula_eval.text_files import read_text
from formula_eval.toml_table import Input, Kind, Quantity, read_table

EVIDENCE = "evidence"  # what the list and the tables of the docs are called
LAYOUT = "presets/measured/evidence.toml"
GROUPS = "presets/measured/evidence.tsv"
NAMED = 5  # the first columns, which tell groups apart
_APART = "; "


class RunsCounted(NamedTuple):
    """The bits of weights and activations of one kind of points, and the name of what ran where that is no engine."""

    bits: tuple[Input, ...]
    program: str = ""


class FigureCounted(NamedTuple):
    """The quantities that one sort of measured figures is compared with; `rates` are larger where a run is faster."""

    quantities: tuple[Quantity, ...]
    rates: tuple[Quantity, ...] = ()


class RunPlace(NamedTuple):
    """Where runs ran, or are asked to run; a field is empty where nothing is known of it."""

    board: str = ""
    generation: str = ""
    engine: str = ""
    program: str = ""  # the engine without its version


class Likeness(NamedTuple):
    """What the nearest runs have in common with what was asked, as fields of `RunPlace`, and in words."""

    same: tuple[str, ...]
    says: str


class EvidenceLayout(NamedTuple):
    """What presets/measured/evidence.toml says.

    Attributes:
        columns: the titles of the list; the file holds all but the number of publishers.
        legend: explains them.
        generation: the kind of records of which accelerators of one generation name the same.
        models: what a model is called that is no mixture, and one that is.
        mixture: the input that is above 0 in a mixture of experts.
        left_out: what fits leave out together for the last error.
        format_bits: the keys of a number format that hold bits of weights and of activations.
        unstated_bits: what one of them counts where it is not stated.
        runs: what is counted of each kind of points.
        figures: the sorts of figures, by name.
        words: other words for what stands in a column.
        nearest: what the nearest runs share with what was asked, the nearest first.

    """

    columns: tuple[str, ...]
    legend: str
    generation: Kind
    models: tuple[str, str]
    mixture: Input
    left_out: str
    format_bits: tuple[Input, ...]
    unstated_bits: int
    runs: Mapping[str, RunsCounted]
    figures: Mapping[str, FigureCounted]
    words: Mapping[str, str]
    nearest: tuple[Likeness, ...]


class EvidenceGroup(NamedTuple):
    """Measured figures of one sort on one `board` with one `engine`: of how many `runs`, and how far off, in percent.

    `figure` is a key of the layout's figures; `publishers` are who printed them.
    """

    board: str
    engine: str
    model: str  # one of the layout's models
    format: str  # as in w4a16: bits of weights and of activations
    figure: str
    runs: int
    off: float  # the median error without its sign
    bias: float  # the median error, positive where predictions are too slow or too large
    left_out: float | None  # `off`, by fits without the publisher; None for what is not fitted
    publishers: tuple[str, ...]

    def cells(self) -> tuple[str | int | float, ...]:
        """What a list shows of it."""
        told = "" if self.left_out is None else self.left_out
        return (*self[:-2], told, len(self.publishers), _APART.join(self.publishers))


def read_evidence_layout(library: Library) -> EvidenceLayout:
    """The layout of the last folder that states it; raises FormulaError for a mistake in it."""
    shown, data = library.last_or_ours(LAYOUT)
    layout = read_table(EvidenceLayout, data, shown, {})
    for each in (name for likeness in layout.nearest for name in likeness.same if name not in RunPlace._fields):
        help_ = nearest(each, RunPlace._fields) or f"There are {', '.join(RunPlace._fields)}."
        raise refuse("bad-value", f"{shown}: runs have no `{each}` in common", help=help_)
    return layout


def format_name(bits: Sequence[float]) -> str:
    """The name of a number format by its bits of weights and of activations, or of both: `w4a16`."""
    return f"w{bits[0]:g}a{bits[-1]:g}"


def evidence_groups(library: Library) -> list[EvidenceGroup]:
    """All groups of the last folder that keeps any."""
    path = next((path for _, path in reversed(list(library.files(GROUPS)))), None)
    if path is None:
        return []
    _, *lines = read_text(path, path.name).splitlines()
    return [_group(line.split("\t")) for line in lines]


def _group(cells: Sequence[str]) -> EvidenceGroup:
    board, engine, model, bits, figure, runs, off, bias, left_out, publishers = cells
    errors = float(off), float(bias), float(left_out) if left_out else None
    return EvidenceGroup(board, engine, model, bits, figure, int(runs), *errors, tuple(publishers.split(_APART)))
