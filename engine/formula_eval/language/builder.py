"""Builds declarations from the parse tree: one method for each statement of the grammar."""

from fractions import Fraction
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.data_file import DataFile
from formula_eval.core.notes import Notes
from formula_eval.core.unit_meaning import UnitMeaning
from formula_eval.language.notes_builder import NotesBuilder, unquoted


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

    def choice(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *values, notes = parts
        self._check_words(values)
        words = tuple(str(value) for value in values)
        return d.ChoiceDeclaration(
            name=self._declared(name), values=words, notes=notes or Notes(), span=self._head(meta, name)
        )

    def record(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, path, default, suppliers, alias, notes = parts
        return d.RecordDeclaration(
            name=self._declared(name),
            path=str(path),
            default=str(default or ""),
            suppliers=suppliers or (),
            alias=self._declared(alias) if alias else "",
            notes=notes or Notes(),
            span=self._head(meta, name),
        )

    def suppliers(self, _meta: Meta, parts: list[Any]) -> tuple[str, ...]:
        return tuple(str(each) for each in parts)

    def input(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, default, supplier, domain, optional, notes = parts
        low, high, allowed = _domain(domain)
        return d.InputDeclaration(
            name=self._declared(name),
            type=type_,
            default=default and self._record_or_value(default),
            supplier=str(supplier or ""),
            low=low,
            high=high,
            allowed=allowed,
            optional=optional is not None,
            notes=notes or Notes(),
            span=self._head(meta, name),
        )

    def range(self, _meta: Meta, parts: list[Any]) -> list[e.Expression]:
        return parts

    def allowed(self, _meta: Meta, parts: list[Any]) -> tuple[e.Expression, ...]:
        return tuple(parts)

    def formula(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, (expression, notes) = parts
        return d.FormulaDeclaration(
            name=self._declared(name), type=type_, expression=expression, notes=notes, span=self._head(meta, name)
        )

    def function(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *parameters, type_, (expression, notes) = parts
        return d.FunctionDeclaration(
            name=self._declared(name),
            parameters=tuple(parameters),
            type=type_,
            expression=expression,
            notes=notes,
            span=self._head(meta, name),
        )

    def parameter(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_ = parts
        return d.ParameterDeclaration(name=self._declared(name), type=type_, span=self._head(meta, name))

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

    def arm_line(self, _meta: Meta, parts: list[Any]) -> e.Arm:
        return parts[0]  # type: ignore[no-any-return]

    def table(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, like, source, open_, notes, *rest = parts
        supplier, least, most = source if isinstance(source, tuple) else ("", 0, 0)
        made = source if isinstance(source, list) else []
        return d.TableDeclaration(
            name=self._declared(name),
            like=like,
            loops=tuple(each for each in made if isinstance(each, d.Loop)),
            file=next((each for each in made if isinstance(each, DataFile)), None),
            rows_of=source if isinstance(source, d.RowsOf) else None,
            supplier=supplier,
            at_least=least,
            at_most=most,
            open=open_ is not None,
            columns=tuple(part for part in rest if isinstance(part, d.ColumnDeclaration)),
            rows=tuple(part for part in rest if isinstance(part, d.RowDeclaration)),
            notes=notes or Notes(),
            span=self._head(meta, name),
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
        return d.ColumnDeclaration(
            name=self._declared(name), type=type_, notes=notes or Notes(), span=self._head(meta, name)
        )

    def supplied_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, default, supplier, domain, notes = parts
        low, high, allowed = _domain(domain)
        return d.ColumnDeclaration(
            name=self._declared(name),
            type=type_,
            default=default,
            supplier=str(supplier),
            low=low,
            high=high,
            allowed=allowed,
            notes=notes or Notes(),
            span=self._head(meta, name),
        )

    def computed_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, (expression, notes) = parts
        return d.ColumnDeclaration(
            name=self._declared(name), type=type_, expression=expression, notes=notes, span=self._head(meta, name)
        )

    def row(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, sentence, *cells = parts
        notes = Notes(sentence=unquoted(sentence)) if sentence else Notes()
        return d.RowDeclaration(
            name=self._declared(name), cells=tuple(filter(None, cells)), notes=notes, span=self._head(meta, name)
        )

    def cell(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return str(parts[0]), parts[1]

    def match_cell(self, meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return str(parts[0]), self._match(meta, parts[1:])

    def use(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        folder, *names = parts
        return d.UseDeclaration(name=folder, names=tuple(str(each) for each in names), span=self._head(meta, names[-1]))

    def folder(self, _meta: Meta, parts: list[Any]) -> str:
        return ".".join(str(part) for part in parts)

    def situation(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *bindings, notes = parts
        return d.SituationDeclaration(
            name=self._declared(name), bindings=tuple(bindings), notes=notes or Notes(), span=self._head(meta, name)
        )

    def setting(self, meta: Meta, parts: list[Any]) -> e.Binding:
        name, value = parts
        return e.Binding(name, self._record_or_value(value), span=self._span(meta))

    def setting_line(self, _meta: Meta, parts: list[Any]) -> e.Binding:
        return parts[0]  # type: ignore[no-any-return]

    def part(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, folder, *bindings, notes = parts
        return d.PartDeclaration(
            name=self._declared(name),
            folder=folder,
            bindings=tuple(filter(None, bindings)),
            notes=notes or Notes(),
            span=self._head(meta, name),
        )

    def binding_line(self, _meta: Meta, parts: list[Any]) -> e.Binding | e.Situation:
        return parts[0]  # type: ignore[no-any-return]

    def check(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, level, condition, notes = parts
        notes = notes or Notes()
        message = self._message(notes.sentence)
        return d.CheckDeclaration(
            name=self._declared(name),
            level=str(level),
            condition=condition,
            message=tuple(part for part, _ in message),
            units=tuple(unit for _, unit in message),
            notes=notes,
            span=self._head(meta, name),
        )

    def extension(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, (operator, term), condition, notes = parts
        return d.ExtensionDeclaration(
            name=".".join(name.path),
            term=term,
            condition=condition,
            operator=operator,
            notes=notes or Notes(),
            span=self._span(meta).to(name.span),
        )

    def change(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        operator, term = parts
        return str(operator), term

    def and_change(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return "and", parts[0]

    def or_change(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return "or", parts[0]

    def at_most_change(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return "at most", parts[0]

    def at_least_change(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return "at least", parts[0]

    def added_rows(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *rows = parts
        return d.AddedRowsDeclaration(name=".".join(name.path), rows=tuple(rows), span=self._span(meta).to(name.span))

    def replacement(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, (expression, notes) = parts
        return d.ReplacementDeclaration(
            name=".".join(name.path), expression=expression, notes=notes, span=self._span(meta).to(name.span)
        )

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


def _domain(
    domain: list[e.Expression] | tuple[e.Number, ...] | None,
) -> tuple[e.Expression | None, e.Expression | None, tuple[e.Number, ...]]:
    """The ends of a range, or the values that are allowed."""
    if isinstance(domain, list):
        low, high = domain
        return low, high, ()
    return None, None, domain or ()
