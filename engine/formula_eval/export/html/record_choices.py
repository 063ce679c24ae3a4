"""Gathers the records that a page offers its reader, and the records and values with which it begins."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from formula_eval.core.type import Record
from formula_eval.core.unit import UnitTable
from formula_eval.export.document import Document
from formula_eval.libraries import library_name
from formula_eval.library import OURS
from formula_eval.records.answer_kind import usual_purpose
from formula_eval.records.givens import Question, givens_of, restated_kinds
from formula_eval.records.input_names import spoken
from formula_eval.records.origin import Origin
from formula_eval.records.record import RecordFile, SuppliedValues
from formula_eval.records.record_files import find_record
from formula_eval.records.record_links import record_places
from formula_eval.records.record_values import read_record
from formula_eval.records.schema import InputSchema

_LONGEST_NAME, _LONGEST_NOTE = 120, 600
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def records_data(document: Document) -> dict[str, list[dict[str, Any]]]:
    """The records of each supplier that the needed formulas read, with those values that they read."""
    needed = {node.name for node in document.nodes if node.kind == "input"}
    names = needed | {node.key for node in document.nodes if node.record}
    offered = records_of(document)
    return {
        supplier: [_record(document, file, values, names) for file, values in _records(document, supplier)]
        for supplier in document.evaluator.schema.kinds
        if supplier in offered
    }


def records_of(document: Document) -> set[str]:
    """The kinds of the records that the needed formulas read."""
    read = {node.supplier for node in document.nodes if node.supplier}
    return read | {node.type.supplier for node in document.nodes if isinstance(node.type, Record)}


def places_data(document: Document, layout: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The places where a reader chooses a record, each after those whose records may name one there.

    Those that the question is `about` come first; `first` are they, those that an input names by default and those that
    the layout puts there. `under` is
    what the names of its inputs begin with: nothing for a kind, a record's own name for any other.
    """
    schema, library = document.evaluator.schema, document.evaluator.library
    needed = {node.name for node in document.nodes if isinstance(node.type, Record)}
    offered = records_of(document) | needed
    found = []
    for name, kind, naming in record_places(schema):
        if name not in offered:
            continue
        places = [
            (each, schema.kinds[each].name if each in schema.kinds else schema.inputs[each].quantity.unit)
            for each in naming
        ]
        titles = layout.get("kind", {}).get(name, {})
        default = schema.kinds[name].default if name in schema.kinds else schema.inputs[name].fixed
        about = name in document.result.records
        is_named = bool(default) and name in schema.inputs
        found.append(
            {
                "name": name,
                "kind": kind,
                "title": titles.get("title", name.replace("_", " ").replace(".", ", ").capitalize()),
                "whose": titles.get("inputs", f"Of the {name.replace('_', ' ')}"),
                "option": spoken(name, Origin.OPTION, schema.kinds).removeprefix("--"),
                "first": titles.get("first", about or is_named),
                "about": about and titles.get("first", about),
                "under": "" if name in schema.kinds else schema.inputs[name].record or name,
                "naming": [place for place in places if place[0] in offered],
                "otherwise": find_record(library, schema, kind, default).id if default else None,
            }
        )
    order = document.result.records
    return sorted(found, key=lambda each: order.index(each["name"]) if each["about"] else len(order))


def shared_data(document: Document) -> dict[str, list[str]]:
    """By kind, the inputs without a default that another record takes over, if it names no record of the kind."""
    found: dict[str, list[str]] = {}
    offered = records_of(document)
    for input_schema in document.evaluator.schema.inputs.values():
        if input_schema.supplier in offered and not input_schema.record and not input_schema.default:
            found.setdefault(input_schema.supplier, []).append(input_schema.name)
    return found


def _records(document: Document, supplier: str) -> Iterator[tuple[RecordFile, SuppliedValues]]:
    """The records of the library, the user's before ours, after a file of the user's own if it was asked for."""
    held: dict[str, tuple[RecordFile, SuppliedValues]] = {}
    for file, values in document.records(supplier):
        held.setdefault(file.id, (file, values))
    evaluator = document.evaluator
    for name, file in document.givens.files.items():
        if file.supplier == supplier and (file.id not in held or held[file.id][0].shown != file.shown):
            own = RecordFile(supplier, document.question.records.get(name, file.id), file.shown, file.data)
            yield own, read_record(own, evaluator.schema, whole=False)
            held.pop(own.id, None)
    yield from held.values()


def _record(document: Document, file: RecordFile, supplied: SuppliedValues, needed: Iterable[str]) -> dict[str, Any]:
    library = document.evaluator.library
    schema = document.evaluator.schema
    links = {key: find_record(library, schema, key, wanted).id for key, wanted in supplied.links.items()}
    described = {
        key: shown_text(str(file.data[key]), _LONGEST_NOTE) for key in ("source", "date", "note") if key in file.data
    }
    values = {name: supplied.values[name] for name in sorted(set(needed) & supplied.values.keys())}
    title = shown_text(file.called, _LONGEST_NAME)
    restated = _restated(document, file)
    names = [str(alias) for alias in file.data.get("aliases", ())]
    held = {"id": file.id, "title": title, "origin": shown_text(supplied.origin, _LONGEST_NOTE), "values": values}
    return held | {
        key: value
        for key, value in {**described, "names": names, "links": links, "restated": restated}.items()
        if value
    }


def _restated(document: Document, file: RecordFile) -> dict[str, float]:
    """The values that the namespace itself states for this record, such as an accelerator."""
    evaluator, namespace = document.evaluator, document.question.namespace
    if file.supplier not in restated_kinds(namespace, evaluator.schema, evaluator.library):
        return {}
    with_it, without = (
        givens_of(Question({file.supplier: file.id}, namespace=text), evaluator.schema, evaluator.library)
        for text in (namespace, "")
    )
    return {name: with_it.values[name] for name, who in with_it.origins.items() if without.origins.get(name) != who}


def shown_text(text: str, longest: int) -> str:
    """Untrusted text as it may be shown: at most so long, without invisible characters or any that reverse the line."""
    seen = _UNSEEN.sub("\ufffd", text.replace("\n", " "))
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}\u2026"


def state_data(document: Document, places: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The initial state of the page: the records and values that the user stated, values as they would be typed.

    The records that the question is about stand among them, whoever said them.
    """
    about = {place["name"] for place in places if place["about"]}
    question, givens = document.question, document.givens
    inputs = document.evaluator.schema.inputs

    records = {
        name: _listed_as(document, name)
        for name in givens.records
        if name in about or document.is_stated(name, givens.record_origins.get(name))
    }
    values = {
        name: _typed(number, question.values.get(name), inputs[name])
        for name, number in givens.values.items()
        if name in inputs and document.is_stated(name, givens.origins.get(name))
    }
    more = [library_name(folder) for folder in document.evaluator.library.folders if folder != OURS]
    scenario = question.scenario if any(file.shown == question.scenario for file in givens.files.values()) else ""
    return {
        "records": records,
        "values": values,
        "options": [
            *(["--library", folder] for folder in more),
            *([["--answer", question.about(document.evaluator.library)]] if says_answer(document) else []),
            *([["--inputs", scenario]] if scenario else []),
            *(["--only", name] for name in document.only),
        ],
        "namespace": question.namespace,
        "unnamed": [name for name, file in givens.files.items() if scenario and file.shown == scenario],
    }


def says_answer(document: Document) -> bool:
    """Whether a command must say what it asks about, since the library does not."""
    library = document.evaluator.library
    return document.question.about(library) not in (usual_purpose(library), library.answer)


def _listed_as(document: Document, name: str) -> str:
    """The id under which the page lists the record that was found under this name."""
    file = document.givens.files[name]
    asked = document.question.records.get(name, file.id)
    listed = {each.id for each, _ in _records(document, file.supplier)}
    return asked if asked in listed else file.id


def _typed(number: float, written: object, schema: InputSchema) -> str:
    """The value as the command line takes it."""
    if isinstance(written, str):
        return written
    quantity = schema.quantity
    if quantity.kind == "flag":
        return "true" if number else "false"
    if quantity.kind == "choice":
        return quantity.words[int(number)]
    text = repr(int(number)) if number == math.floor(number) else repr(float(number))
    return f"{text} {quantity.dimension}" if quantity.dimension else text


def units_data(units: UnitTable, others: Mapping[str, str]) -> Mapping[str, list[Any]]:
    """Each unit, by its name and by what others call it: how many base units it is, the exponents of its dimension."""
    called = {name: units.parse(meant) for name, meant in others.items() if name.isalpha()}
    return {
        name: [float(unit.scale), {base: float(power) for base, power in unit.dimension.exponents}]
        for name, unit in {**called, **units.units}.items()
    }
