"""Varies givens: those of the same question with another record, or with none of its kind."""

from formula_eval.library import Library
from formula_eval.records.givens import Givens, Question, givens_of
from formula_eval.records.origin import Origin
from formula_eval.records.record_values import origin_of
from formula_eval.records.schema import Schema


def with_record(givens: Givens, kind: str, wanted: str, schema: Schema, library: Library) -> Givens | None:
    """The givens as if this record had been named too; None where it is in use. Raises FormulaError."""
    named = {**_named(givens, schema, kind), kind: wanted}
    other = givens_of(Question(named), schema, library)
    return None if other.records.get(kind) == givens.records.get(kind) else _with_own(other, givens, schema)


def without_record(givens: Givens, kind: str, schema: Schema, library: Library) -> tuple[Givens, list[str]]:
    """The givens as if nobody had named a record of this kind nor a value that it supplies, and what was left out."""
    named = _named(givens, schema, kind)
    values = [name for name in _own(givens, schema) if schema.inputs[name].supplier == kind]
    other = _with_own(
        givens_of(Question({k: v for k, v in named.items() if k != kind}), schema, library), givens, schema
    )
    kept = {name: value for name, value in other.values.items() if name not in values}
    return other._replace(values=kept), [*([kind] if kind in named else []), *values]


def _with_own(other: Givens, givens: Givens, schema: Schema) -> Givens:
    """Other givens, with what a user set of these."""
    own = _own(givens, schema)
    origins = {name: givens.origins[name] for name in own if name in givens.origins}
    return other._replace(values={**other.values, **own}, origins={**other.origins, **origins})


def _of_records(givens: Givens, schema: Schema) -> set[str]:
    """How records are named where they are the origin of something."""
    return {origin_of(file, schema) for file in givens.files.values()}


def _own(givens: Givens, schema: Schema) -> dict[str, float]:
    """The values that no record gave."""
    records = _of_records(givens, schema)
    return {name: value for name, value in givens.values.items() if givens.origins.get(name) not in records}


def _named(givens: Givens, schema: Schema, kind: str) -> dict[str, str]:
    """The records that were named, but for defaults and what the record of this kind brought, itself or by others."""
    origins, dropped = givens.record_origins, {kind}
    while more := {
        name
        for name in givens.records.keys() - dropped
        if origins.get(name) in {origin_of(givens.files[name], schema) for name in dropped if name in givens.files}
    }:
        dropped |= more
    if origins.get(kind) not in _of_records(givens, schema):
        dropped.discard(kind)
    return {
        name: wanted
        for name, wanted in givens.records.items()
        if name not in dropped and origins.get(name) != Origin.DEFAULT
    }
