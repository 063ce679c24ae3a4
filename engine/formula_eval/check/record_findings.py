"""Finds what is wrong with the records of a library: keys, values, names of other records, and facts."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from formula_eval.check.held_graph import HeldGraph
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label, nearest
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import RecordKind
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.required_choices import refusal
from formula_eval.evaluate.value import typed_value
from formula_eval.library import Library
from formula_eval.records.givens import Question, givens_of
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import find_record, records_in
from formula_eval.records.record_links import record_named_at
from formula_eval.records.record_values import origin_of, read_record
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import read_value

_ROUNDING = 1e-9


def record_findings(
    held: HeldGraph, folders: Iterable[Path], graph: FormulaGraph, chapters: Iterable[d.Chapter]
) -> Iterator[Diagnostic]:
    """Everything wrong with the records of these folders, and with the kinds that these chapters declare."""
    library, schema = held.library, held.schema
    for chapter in chapters:
        for declaration in chapter.declarations:
            if isinstance(declaration, d.RecordDeclaration) and declaration.name in schema.kinds:
                yield from _wrong_kind(declaration, schema, library)
    yield from _unknown_literals(graph, schema, library)
    sound: list[RecordFile] = []
    for folder in folders:
        for kind in schema.kinds.values():
            yield from _wrong_records(library, kind, folder, schema, sound)
    # A record that a later folder replaces is checked there, with what that folder declares.
    held_here = (record for record in sound if _found_as(library, schema, record) == record.shown)
    yield from wrong_facts(held_here, held)


def _found_as(library: Library, schema: Schema, record: RecordFile) -> str:
    """The file in which questions find the record of this name."""
    return find_record(library, schema, record.supplier, record.id).shown


def _unknown_literals(graph: FormulaGraph, schema: Schema, library: Library) -> Iterator[Diagnostic]:
    """Find names in formulas that should be records but are not."""
    for name, input_schema in schema.inputs.items():
        if input_schema.fixed:
            try:
                find_record(library, schema, input_schema.quantity.unit, input_schema.fixed)
            except FormulaError as error:
                why = error.diagnostics[0]
                yield Diagnostic("unknown-record", why.message, (Label(graph.nodes[name].declaration.span),), why.help)


def _wrong_kind(declared: d.RecordDeclaration, schema: Schema, library: Library) -> Iterator[Diagnostic]:
    """Find a folder or file that is nowhere, and a default that is not a record."""
    label = (Label(declared.span),)
    if not any((folder / declared.path).exists() for folder in library.folders):
        message = f"There is no `{declared.path}` for records of the kind `{declared.name}`"
        what = "Make the folder, a TOML file in it for each record" if declared.path.endswith("/") else "Write the file"
        yield Diagnostic("no-records", message, label, f"{what}, beside formulas/.")
        return
    try:
        if declared.default:
            find_record(library, schema, declared.name, declared.default)
    except FormulaError as error:
        yield Diagnostic("unknown-record", error.diagnostics[0].message, label, error.diagnostics[0].help)


def _wrong_records(
    library: Library, kind: RecordKind, folder: Path, schema: Schema, sound: list[RecordFile]
) -> Iterator[Diagnostic]:
    """Find what is wrong with the values of records; adds those without errors to `sound`."""
    try:
        for record in records_in(library, kind, folder):
            try:
                supplied = read_record(record, schema)
                for linked, name in supplied.links.items():
                    record_named_at(supplied.origin, library, schema, linked, name)
                sound.append(record)
            except FormulaError as error:
                yield from error.diagnostics
    except FormulaError as error:
        yield from error.diagnostics


def wrong_facts(records: Iterable[RecordFile], held: HeldGraph) -> Iterator[Diagnostic]:
    """Find facts that do not hold where all but the record is at its default; one program computes all of them."""
    library, schema = held.library, held.schema
    tables: list[tuple[RecordFile, Mapping[str, Any]]] = []
    for record in (each for each in records if "facts" in each.data):
        facts = record.data["facts"]
        if isinstance(facts, dict):
            tables.append((record, facts))
        else:
            yield Diagnostic(
                "wrong-fact", f"{origin_of(record, schema)}: `facts` is not a table", (), "Write `[facts]`."
            )
    if not tables:
        return
    known = dict.fromkeys(name for _, facts in tables for name in facts if name in schema.formulas)
    program = held.program(tuple(known))
    for record, facts in tables:
        yield from _Facts(record, schema, library).wrong(facts, program)


@dataclass(frozen=True, slots=True)
class _Facts:
    """Checks the facts of one record."""

    record: RecordFile
    schema: Schema
    library: Library

    def wrong(self, facts: Mapping[str, Any], program: Program) -> Iterator[Diagnostic]:
        """Yields findings for facts that name no formula, and for those that differ from the computed value."""
        known = {name: fact for name, fact in facts.items() if name in self.schema.formulas}
        for name in facts.keys() - known.keys():
            help_ = nearest(name, self.schema.formulas)
            yield self._finding(f"the fact `{name}` is not a formula", help_)
        if not known:
            return
        question = Question({self.record.supplier: self.record.id})
        try:
            givens = givens_of(question, self.schema, self.library).values
            numbers = program.evaluate(givens)
            for name, fact in known.items():
                if self.schema.unchosen(name, givens):
                    raise refusal(name, givens, self.schema)
                yield from self._different(name, fact, numbers, program)
        except FormulaError as error:
            yield self._finding(f"its facts cannot be computed: {error.diagnostics[0].message}", "")

    def _different(
        self, name: str, fact: object, numbers: Mapping[str, float], program: Program
    ) -> Iterator[Diagnostic]:
        quantity, number = self.schema.quantity(name), float(numbers[name])
        within = float(fact.get("within", 0)) if isinstance(fact, dict) else 0.0
        expected = self._expected(name, fact, quantity)
        if not math.isclose(number, expected, rel_tol=max(within, _ROUNDING), abs_tol=0):
            missing = program.why_absent(numbers, name)
            gives = f"is absent: `{missing}` was not given" if missing else f"is {_shown(number, quantity)}"
            message = f"`{name}` {gives}, not the stated {_shown(expected, quantity)}"
            message += f" within {100 * within:g}%" if within else ""
            yield self._finding(message, "Correct the record, its fact or the formula.")

    def _expected(self, name: str, fact: object, quantity: Quantified) -> float:
        """The number that a fact states, alone or as the `value` of a table; one without a unit is in base units."""
        value = fact.get("value") if isinstance(fact, dict) else fact
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        described = InputSchema(name, quantity, "What the record states as a fact", "", low=-math.inf)
        return float(read_value(value, described, self.schema.units, f"{origin_of(self.record, self.schema)} [facts]"))

    def _finding(self, message: str, help_: str) -> Diagnostic:
        return Diagnostic("wrong-fact", f"{origin_of(self.record, self.schema)}: {message}", (), help_)


def _shown(number: float, quantity: Quantified) -> str:
    """A number with every digit where it is a count or a whole number of base units, and those are its unit."""
    whole = math.isfinite(number) and number == math.floor(number) and not quantity.is_multiple
    if whole and quantity.kind in ("number", "whole"):
        return f"{number:,.0f} {quantity.dimension}".rstrip()
    return shown_value(typed_value(number, quantity) if math.isfinite(number) else number, quantity)
