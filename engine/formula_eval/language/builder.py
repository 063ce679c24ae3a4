"""Parse tree to declarations: one method for each statement and note of the grammar."""

import re
from typing import TYPE_CHECKING, Any

from lark import Token, v_args
from lark.tree import Meta

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.span import NOWHERE, Span
from formula_eval.core.unit import UnitTable
from formula_eval.language.expression_builder import ExpressionBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

_QUOTED = re.compile(r"\{([^{}]*)\}")


@v_args(meta=True)
class Builder(ExpressionBuilder):
    """Builds one statement at a time; `start_statement` says where the statement stands in its file."""

    def __init__(self, units: UnitTable) -> None:
        """Read units from this table."""
        super().__init__(units)
        self._sentence = NOWHERE
        self.parse_inner: Callable[[str, Span], e.Expression | None] = lambda _text, _span: None

    # -- statements

    def start(self, _meta: Meta, parts: list[Any]) -> d.Declaration:
        return next(part for part in parts if isinstance(part, d.Declaration))

    def choice(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, *values, notes = parts
        self._check_words(values)
        words = tuple(str(value) for value in values)
        return d.ChoiceDeclaration(
            name=self._declared(name), values=words, notes=notes or d.Notes(), span=self._head(meta, name)
        )

    def input(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, default, supplier, domain, optional, notes = parts
        low, high, allowed = _domain(domain)
        return d.InputDeclaration(
            name=self._declared(name),
            type=type_,
            default=default,
            supplier=str(supplier or ""),
            low=low,
            high=high,
            allowed=allowed,
            optional=optional is not None,
            notes=notes or d.Notes(),
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

    def body(self, _meta: Meta, parts: list[Any]) -> tuple[e.Expression, d.Notes]:
        expression, notes = parts
        return expression, notes or d.Notes()

    def match_body(self, meta: Meta, parts: list[Any]) -> tuple[e.Expression, d.Notes]:
        *parts, notes = parts
        return self._match(meta, parts), notes or d.Notes()

    def arm_line(self, _meta: Meta, parts: list[Any]) -> e.Arm:
        return parts[0]  # type: ignore[no-any-return]

    def table(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, supplier, least, most, notes, *rest = parts
        return d.TableDeclaration(
            name=self._declared(name),
            supplier=str(supplier or ""),
            at_least=self._rows(least),
            at_most=self._rows(most),
            columns=tuple(part for part in rest if isinstance(part, d.ColumnDeclaration)),
            rows=tuple(part for part in rest if isinstance(part, d.RowDeclaration)),
            notes=notes or d.Notes(),
            span=self._head(meta, name),
        )

    def _rows(self, token: Token | None) -> int:
        if token is None or str(token).replace("_", "").isdigit():
            return int(str(token or "0").replace("_", "")[:9])
        self._find("bad-number", f"`{token}` is not a number of rows", self._span(token), "Write a whole number.")
        return 1

    def open_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, notes = parts
        return d.ColumnDeclaration(
            name=self._declared(name), type=type_, notes=notes or d.Notes(), span=self._head(meta, name)
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
            notes=notes or d.Notes(),
            span=self._head(meta, name),
        )

    def computed_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, (expression, notes) = parts
        return d.ColumnDeclaration(
            name=self._declared(name), type=type_, expression=expression, notes=notes, span=self._head(meta, name)
        )

    def row(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, sentence, *cells = parts
        notes = d.Notes(sentence=_unquoted(sentence)) if sentence else d.Notes()
        return d.RowDeclaration(name=self._declared(name), cells=tuple(cells), notes=notes, span=self._head(meta, name))

    def cell(self, _meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return str(parts[0]), parts[1]

    def match_cell(self, meta: Meta, parts: list[Any]) -> tuple[str, e.Expression]:
        return str(parts[0]), self._match(meta, parts[1:])

    def check(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, level, condition, notes = parts
        notes = notes or d.Notes()
        return d.CheckDeclaration(
            name=self._declared(name),
            level=str(level),
            condition=condition,
            message=self._message(notes.sentence),
            notes=notes,
            span=self._head(meta, name),
        )

    def _message(self, sentence: str) -> tuple[str | e.Expression, ...]:
        """The sentence just read, in parts: texts, and the expressions that stand between braces."""
        parts: list[str | e.Expression] = []
        end = 0
        place = self._sentence
        for quoted in _QUOTED.finditer(sentence):
            column = place.column + 1 + quoted.start(1)
            span = Span(place.file, place.line, column, place.line, column + len(quoted[1]))
            inner = self.parse_inner(quoted[1], span)
            parts += [sentence[end : quoted.start()], inner if inner is not None else quoted[0]]
            end = quoted.end()
        return tuple(part for part in (*parts, sentence[end:]) if part != "")

    # -- notes

    def notes(self, _meta: Meta, parts: list[Any]) -> d.Notes:
        found: dict[str, list[Any]] = {
            "sentence": [],
            "symbol": [],
            "source": [],
            "derived": [],
            "note": [],
            "example": [],
        }
        for kind, value, span in parts:
            if kind in ("sentence", "symbol", "derived") and found[kind]:
                self._find("second-note", f"A second {kind}", span, f"Keep one {kind}; `note` takes further remarks.")
            found[kind].append(value)
        return d.Notes(
            sentence=next(iter(found["sentence"]), ""),
            symbol=next(iter(found["symbol"]), ""),
            sources=tuple(found["source"]),
            derived=next(iter(found["derived"]), ""),
            remarks=tuple(found["note"]),
            examples=tuple(found["example"]),
        )

    def sentence(self, meta: Meta, parts: list[Any]) -> tuple[str, str, Span]:
        self._sentence = self._span(meta)
        return "sentence", _unquoted(parts[0]), self._sentence

    def symbol(self, meta: Meta, parts: list[Any]) -> tuple[str, str, Span]:
        return "symbol", _unquoted(parts[0]), self._span(meta)

    def remark(self, meta: Meta, parts: list[Any]) -> tuple[str, str, Span]:
        return "note", _unquoted(parts[0]), self._span(meta)

    def derived(self, meta: Meta, parts: list[Any]) -> tuple[str, str, Span]:
        return "derived", _unquoted(parts[0]), self._span(meta)

    def source(self, meta: Meta, parts: list[Any]) -> tuple[str, d.Source, Span]:
        key, locator = parts
        span = self._span(meta)
        return "source", d.Source(str(key), _unquoted(locator) if locator else "", span), span

    def example(self, meta: Meta, parts: list[Any]) -> tuple[str, d.Example, Span]:
        *givens, expected = parts
        span = self._span(meta)
        return "example", d.Example(tuple(each for each in givens if each), expected, span), span

    def given(self, _meta: Meta, parts: list[Any]) -> tuple[str, str | e.Expression]:
        name, value = parts
        return ".".join(name.path), value

    def word(self, meta: Meta, parts: list[Any]) -> str | e.Expression:
        if parts[0].type == "WORD":
            return str(parts[0])
        return e.Name((str(parts[0]),), span=self._span(meta))


def _domain(
    domain: list[e.Expression] | tuple[e.Number, ...] | None,
) -> tuple[e.Expression | None, e.Expression | None, tuple[e.Number, ...]]:
    """The ends of a range, or the values that are allowed."""
    if isinstance(domain, list):
        low, high = domain
        return low, high, ()
    return None, None, domain or ()


def _unquoted(token: Token) -> str:
    return str(token)[1:-1]
