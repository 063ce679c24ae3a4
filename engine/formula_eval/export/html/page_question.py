"""Gathers what a page must know to read a question that is typed in words or as a command."""

from typing import Any

from formula_eval.export.document import Document
from formula_eval.export.html.record_choices import records_of
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.library import Library
from formula_eval.records.question_words import BETWEEN, words_of
from formula_eval.records.roles import roles_of


def question_data(document: Document) -> dict[str, Any]:
    """The roles of inputs and kinds that are on the page, and what others call these.

    `byParts` are the kinds whose records are found by parts of their names; `sharing` are the inputs by which the
    accelerators that are counted share a model, absent where the page lacks them; `job` is the input of their number
    where the question is about a whole job, else empty, and `all` that input in any case; `programs` holds the kind of
    their records and, by the words that start a program, its engine.
    """
    library, schema = document.evaluator.library, document.evaluator.schema
    roles, offered = roles_of(library), records_of(document)
    inputs = {node.name for node in document.nodes if node.kind == "input"}
    within, across = roles.shared
    machine = roles.machine
    counted = words_of(schema.kinds.get(roles.accelerator))
    is_job = document.question.about(library) in roles.purposes[1:] and roles.accelerators in inputs
    called = {**schema.synonyms.records, **schema.synonyms.inputs}
    found: dict[str, Any] = {
        "byParts": [each for each in (roles.model, roles.accelerator) if each in offered],
        "programs": {"kind": roles.engine, "started": _starts(library)},
        "counted": {"kind": roles.accelerator, "words": sorted(counted)},
        "between": sorted({*BETWEEN, *counted, library.answer} - {""}),
        "names": {theirs: ours for theirs, ours in called.items() if ours in inputs or ours in offered},
        "job": roles.accelerators if is_job else "",
        "all": roles.accelerators if roles.accelerators in inputs else "",
    }
    if inputs.issuperset((within, across, roles.per_node)):
        found["sharing"] = {"within": within, "across": across, "node": roles.per_node}
    if machine.record in offered and inputs.issuperset((machine.holds, machine.number)):
        found["machine"] = machine._asdict()
    return found


def _starts(library: Library) -> dict[str, str]:
    """The words that start a program, with its engine."""
    known = programs_of(library).values()
    starts = ((" ".join(each), program.engine) for program in known if program.engine for each in program.commands)
    return {words: engine for words, engine in starts if "*" not in words}
