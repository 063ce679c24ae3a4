"""Narrows the groups of measured runs by words: texts of their columns, or names of records.

Where no group is left, those nearest to what was asked are found, and the note says what they have in common with it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.evidence import (
    NAMED,
    EvidenceGroup,
    Likeness,
    RunPlace,
    evidence_groups,
    format_name,
    read_evidence_layout,
)
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import all_records, find_record, nearest_version
from formula_eval.records.record_names import containing, named, names_of
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema

_VERSION = re.compile(r"-v?\d.*")


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
        self._generations = {each.id: str(each.data.get(self._layout.generation, "")) for each in boards}

    def narrowed(self, texts: Sequence[str]) -> NarrowedEvidence:
        """The groups that all words mean, else the nearest; raises FormulaError for a word that means nothing."""
        words = [self._word(each) for each in texts]
        remarks = [each.record.remark for each in words if each.record is not None and each.record.remark]
        found = [each for each in self._groups if all(word.means(each) for word in words)]
        near = NarrowedEvidence(found) if found else self._nearest(words)
        return near._replace(note=" ".join((*remarks, near.note)).strip())

    def _word(self, text: str) -> _Word:
        """What a word means: the whole text of a cell, else the beginning of a word in one, else a record."""
        text = self._layout.words.get(text.lower(), text)
        whole, begun = (re.compile(end.format(re.escape(text)), re.IGNORECASE) for end in (r"{}\Z", r"(?:.*\W)?{}"))
        is_whole = any(whole.match(str(cell)) for group in self._groups for cell in group.cells())

        def stands(group: EvidenceGroup) -> bool:
            return any((whole if is_whole else begun).match(str(each)) for each in group.cells())

        record = self._named(text)
        if any(map(stands, self._groups)):
            return _Word(record.id if record is not None else text, stands, record)
        record = record or self._with_parts(text)
        if record is None:
            kinds = self._kinds()
            known = [*self._layout.words]
            known += [name for kind in kinds for each in self._of(kind) for name in names_of(each)]
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
        bits = format_name([record.data.get(each, self._layout.unstated_bits) for each in self._layout.format_bits])
        return _Word(f"{text} ({bits})", lambda group: group.format == bits, record)

    def _kinds(self) -> tuple[str, ...]:
        return (self._roles.accelerator, self._roles.engine, self._roles.format, self._roles.model)

    def _of(self, kind: str) -> list[RecordFile]:
        return list(all_records(self._library, self._schema.kinds[kind]))

    def _named(self, text: str) -> RecordFile | None:
        """The record of this name, or the engine of the version before it."""
        found = next((each for kind in self._kinds() if (each := named(text, self._of(kind))) is not None), None)
        engines = {name.lower(): each for each in self._of(self._roles.engine) for name in names_of(each)}
        return found or nearest_version(text, engines)

    def _with_parts(self, text: str) -> RecordFile | None:
        """The accelerator or the model whose name holds this; raises FormulaError where there are several."""
        parted = (self._roles.accelerator, self._roles.model) if not text.isdigit() else ()
        kind = next((each for each in parted if containing(text, self._of(each))), None)
        return find_record(self._library, self._schema, kind, text) if kind else None

    def _nearest(self, words: Sequence[_Word]) -> NarrowedEvidence:
        """The groups most like what was asked, of the first likeness that any have."""
        running = (self._roles.accelerator, self._roles.engine)
        by_kind = {each.record.supplier: each for each in words if each.record is not None}
        where = [by_kind[each] for each in running if each in by_kind]
        rest = [each for each in words if each not in where]
        asked = self._ran(*(by_kind[each].text if each in by_kind else "" for each in running))
        place = " with ".join(each.text for each in where)
        told = ", ".join(filter(None, (place, *(each.text for each in rest if each.text.lower() not in place))))
        none = f"No measured run of {told} stands behind an answer"
        for likeness in self._layout.nearest:
            found = list(self._alike(likeness, asked))
            if found:
                fitting = [sum(word.means(each) for word in rest) for each in found]
                closest = [each for each, fits in zip(found, fitting, strict=True) if fits == max(fitting)]
                return NarrowedEvidence(closest, f"{none}. Nearest: {likeness.says}.")
        return NarrowedEvidence((), f"{none}, nor any that is near.")

    def _ran(self, board: str, engine: str) -> RunPlace:
        return RunPlace(board, self._generations.get(board, ""), engine, _VERSION.sub("", engine))

    def _alike(self, likeness: Likeness, asked: RunPlace) -> Iterator[EvidenceGroup]:
        """The groups that have this in common with what was asked; beside an engine that serves, only such engines."""
        wanted = [getattr(asked, each) for each in likeness.same]
        engines = {each.id for each in self._of(self._roles.engine)}
        for group in self._groups if all(wanted) else ():
            there = self._ran(group.board, group.engine)
            is_alike = wanted == [getattr(there, each) for each in likeness.same]
            if is_alike and (not asked.engine or group.engine in engines):
                yield group
