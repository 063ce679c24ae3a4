"""Lists which measured runs stand behind answers, by accelerator, engine, kind of model and number format.

The groups stand in presets/measured/evidence.tsv, a line each, as `python -m benchmarks.runs` writes them; what is
counted, and what is near where nothing was measured, stands in evidence.toml beside it. Words narrow them: texts of
their columns, or names of records. Where no group is left, those nearest to what was asked are found, and the note says
what they have in common with it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import all_records, find_record, nearest_version
from formula_eval.records.record_names import containing, named, names_of
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema
from formula_eval.text_files import read_text
from formula_eval.toml_table import Input, Kind, Quantity, read_table

EVIDENCE = "evidence"  # what the list and the tables of the docs are called
LAYOUT = "presets/measured/evidence.toml"
GROUPS = "presets/measured/evidence.tsv"
NAMED = 5  # the first columns, which tell groups apart
_APART = "; "
_VERSION = re.compile(r"-v?\d.*")


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


class NarrowedEvidence(NamedTuple):
    """The groups that are left, and what is to be said of them: nothing where they are what was asked."""

    groups: Sequence[EvidenceGroup]
    note: str = ""


class _Word(NamedTuple):
    """A word as it is repeated, and which groups it means."""

    text: str
    means: Callable[[EvidenceGroup], bool]
    record: RecordFile | None = None


class EvidenceNarrowing:
    """Narrows the groups of a library by words."""

    def __init__(self, library: Library, schema: Schema) -> None:
        """Read the groups of a library."""
        self._library, self._schema, self._roles = library, schema, roles_of(library)
        self._layout, self._groups = read_evidence_layout(library), evidence_groups(library)
        boards = all_records(library, schema.kinds[self._roles.accelerator])
        self._generations = {board.id: str(board.data.get(self._layout.generation, "")) for board in boards}

    def narrowed(self, texts: Sequence[str]) -> NarrowedEvidence:
        """The groups that all words mean, else the nearest; raises FormulaError for a word that means nothing."""
        words = [self._word(text) for text in texts]
        remarks = [word.record.remark for word in words if word.record is not None and word.record.remark]
        found = [group for group in self._groups if all(word.means(group) for word in words)]
        near = NarrowedEvidence(found) if found else self._nearest(words)
        return near._replace(note=" ".join((*remarks, near.note)).strip())

    def _word(self, text: str) -> _Word:
        """What a word means: the whole text of a cell, else the beginning of a word in one, else a record."""
        text = self._layout.words.get(text.lower(), text)
        whole, begun = (re.compile(end.format(re.escape(text)), re.IGNORECASE) for end in (r"{}\Z", r"(?:.*\W)?{}"))
        is_whole = any(whole.match(str(cell)) for group in self._groups for cell in group.cells())

        def stands(group: EvidenceGroup) -> bool:
            return any((whole if is_whole else begun).match(str(cell)) for cell in group.cells())

        record = self._named(text)
        if any(map(stands, self._groups)):
            return _Word(record.id if record is not None else text, stands, record)
        record = record or self._with_parts(text)
        if record is None:
            kinds = self._kinds()
            known = [*self._layout.words]
            known += [name for kind in kinds for file in self._of(kind) for name in names_of(file)]
            known += [str(each) for group in self._groups for each in group[:NAMED]]
            help_ = nearest(text.lower(), known) or "`formula-eval list evidence` shows all that was measured."
            message = f"`{text}` stands in no row, and is no record of any kind ({', '.join(kinds)})"
            raise refuse("unknown-word", message, help=help_)
        return self._of_record(text, record)

    def _of_record(self, text: str, record: RecordFile) -> _Word:
        """What a record means: an accelerator or an engine itself, a model or a number format those of its kind."""
        if record.supplier == self._roles.accelerator:
            return _Word(record.id, lambda group: group.board == record.id, record)
        if record.supplier == self._roles.engine:
            return _Word(record.id, lambda group: group.engine == record.id, record)
        if record.supplier == self._roles.model:
            kind = self._layout.models[float(record.data.get(self._layout.mixture, 0)) > 0]
            return _Word(f"{kind} models ({record.id})", lambda group: group.model == kind, record)
        bits = format_name(
            [record.data.get(format_bit, self._layout.unstated_bits) for format_bit in self._layout.format_bits]
        )
        return _Word(f"{text} ({bits})", lambda group: group.format == bits, record)

    def _kinds(self) -> tuple[str, ...]:
        return (self._roles.accelerator, self._roles.engine, self._roles.format, self._roles.model)

    def _of(self, kind: str) -> list[RecordFile]:
        return list(all_records(self._library, self._schema.kinds[kind]))

    def _named(self, text: str) -> RecordFile | None:
        """The record of this name, or the engine of the version before it."""
        found = next((each for kind in self._kinds() if (each := named(text, self._of(kind))) is not None), None)
        engines = {name.lower(): file for file in self._of(self._roles.engine) for name in names_of(file)}
        return found or nearest_version(text, engines)

    def _with_parts(self, text: str) -> RecordFile | None:
        """The accelerator or the model whose name holds this; raises FormulaError where there are several."""
        parted = (self._roles.accelerator, self._roles.model) if not text.isdigit() else ()
        kind = next((name for name in parted if containing(text, self._of(name))), None)
        return find_record(self._library, self._schema, kind, text) if kind else None

    def _nearest(self, words: Sequence[_Word]) -> NarrowedEvidence:
        """The groups most like what was asked, of the first likeness that any have."""
        running = (self._roles.accelerator, self._roles.engine)
        by_kind = {word.record.supplier: word for word in words if word.record is not None}
        where = [by_kind[name] for name in running if name in by_kind]
        rest = [word for word in words if word not in where]
        asked = self._ran(*(by_kind[name].text if name in by_kind else "" for name in running))
        place = " with ".join(word.text for word in where)
        told = ", ".join(filter(None, (place, *(word.text for word in rest if word.text.lower() not in place))))
        none = f"No measured run of {told} stands behind an answer"
        for likeness in self._layout.nearest:
            found = list(self._alike(likeness, asked))
            if found:
                fitting = [sum(word.means(group) for word in rest) for group in found]
                closest = [group for group, fits in zip(found, fitting, strict=True) if fits == max(fitting)]
                return NarrowedEvidence(closest, f"{none}. Nearest: {likeness.says}.")
        return NarrowedEvidence((), f"{none}, nor any that is near.")

    def _ran(self, board: str, engine: str) -> RunPlace:
        return RunPlace(board, self._generations.get(board, ""), engine, _VERSION.sub("", engine))

    def _alike(self, likeness: Likeness, asked: RunPlace) -> Iterator[EvidenceGroup]:
        """The groups that have this in common with what was asked; beside an engine that serves, only such engines."""
        wanted = [getattr(asked, name) for name in likeness.same]
        engines = {file.id for file in self._of(self._roles.engine)}
        for group in self._groups if all(wanted) else ():
            there = self._ran(group.board, group.engine)
            is_alike = wanted == [getattr(there, name) for name in likeness.same]
            if is_alike and (not asked.engine or group.engine in engines):
                yield group
