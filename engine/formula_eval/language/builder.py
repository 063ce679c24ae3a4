"""Parse tree to declarations: one method for each rule of the grammar."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lark import Token
from lark import Transformer
from lark import v_args
from lark.tree import Meta

from formula_eval.core import declaration as d
from formula_eval.core import expression as e
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.diagnostic import Label
from formula_eval.core.diagnostic import nearest
from formula_eval.core.span import NOWHERE
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable
from formula_eval.core.unit import UnknownUnitError

KEYWORDS = frozenset(
    "choice input table def check row symbol source example note match with if else and or not for in from at most"
    " optional true false infinity refuse warn".split()
)
_MOST_DIGITS = 40
_MOST_EXPONENT = 300
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_QUOTED = re.compile(r"\{([^{}]*)\}")


@v_args(meta=True)
class Builder(Transformer[Any, Any]):
    """Builds one statement at a time; `start_statement` says where the statement stands in its file."""

    def __init__(self, units: UnitTable) -> None:
        """Read units from this table."""
        super().__init__()
        self._units = units
        self._file = ""
        self._before = 0
        self._sentence = NOWHERE
        self.findings: list[Diagnostic] = []
        self.parse_inner: Callable[[str, Span], e.Expression | None] = lambda _text, _span: None

    def start_statement(self, file: str, lines_before: int) -> None:
        """Forget the last statement; the next one begins after so many lines of this file."""
        self._file, self._before = file, lines_before
        self.findings = []

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

    def _declared(self, token: Token) -> str:
        name = str(token)
        span = self._span(token)
        if name in KEYWORDS:
            self._find("reserved-name", f"`{name}` is a word of the language", span, "Choose another name.")
        elif name in self._units.units:
            self._find("reserved-name", f"`{name}` is a unit", span, "Choose another name, for example its plural.")
        elif not _NAME.fullmatch(name):
            help_ = f"Write `{re.sub(r'[^a-z0-9_]', '', name.lower()) or 'a name'}`."
            self._find("bad-name", f"`{name}` is not a lower-case name", span, help_)
        return name

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
        low, high, allowed = None, None, ()
        if isinstance(domain, list):
            low, high = domain
        elif domain is not None:
            allowed = domain
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

    def _match(self, meta: Meta, parts: list[Any]) -> e.Expression:
        subject, *arms = parts
        span = subject.span.to(arms[-1].span) if arms else self._span(meta)
        return e.Match(subject, tuple(arms), span=span)

    def arm_line(self, _meta: Meta, parts: list[Any]) -> e.Arm:
        return parts[0]  # type: ignore[no-any-return]

    def table(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, supplier, most, notes, *rest = parts
        return d.TableDeclaration(
            name=self._declared(name),
            supplier=str(supplier or ""),
            at_most=self._most(most),
            columns=tuple(part for part in rest if isinstance(part, d.ColumnDeclaration)),
            rows=tuple(part for part in rest if isinstance(part, d.RowDeclaration)),
            notes=notes or d.Notes(),
            span=self._head(meta, name),
        )

    def _most(self, token: Token | None) -> int:
        if token is None or str(token).replace("_", "").isdigit():
            return int(str(token or "0").replace("_", "")[:9])
        self._find("bad-number", f"`{token}` is not a number of rows", self._span(token), "Write a whole number.")
        return 1

    def open_column(self, meta: Meta, parts: list[Any]) -> d.Declaration:
        name, type_, notes = parts
        return d.ColumnDeclaration(
            name=self._declared(name), type=type_, notes=notes or d.Notes(), span=self._head(meta, name)
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
        found: dict[str, list[Any]] = {"sentence": [], "symbol": [], "source": [], "note": [], "example": []}
        for kind, value, span in parts:
            if kind in ("sentence", "symbol") and found[kind]:
                self._find("second-note", f"A second {kind}", span, f"Keep one {kind}; `note` takes further remarks.")
            found[kind].append(value)
        return d.Notes(
            sentence=next(iter(found["sentence"]), ""),
            symbol=next(iter(found["symbol"]), ""),
            sources=tuple(found["source"]),
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

    # -- types and numbers

    def type(self, meta: Meta, parts: list[Any]) -> d.TypeText:
        words = tuple(str(part) for part in parts)
        if len(words) > 1:
            self._check_words(parts)
        return d.TypeText(words, self._span(meta))

    def _check_words(self, parts: list[Token]) -> None:
        """The words of a choice: each a name, and each once."""
        words = [self._declared(part) for part in parts]
        twice = next((part for number, part in enumerate(parts) if str(part) in words[:number]), None)
        if twice is not None:
            self._find("duplicate-value", f"`{twice}` stands twice in this choice", self._span(twice), "Keep one.")

    def number(self, meta: Meta, parts: list[Any]) -> e.Expression:
        text, unit = parts
        return self._number(meta, str(text), str(unit or ""))

    def compound_number(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return self._number(meta, str(parts[0]), str(parts[1]))

    def _number(self, meta: Meta, text: str, unit: str) -> e.Expression:
        span = self._span(meta)
        scale = Fraction(1)
        if unit:
            try:
                scale = self._units.parse(unit).scale
            except UnknownUnitError as unknown:
                help_ = nearest(str(unknown), self._units.units) or "A product is written with `*`: `2 * x`."
                self._find("unknown-unit", f"Unknown unit `{unknown}`", span, help_)
        value = _value(text, scale)
        if value is None:
            self._find("huge-number", f"The number {text[:20]} is out of range", span, "At most 1e300, in 40 digits.")
        return e.Number(text, unit, value or Fraction(0), span=span)

    def negative(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Negate(parts[0], span=self._span(meta))

    negative_compound = negative
    negate = negative

    def infinity(self, meta: Meta, _parts: list[Any]) -> e.Expression:
        return e.Infinity(span=self._span(meta))

    def flag(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.FlagValue(parts[0] == "true", span=self._span(meta))

    # -- expressions

    def name(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Name(tuple(str(part) for part in parts), span=self._span(meta))

    def conditional(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Conditional(*parts, span=self._span(meta))

    def logical_or(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Logical("or", *parts, span=self._span(meta))

    def logical_and(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Logical("and", *parts, span=self._span(meta))

    def negation(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Not(parts[0], span=self._span(meta))

    def compare(self, meta: Meta, parts: list[Any]) -> e.Expression:
        left, operator, right = parts
        return e.Compare(str(operator), left, right, span=self._span(meta))

    def binary(self, meta: Meta, parts: list[Any]) -> e.Expression:
        left, operator, right = parts
        return e.Binary(str(operator), left, right, span=self._span(meta))

    def power(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Binary("**", *parts, span=self._span(meta))

    def call(self, meta: Meta, parts: list[Any]) -> e.Expression:
        name, *arguments = parts
        given = tuple(argument for argument in arguments if argument is not None)
        return e.Call(".".join(name.path), given, span=self._span(meta))

    def comprehension(self, meta: Meta, parts: list[Any]) -> e.Expression:
        name, value, row, table, condition = parts
        built = e.Comprehension(".".join(name.path), value, str(row), table, condition, span=self._span(meta))
        return built

    def binding(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return e.Binding(*parts, span=self._span(meta))

    def with_inputs(self, meta: Meta, parts: list[Any]) -> e.Expression:
        value, *bindings = parts
        return e.With(value, tuple(bindings), span=self._span(meta))

    def arm(self, meta: Meta, parts: list[Any]) -> e.Expression:
        *patterns, value = parts
        return e.Arm(tuple(patterns), value, span=self._span(meta))

    def inline_match(self, meta: Meta, parts: list[Any]) -> e.Expression:
        return self._match(meta, parts)


def _unquoted(token: Token) -> str:
    return str(token)[1:-1]


def _value(text: str, scale: Fraction) -> Fraction | None:
    """The number in base units, or nothing if it is absurdly long, large or small."""
    digits = text.replace("_", "")
    exponent = re.search(r"[eE][+-]?(\d+)", digits)
    if len(digits) > _MOST_DIGITS or (exponent and int(exponent[1]) > _MOST_EXPONENT):
        return None
    value = Fraction(digits) * scale
    return value if value <= 10**_MOST_EXPONENT else None
