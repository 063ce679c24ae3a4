"""Builds types, numbers and expressions from the parse tree: one method for each rule of the grammar."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from formula_eval.core import expression as e
from formula_eval.core.date import DATE, seconds_of
from formula_eval.core.diagnostic import Diagnostic, Label, nearest, nearest_unit
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable, UnknownUnitError
from formula_eval.core.unit_words import spoken_help
from formula_eval.language.keywords import reserved_words

_MONTHS = "`months_later(start, 1)` moves a date by months of the calendar; a time is `30 day`, or `1/12 year`."
_UNITS = "`formula-eval list units` shows all; `unit km = 1000 m` declares one more."
_MOST_DIGITS = 40
_MOST_EXPONENT = 300
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def _built(kind: type[e.Expression], *words: str) -> Callable[["ExpressionBuilder", Meta, list[Any]], e.Expression]:
    """Builds the method of a rule whose parts are those of an expression, behind these words."""

    def made(builder: "ExpressionBuilder", meta: Meta, parts: list[Any]) -> e.Expression:
        return kind(*words, *parts, span=builder._span(meta))  # noqa: SLF001 - a method of it

    return made


@v_args(meta=True)
class ExpressionBuilder(Transformer[Any, Any]):
    """Builds what stands within a statement, and says where it stands in its file."""

    def __init__(self, units: UnitTable) -> None:
        """Read units from this table."""
        super().__init__()
        self._units = units
        self._file = ""
        self._before = 0
        self.findings: list[Diagnostic] = []

    def start_statement(self, file: str, lines_before: int) -> None:
        """Forget the last statement; the next one begins after so many lines of this file."""
        self._file, self._before = file, lines_before
        self.findings = []

    def at_line(self, lines_before: int) -> int:
        """Take what follows as standing after so many lines of the file; returns how many it was before."""
        earlier, self._before = self._before, lines_before
        return earlier

    # -- places and findings

    def _span(self, meta: Meta | Token) -> Span:
        before = self._before
        line, end_line = meta.line or 1, meta.end_line or 1
        return Span(self._file, line + before, meta.column or 1, end_line + before, meta.end_column or 1)

    def _head(self, meta: Meta, name: Token) -> Span:
        """From the first word of a statement to the name it declares."""
        return self._span(meta).to(self._span(name))

    def _find(self, code: str, message: str, span: Span, help: str = "") -> None:  # noqa: A002 - the field's name
        self.findings.append(Diagnostic(code, message, (Label(span),), help))

    def _many(self, token: Token | None, what: str) -> int:
        """The whole number that was written, or 0 for none."""
        if token is None:
            return 0
        digits = token.replace("_", "")
        if digits.isdigit():
            return int(digits[:16])
        self._find("bad-number", f"`{token}` is not a number of {what}", self._span(token), "Write a whole number.")
        return 1

    def _declared(self, token: Token) -> str:
        name = str(token)
        span = self._span(token)
        if name in reserved_words():
            self._find("reserved-name", f"`{name}` is a word of the language", span, "Choose another name.")
        elif not _NAME.fullmatch(name):
            apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")
            help_ = f"Write `{apart or 'x'}`."
            self._find("bad-name", f"`{name}` is not a name in lower case", span, help_)
        return name

    # -- types and numbers

    def type(self, meta: Meta, parts: list[Any]) -> e.TypeText:
        words = tuple(str(part) for part in parts)
        if len(words) > 1:
            self._check_words(parts)
        return e.TypeText(words, self._span(meta))

    def _check_words(self, parts: list[Token]) -> None:
        """The words of a choice: each a name, and each once."""
        words = [self._declared(part) for part in parts]
        twice = next((part for number, part in enumerate(parts) if str(part) in words[:number]), None)
        if twice is not None:
            message = f"`{twice}` stands twice in this choice"
            self._find("duplicate-value", message, self._span(twice), "Remove one of them.")

    def number(self, meta: Meta, parts: list[Any]) -> e.Expression:
        text, unit = parts
        return self._number(meta, str(text), str(unit or ""))

    def compound_number(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return self._number(meta, str(parts[0]), str(parts[1]))

    def date(self, meta: Meta, parts: list[Any]) -> e.Expression:
        text, span = str(parts[0]), self._span(meta)
        seconds = seconds_of(text)
        if seconds is None:
            help_ = "A date is written `2026-11-22`: year, month, day."
            self._find("bad-date", f"`{text}` is not a day of the calendar", span, help_)
        return e.Number(text, DATE, Fraction(seconds or 0), span=span)

    def _number(self, meta: Meta, text: str, unit: str) -> e.Expression:
        span = self._span(meta)
        scale = Fraction(1)
        if unit:
            try:
                scale = self._units.parse(unit).scale
            except UnknownUnitError as unknown:
                help_ = spoken_help(str(unknown), self._units)
                if not help_ and len(unit) > 1:
                    help_ = nearest(str(unknown), self._units.units)
                if not help_:
                    near = nearest_unit(unit, self._units.units) if len(unit) == 1 else ""
                    product = f"A product is written with `*`: `{text} * {unit}`."
                    help_ = f"{near} {product}".strip() if unit.isalpha() else _UNITS
                    help_ = _MONTHS if unit in ("month", "months") else help_
                self._find("unknown-unit", f"Unknown unit `{unknown}`", span, help_)
        value = _value(text, scale)
        if value is None:
            self._find("huge-number", f"The number {text[:20]} is out of range", span, "At most 1e300, in 40 digits.")
        return e.Number(text, unit, value or Fraction(0), span=span)

    negative = negative_compound = negate = _built(e.Negate)
    infinity = _built(e.Infinity)

    def flag(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.FlagValue(parts[0] == "true", span=self._span(meta))

    def text(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.ChoiceValue(str(parts[0])[1:-1], 0, span=self._span(meta))

    # -- expressions

    def name(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Name(tuple(str(part) for part in parts), span=self._span(meta))

    conditional = _built(e.Conditional)
    logical_or = _built(e.Logical, "or")
    logical_and = _built(e.Logical, "and")
    negation = _built(e.Not)

    def compare(self, meta: Meta, parts: list[Any]) -> e.Expression:
        left, operator, right = parts
        return e.Compare(str(operator), left, right, span=self._span(meta))

    def binary(self, meta: Meta, parts: list[Any]) -> e.Expression:
        left, operator, right = parts
        return e.Binary(str(operator), left, right, span=self._span(meta))

    power = _built(e.Binary, "**")
    recurrence = _built(e.Recurrence)

    def call(self, meta: Meta, parts: list[Any]) -> e.Expression:
        name, *arguments = parts
        given = tuple(argument for argument in arguments if argument is not None)
        return e.Call(".".join(name.path), given, span=self._span(meta))

    def comprehension(self, meta: Meta, parts: list[Any]) -> e.Expression:
        name, value, row, table, condition = parts
        return e.Comprehension(".".join(name.path), value, str(row), table, condition, span=self._span(meta))

    def lookup(self, meta: Meta, parts: list[Any]) -> e.Expression:
        table, row, column = parts
        return e.Lookup(table, row, str(column), span=self._span(meta))

    def solve(self, meta: Meta, parts: list[Any]) -> e.Expression:
        largest, unknown, low, high, most, within, condition, otherwise = parts
        return e.Solve(
            self._declared(unknown),
            low,
            high,
            condition,
            otherwise,
            largest is not None,
            self._many(most, "values"),
            within,
            span=self._span(meta),
        )

    def binding(self, meta: Meta, parts: list[Any]) -> e.Expression:
        name, value = parts
        if value is None:
            return e.Situation(name, span=self._span(meta))
        return e.Binding(name, self._record_or_value(value), span=self._span(meta))

    def _record_or_value(self, part: Token | e.Expression) -> e.Expression:
        """The id of a record as a name, which may have a dash in it; all else as it is."""
        return e.Name((str(part),), span=self._span(part)) if isinstance(part, Token) else part

    def with_inputs(self, meta: Meta, parts: list[Any]) -> e.Expression:
        value, *bindings = parts
        return e.With(value, tuple(bindings), span=self._span(meta))

    def arm(self, meta: Meta, parts: list[Any]) -> e.Expression:
        *patterns, value = parts
        return e.Arm(tuple(patterns), value, span=self._span(meta))

    def _match(self, meta: Meta, parts: list[Any]) -> e.Expression:
        subject, *arms = parts
        span = subject.span.to(arms[-1].span) if arms else self._span(meta)
        return e.Match(subject, tuple(arms), span=span)

    def inline_match(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return self._match(meta, parts)


def _value(text: str, scale: Fraction) -> Fraction | None:
    """The number in base units, or nothing if it is absurdly long, large or small."""
    digits = text.replace("_", "")
    exponent = re.search(r"[eE][+-]?(\d+)", digits)
    if len(digits) > _MOST_DIGITS or (exponent and int(exponent[1]) > _MOST_EXPONENT):
        return None
    value = Fraction(digits) * scale
    return value if value <= 10**_MOST_EXPONENT else None
