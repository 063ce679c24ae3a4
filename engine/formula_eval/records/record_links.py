"""Finds all records that hold for a question: those that it names, those that these name in turn, and defaults."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import Diagnostic, FormulaError, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import stands_aside
from formula_eval.library import Library
from formula_eval.records.origin import Origin
from formula_eval.records.record import NOTHING, RecordFile, SuppliedValues
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_names import named
from formula_eval.records.record_values import origin_of, read_record
from formula_eval.records.schema import InputSchema, Schema

WRONG_RECORD = "wrong-record"  # the code of what refuses a record beside one that is of another


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
    for name in [text for text in said if text in schema.kinds]:
        kind = schema.kinds[name]
        for bringing in (schema.kinds[supplier] for supplier in kind.suppliers if supplier not in found):
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
    """All records that hold; raises FormulaError for one that there is not, or that is of another one than holds."""
    held = Held({}, {}, {}, {})
    of = _what_they_are_of(said, schema, library)

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
        elif name in of and said.ids.keys().isdisjoint(suppliers):
            put(name, kind, *of[name])
        elif brought := _brought(name, kind, [each for each in suppliers if each in held.supplied], held, schema):
            put(name, kind, *brought)
    _refuse_others(of, {name: id_ for name, id_ in held.ids.items() if name not in said.own}, schema)
    return held


def _brought(
    name: str, kind: str, suppliers: Sequence[str], held: Held, schema: Schema
) -> tuple[str, str] | tuple[str, str, str] | None:
    """The record of a kind that nobody named, who says so, and where: another record, else a default."""
    naming = next((supplier for supplier in suppliers if kind in held.supplied[supplier].links), None)
    if naming is not None:
        origin = held.supplied[naming].origin
        return held.supplied[naming].links[kind], origin, origin
    if name == kind and schema.kinds[kind].default:
        return schema.kinds[kind].default, Origin.DEFAULT
    if name in schema.inputs and schema.inputs[name].fixed:
        return schema.inputs[name].fixed, Origin.DEFAULT, schema.inputs[name].place
    return None


def _refuse_others(of: Mapping[str, tuple[str, str]], held: Mapping[str, str], schema: Schema) -> None:
    """Refuse a record beside one that is of another: the price of one accelerator beside the times of another."""
    for name, (wanted, origin) in of.items():
        if held.get(name, wanted) != wanted:
            option = schema.kinds[name].option if name in schema.kinds else option_of(name)
            help_ = f"Leave one of them out, or name what it is of: {option} {wanted}."
            raise refuse(WRONG_RECORD, f"{origin} is of `{wanted}`, and not of `{held[name]}`", help=help_)


def _what_they_are_of(said: Said, schema: Schema, library: Library) -> dict[str, tuple[str, str]]:
    """The records that others say they are of, as an offer is of an accelerator, each with who says so."""
    found: dict[str, tuple[str, str]] = {}
    for name, kind, suppliers in record_places(schema):
        for place in suppliers if name in said.ids and name not in said.own else ():
            of = place if place in schema.kinds else schema.inputs[place].quantity.unit
            file = find_record(library, schema, kind, said.ids[name])
            if of in file.data:
                found[place] = (str(file.data[of]), origin_of(file, schema))
    return found


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
    own = [(record.name, record.quantity.unit, ()) for record in schema.records if not record.record]
    brought = sorted(
        (record for record in schema.records if record.record),
        key=lambda input_schema: list(kinds).index(input_schema.quantity.unit),
    )
    return [
        *((kind.name, kind.name, kind.suppliers) for kind in kinds.values()),
        *own,
        *((input_schema.name, input_schema.quantity.unit, _beside(input_schema, schema)) for input_schema in brought),
    ]


def _beside(brought: InputSchema, schema: Schema) -> tuple[str, ...]:
    """The records that may name `draft_model.format`: `draft_model` itself, or another one that it brings along.

    Those of a kind that it does not bring have no place beside it: other hardware brings formats, and no model.
    """
    naming = schema.kinds[brought.quantity.unit].suppliers
    kind = schema.inputs[brought.record].quantity.unit
    places = (brought.record if name == kind else f"{brought.record}.{name}" for name in naming)
    return tuple(place for place in places if place in schema.inputs)
