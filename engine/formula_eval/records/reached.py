"""Collects all records that an answer to a question may read, each with the values that it supplies."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from formula_eval.core.diagnostic import FormulaError
from formula_eval.library import Library
from formula_eval.records.axis import parts_of
from formula_eval.records.givens import Question, scenario_of
from formula_eval.records.input_names import records_among
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import find_record
from formula_eval.records.record_values import read_record
from formula_eval.records.schema import Schema

_Values = Mapping[str, Any]


def values_reached(question: Question, schema: Schema, library: Library) -> dict[str, _Values]:
    """The values of a scenario and of every record by what messages call them, those that records name among them.

    A question may name several records of a kind. One that cannot be read supplies nothing.
    """
    scenario, own = scenario_of(question, schema)
    found: dict[str, _Values] = {}
    if question.scenario:
        changes = {name: str(factor) for name, factor in scenario.changes.items()}
        found[f"`{question.scenario}`"] = {**scenario.values, **scenario.links, **changes}
    pending = [*_named(question, scenario.links, schema)]
    for place, file in own.items():
        found[f"`{question.scenario}`, {place}"], links = _supplied(file, schema)
        pending += links
    for kind, wanted in pending:  # to which more are added
        called = f"{kind} `{wanted}`"
        if called not in found:
            found[called] = {}
            with suppress(FormulaError):
                found[called], links = _supplied(find_record(library, schema, kind, wanted), schema)
                pending += links
    return found


def _named(question: Question, links: Mapping[str, str], schema: Schema) -> Iterator[tuple[str, str]]:
    """The kind and the id of each record that the question names, or that holds because it names none."""
    among, _ = records_among(question.values, schema, question.namespace)
    said = {**links, **among, **question.records}
    for name, ids in said.items():
        for part in parts_of(ids):
            yield schema.inputs[name].quantity.unit if name in schema.inputs else name, str(part)
    for kind in schema.kinds.values():
        if kind.default and kind.name not in said:
            yield kind.name, kind.default
    for record in schema.records:
        if record.fixed and record.name not in said:
            yield record.quantity.unit, record.fixed


def _supplied(file: RecordFile, schema: Schema) -> tuple[_Values, list[tuple[str, str]]]:
    """What a record says of inputs, and the records that it names."""
    read = read_record(file, schema, whole=False)
    return {**read.values, **read.links}, list(read.links.items())
