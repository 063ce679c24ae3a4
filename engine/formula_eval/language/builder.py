"""Builds declarations from the parse tree: one method for each statement of the grammar."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.data_file import DataFile
from formula_eval.core.notes import Notes
from formula_eval.core.unit_meaning import UnitMeaning
from formula_eval.language.notes_builder import NotesBuilder, unquoted


def _worded(operator: str) -> Callable[[Any, Meta, list[Any]], tuple[str, e.Expression]]:
    """Builds the method of a change by a term whose operator is a word."""

    def change(_builder: "Builder", _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return operator, parts[0]

    return change


@v_args(meta=True)
class Builder(NotesBuilder):
    """Builds one statement at a time; `start_statement` says where the statement stands in its file."""

    def start(self, _meta: Meta, parts: list[Any]) -> d.Declaration:
        declared = next(part for part in parts if isinstance(part, d.Declaration))
        for each in (declared, *getattr(declared, "columns", ())):
            if each.notes.interval is not None and not isinstance(each, d.FormulaDeclaration):
                help_ = "Write it beneath a formula, which then has a low and a high end; drop it here."
                self._find("interval-place", "Only a formula has an interval", each.notes.interval.span, help_)
        return declared

    def _statement(
        self,
        kind: type[d.Declaration],
        meta: Meta,
        name: Token,
        notes: Notes | None,
        **said: Any,  # noqa: ANN401 - fields
    ) -> d.Declaration:
        """A statement of a kind that declares a name, with its notes and what else it says."""
        return kind(name=self._declared(name), notes=notes or Notes(), span=self._head(meta, name), **said)

    def _change(
        self,
        kind: type[d.Declaration],
        meta: Meta,
        name: e.Name,
        notes: Notes | None,
        **said: Any,  # noqa: ANN401 - fields
    ) -> d.Declaration:
        """A change of a kind to what another chapter declares."""
        return kind(name=".".join(name.path), notes=notes or Notes(), span=self._span(meta).to(name.span), **said)

    def choice(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *values, notes = parts
        self._check_words(values)
        return self._statement(d.ChoiceDeclaration, meta, name, notes, values=tuple(map(str, values)))

    def record(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, path, default, suppliers, alias, notes = parts
        return self._statement(
            d.RecordDeclaration,
            meta,
            name,
            notes,
            path=str(path),
            default=str(default or ""),
            suppliers=suppliers or (),
            alias=self._declared(alias) if alias else "",
        )

    def suppliers(self, _meta: Meta, parts: list[Any]) -> tuple[str, ...]:
        return tuple(str(part) for part in parts)

    def input(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, default, supplier, domain, optional, notes = parts
        default = default and self._record_or_value(default)
        supplied = {"type": type_, "default": default, "supplier": str(supplier or ""), **(domain or {})}
        return self._statement(d.InputDeclaration, meta, name, notes, **supplied, optional=optional is not None)

    def range(self, _meta: Meta, parts: list[Any]) -> dict[str, e.Expression]:
        low, high = parts
        return {"low": low, "high": high}

    def allowed(self, _meta: Meta, parts: list[Any]) -> dict[str, tuple[e.Expression, ...]]:
        return {"allowed": tuple(parts)}

    def formula(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, (expression, notes) = parts
        return self._statement(d.FormulaDeclaration, meta, name, notes, type=type_, expression=expression)

    def function(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *parameters, type_, (expression, notes) = parts
        computed = {"type": type_, "expression": expression}
        return self._statement(d.FunctionDeclaration, meta, name, notes, parameters=tuple(parameters), **computed)

    def parameter(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_ = parts
        return self._statement(d.ParameterDeclaration, meta, name, None, type=type_)

    def body(self, _meta: Meta, parts: list[Any]) -> tuple[e.Expression, Notes]:
        return self._body(parts[0], parts[1:])

    def match_body(self, meta: Meta, parts: list[Any]) -> tuple[e.Expression, Notes]:
        last = max(number for number, part in enumerate(parts) if isinstance(part, e.Arm))
        return self._body(self._match(meta, parts[: last + 1]), parts[last + 1 :])

    def _body(self, value: e.Expression, beneath: list[Any]) -> tuple[e.Expression, Notes]:
        pieces = tuple(part for part in beneath if isinstance(part, e.NamedPiece))
        notes = next((part for part in beneath if isinstance(part, Notes)), Notes())
        return e.Where(value, pieces, span=value.span) if pieces else value, notes

    def piece(self, meta: Meta, parts: list[Any]) -> e.NamedPiece:
        name, type_, value = parts
        return e.NamedPiece(self._declared(name), value, type_, span=self._head(meta, name))

    def arm_line(self, _meta: Meta, parts: list[Any]) -> e.Arm | e.Binding | e.Situation:
        return parts[0]  # type: ignore[no-any-return]

    setting_line = binding_line = arm_line

    def table(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, like, source, open_, notes, *rest = parts
        supplier, least, most = source if isinstance(source, tuple) else ("", 0, 0)
        made = source if isinstance(source, list) else []
        return self._statement(
            d.TableDeclaration,
            meta,
            name,
            notes,
            like=like,
            loops=tuple(loop for loop in made if isinstance(loop, d.Loop)),
            file=next((file for file in made if isinstance(file, DataFile)), None),
            rows_of=source if isinstance(source, d.RowsOf) else None,
            supplier=supplier,
            at_least=least,
            at_most=most,
            open=open_ is not None,
            columns=tuple(part for part in rest if isinstance(part, d.ColumnDeclaration)),
            rows=tuple(part for part in rest if isinstance(part, d.RowDeclaration)),
        )

    def records(self, _meta: Meta, parts: list[Any]) -> tuple[str, int, int]:
        supplier, least, most = parts
        return str(supplier), self._many(least, "rows"), self._many(most, "rows")

    def choice_loop(self, meta: Meta, parts: list[Any]) -> list[d.Loop]:
        return [d.Loop(str(parts[0]), span=self._span(meta))]

    def loops(self, _meta: Meta, parts: list[Any]) -> list[d.Loop | DataFile]:
        *indices, path = parts
        return [*indices, *([DataFile(str(path), self._span(path))] if path is not None else [])]

    def list_loop(self, meta: Meta, parts: list[Any]) -> d.Loop:
        name, *values = parts
        return d.Loop(self._declared(name), tuple(values), span=self._span(meta))

    def range_loop(self, meta: Meta, parts: list[Any]) -> d.Loop:
        name, low, high, most = parts
        return d.Loop(self._declared(name), (low,), high, self._many(most, "values"), self._span(meta))

    def rows_of(self, meta: Meta, parts: list[Any]) -> d.RowsOf:
        row, table, condition = parts
        return d.RowsOf(self._declared(row), table, condition, self._span(meta))

    def open_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, notes = parts
        return self._statement(d.ColumnDeclaration, meta, name, notes, type=type_)

    def supplied_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, default, supplier, domain, notes = parts
        supplied = {"type": type_, "default": default, "supplier": str(supplier), **(domain or {})}
        return self._statement(d.ColumnDeclaration, meta, name, notes, **supplied)

    def computed_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, (expression, notes) = parts
        return self._statement(d.ColumnDeclaration, meta, name, notes, type=type_, expression=expression)

    def row(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, sentence, *cells = parts
        notes = Notes(sentence=unquoted(sentence)) if sentence else None
        return self._statement(d.RowDeclaration, meta, name, notes, cells=tuple(filter(None, cells)))

    def cell(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return str(parts[0]), parts[1]

    def match_cell(self, meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return str(parts[0]), self._match(meta, parts[1:])

    def use(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        folder, *names = parts
        return d.UseDeclaration(name=folder, names=tuple(str(name) for name in names), span=self._head(meta, names[-1]))

    def folder(self, _meta: Meta, parts: list[Any]) -> str:
        return ".".join(str(part) for part in parts)

    def situation(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *bindings, notes = parts
        return self._statement(d.SituationDeclaration, meta, name, notes, bindings=tuple(bindings))

    def setting(self, meta: Meta, parts: list[Any]) -> e.Binding:
        name, value = parts
        return e.Binding(name, self._record_or_value(value), span=self._span(meta))

    def part(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, folder, *bindings, notes = parts
        bindings = list(filter(None, bindings))
        return self._statement(d.PartDeclaration, meta, name, notes, folder=folder, bindings=tuple(bindings))

    def check(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, level, condition, notes = parts
        message = self._message(notes.sentence if notes else "")
        said = {"message": tuple(part for part, _ in message), "units": tuple(unit for _, unit in message)}
        return self._statement(d.CheckDeclaration, meta, name, notes, level=str(level), condition=condition, **said)

    def extension(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, (operator, term), condition, notes = parts
        said = {"term": term, "condition": condition, "operator": operator}
        return self._change(d.ExtensionDeclaration, meta, name, notes, **said)

    def change(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        operator, term = parts
        return str(operator), term

    and_change = _worded("and")
    or_change = _worded("or")
    at_most_change = _worded("at most")
    at_least_change = _worded("at least")

    def added_rows(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *rows = parts
        return self._change(d.AddedRowsDeclaration, meta, name, None, rows=tuple(rows))

    def replacement(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, (expression, notes) = parts
        return self._change(d.ReplacementDeclaration, meta, name, notes, expression=expression)

    def unit(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, (kind, number, of), *forms, notes = parts
        meaning = UnitMeaning(str(name), kind, number, of, tuple(str(form) for form in forms if form))
        return d.UnitDeclaration(name=str(name), meaning=meaning, notes=notes or Notes(), span=self._head(meta, name))

    def base_unit(self, _meta: Meta, _parts: list[Any]) -> tuple[str, str, str]:
        return "base", "1", ""

    def count_unit(self, _meta: Meta, parts: list[Any]) -> tuple[str, str, str]:
        return "checked" if parts[0] else "count", "1", ""

    def multiple_unit(self, meta: Meta, parts: list[Any]) -> tuple[str, str, str]:
        above, below, of = parts
        values = [self._plain(meta, part) for part in (above, below) if part]
        if not all(values):
            help_ = "Write how many of it: `unit km = 1000 m`, `unit bit = 1/8 byte`."
            self._find("bad-unit", "A unit is a number of another one, and not 0 of it", self._span(meta), help_)
        return "multiple", f"{above}/{below}" if below else str(above), str(of or "")

    def _plain(self, meta: Meta, token: Token) -> Fraction:
        number = self._number(meta, str(token), "")
        return number.value if isinstance(number, e.Number) else Fraction(0)
