"""Finds all records that hold for a question: those that it names, those that these name in turn, and defaults."""

from collections.abc import Mapping
from typing import NamedTuple

from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.record_kind import stands_aside
from formula_eval.library import Library
from formula_eval.records.origin import Origin
from formula_eval.records.record import NOTHING, RecordFile, SuppliedValues
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_names import named
from formula_eval.records.record_values import read_record
from formula_eval.records.schema import InputSchema, Schema


class RecordError(FormulaError):
    """A record is wrong, or there is none that a file names: every question that it holds for fails alike."""


class Said(NamedTuple):
    """Which records were named, by whom, those that a scenario writes out itself, and where a file names the others."""

    ids: Mapping[str, str]
    who: Mapping[str, str]
    own: Mapping[str, RecordFile]
    places: Mapping[str, str] = NOTHING


def by_what_brings(said: Mapping[str, str], schema: Schema, library: Library) -> dict[str, str]:
    """The records that were named, where one that only another kind has is of that kind: a machine, for its board."""
    found = dict(said)
    for name in [each for each in said if each in schema.kinds]:
        kind = schema.kinds[name]
        for bringing in (schema.kinds[each] for each in kind.suppliers if each not in found):
            if (
                stands_aside(bringing, schema.kinds)
                and named(said[name], all_records(library, kind)) is None
                and named(said[name], all_records(library, bringing)) is not None
            ):
                found[bringing.name] = found.pop(name)
                break
    return found


class Held(NamedTuple):
    """The records that hold, by kind or by the input that is one: ids, who said them, their files and values."""

    ids: dict[str, str]
    who: dict[str, str]
    files: dict[str, RecordFile]
    supplied: dict[str, SuppliedValues]


def held_records(said: Said, schema: Schema, library: Library) -> Held:
    """All records that hold; raises FormulaError for one that there is not."""
    held = Held({}, {}, {}, {})

    def put(name: str, kind: str, wanted: str, who: str, place: str = "") -> None:
        try:
            file = said.own.get(name) or record_named_at(place, library, schema, kind, wanted)
        except FormulaError as error:
            if name in said.ids:
                raise
            raise RecordError(*error.diagnostics) from error
        held.ids[name], held.who[name], held.files[name] = file.id, who, file
        try:
            held.supplied[name] = read_record(file, schema, whole=False)
        except FormulaError as error:
            raise RecordError(*error.diagnostics) from error

    for name, kind, suppliers in record_places(schema):
        if name in said.ids:
            put(name, kind, said.ids[name], said.who.get(name, ""), said.places.get(name, ""))
            continue
        naming = next((each for each in suppliers if each in held.supplied and kind in held.supplied[each].links), None)
        if naming is not None:
            origin = held.supplied[naming].origin
            put(name, kind, held.supplied[naming].links[kind], origin, origin)
        elif name == kind and schema.kinds[kind].default:
            put(name, kind, schema.kinds[kind].default, Origin.DEFAULT)
        elif name in schema.inputs and schema.inputs[name].fixed:
            put(name, kind, schema.inputs[name].fixed, Origin.DEFAULT, schema.inputs[name].place)
    return held


def record_named_at(place: str, library: Library, schema: Schema, kind: str, wanted: str) -> RecordFile:
    """The record that a file names; raises FormulaError with the place there, where it is not the user's own words."""
    try:
        return find_record(library, schema, kind, wanted)
    except FormulaError as error:
        if not place:
            raise
        why = error.diagnostics[0]
        raise RecordError(Diagnostic(why.code, f"{place}: {why.message}", (), why.help, why.subject)) from error


def record_places(schema: Schema) -> list[tuple[str, str, tuple[str, ...]]]:
    """Where a record may stand: its name, its kind, and the places of those that may name it, which come before."""
    kinds = schema.kinds
    own = [(each.name, each.quantity.unit, ()) for each in schema.records if not each.record]
    brought = sorted(
        (each for each in schema.records if each.record), key=lambda each: list(kinds).index(each.quantity.unit)
    )
    return [
        *((kind.name, kind.name, kind.suppliers) for kind in kinds.values()),
        *own,
        *((each.name, each.quantity.unit, _beside(each, schema)) for each in brought),
    ]


def _beside(brought: InputSchema, schema: Schema) -> tuple[str, ...]:
    """The records that may name `draft_model.format`: `draft_model` itself, or another one that it brings along.

    Those of a kind that it does not bring have no place beside it: other hardware brings formats, and no model.
    """
    naming = schema.kinds[brought.quantity.unit].suppliers
    kind = schema.inputs[brought.record].quantity.unit
    places = (brought.record if each == kind else f"{brought.record}.{each}" for each in naming)
    return tuple(each for each in places if each in schema.inputs)
