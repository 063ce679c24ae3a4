"""Lists what a plan rests on: assumptions about the requests, records with their sources, and warnings."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Literal, NamedTuple

from formula_eval.analyse.plan.demand import RecordRow
from formula_eval.analyse.plan.planned import Alternative, Plan
from formula_eval.analyse.plan.values import values_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.heading import record_meant
from formula_eval.export.plan.rows import values_told
from formula_eval.records.origin import Origin
from formula_eval.records.record import RecordFile

_NAMED = 4  # alternatives, each of which an assumption that differs names
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Assumed(NamedTuple):
    """An assumption, and its value: one for all alternatives, each one's behind its name, or all values of many."""

    title: str
    text: str


class RecordRead(NamedTuple):
    """A record that alternatives read; `of` names them unless all do, `date` is empty where the record states none."""

    kind: str
    name: str
    of: str
    source: str
    date: str


class Remark(NamedTuple):
    """What stops an alternative, what a check says of it, or that better ones may exist."""

    level: Literal["stopped", "warn", "note"]
    text: str


def assumed(plan: Plan, shown: Sequence[Alternative], evaluator: Evaluator) -> Iterator[Assumed]:
    """The assumptions of a plan: its inputs and records, and the one that names alternatives, where nobody named it."""
    rows = plan.assumed
    names = [column.name for column in rows]
    found = [values_of(evaluator, alternative.question, names) for alternative in shown]
    values = [[of[name] for name in names] for of in found]
    for title, texts in values_told(rows, values, evaluator):
        named = (f"{alternative.name} {text}" for alternative, text in zip(shown, texts, strict=True))
        if texts:
            distinct = [*dict.fromkeys(texts)]
            told = " or ".join(distinct) if len(distinct) == 1 or len(texts) > _NAMED else ", ".join(named)
            yield Assumed(title, told)
    for row in plan.records:
        files = (record_meant(alternative, [row], evaluator) for alternative in shown)
        if ids := dict.fromkeys(file.id for file in files if file):
            yield Assumed(row.title, f"{evaluator.schema.kinds[row.record].word} {', '.join(ids)}")
    givens = [evaluator.givens(alternative.question) for alternative in shown if alternative.question]
    if any(given.record_origins.get(plan.named_by) == Origin.DEFAULT for given in givens):
        kind = evaluator.schema.kinds[plan.named_by]
        yield Assumed(kind.word, f"{givens[0].records[kind.name]}, as none was named ({kind.option} all tries each)")


def records_read(
    shown: Sequence[Alternative], mix: Sequence[tuple[float, RecordFile]], evaluator: Evaluator
) -> Iterator[RecordRead]:
    """The records that the alternatives read, kind by kind, then the workloads that share the service."""
    whose: dict[tuple[str, str], list[str]] = {}
    files: dict[tuple[str, str], RecordFile] = {}
    for alternative in shown:
        if alternative.question is None:
            continue
        for kind, file in evaluator.givens(alternative.question).files.items():
            whose.setdefault((kind, file.id), []).append(alternative.name)
            files[kind, file.id] = file
    kinds = [*dict.fromkeys(kind for kind, _ in files)]
    for kind, id_ in sorted(files, key=lambda pair: kinds.index(pair[0])):
        names = whose[kind, id_]
        yield _record(kind, files[kind, id_], ", ".join(names) if len(names) < len(shown) else "")
    for share, file in mix:
        yield _record(file.supplier, file, f"{share:.4g} of the requests")


def source_lines(
    shown: Sequence[Alternative], rows: Sequence[RecordRow], evaluator: Evaluator, width: int
) -> list[str]:
    """Lines that tell what the records cite which these rows name, each with its day."""
    found: dict[tuple[str, str], RecordRead] = {}
    for title in dict.fromkeys(row.title for row in rows):
        same = [row for row in rows if row.title == title]
        files = (record_meant(alternative, same, evaluator) for alternative in shown)
        found |= {(file.supplier, file.id): _record(file.supplier, file, "") for file in files if file}
    texts = (f"{read.name}{read.date and f', {read.date}'}: {read.source}" for read in found.values())
    return [line for text in texts for line in wrap(text, width, subsequent_indent="    ", break_on_hyphens=False)]


def _record(kind: str, file: RecordFile, whose: str) -> RecordRead:
    days = (str(each) for each in file.data.values() if _DAY.fullmatch(str(each)))
    source = str(file.data.get("source", ""))
    return RecordRead(kind.replace("_", " "), file.called, whose, source, next(days, ""))


def worth_knowing(plan: Plan) -> Iterator[Remark]:
    """What stops alternatives, warnings with the names of those that they are of, and where better ones may exist."""
    warned: dict[str, list[str]] = {}
    for alternative in plan.alternatives:
        yield from (Remark("stopped", f"{alternative.name}: {text}") for text in alternative.stops)
        for text in alternative.warnings:
            warned.setdefault(text, []).append(alternative.name)
        if not alternative.is_proven and alternative.is_reached:
            text = "Not every configuration was decided in the time given: better ones may exist."
            yield Remark("note", f"{alternative.name}: {text}")
    yield from (Remark("warn", f"{', '.join(names)}: {text}") for text, names in warned.items())
