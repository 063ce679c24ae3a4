"""Builds the notes beneath a statement from the parse tree: one method for each note of the grammar."""

import re
from collections.abc import Callable
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from formula_eval.core import expression as e
from formula_eval.core.notes import Example, ExpectedRange, Notes, Source
from formula_eval.core.span import NOWHERE, Span
from formula_eval.core.unit import UnitTable
from formula_eval.language.expression_builder import ExpressionBuilder

_SEVERAL = {"source": "sources", "note": "remarks", "example": "examples"}  # of which there may be more than one
_QUOTED = re.compile(r"\{([^{}]*)\}")
_IN_UNIT = re.compile(r"(.*\S)\s+in\s+([A-Za-z1][A-Za-z0-9*/]*)\s*")


def _quoted(kind: str) -> Callable[["NotesBuilder", Meta, list[Any]], tuple[str, str, Span]]:
    """Builds the method of a note that is a text alone."""

    def note(builder: "NotesBuilder", meta: Meta, parts: list[Any]) -> tuple[str, str, Span]:
        return kind, unquoted(parts[0]), builder._span(meta)  # noqa: SLF001 - a method of it

    return note


@v_args(meta=True)
class NotesBuilder(ExpressionBuilder):
    """Builds notes; `parse_inner` reads what stands in the braces of a message."""

    def __init__(self, units: UnitTable) -> None:
        """Read units from this table."""
        super().__init__(units)
        self._sentence = NOWHERE
        self.parse_inner: Callable[[str, Span], e.Expression | None] = lambda _text, _span: None

    def notes(self, _meta: Meta, parts: list[Any]) -> Notes:
        found: dict[str, list[Any]] = {}
        for kind, value, span in parts:
            if kind not in _SEVERAL and kind in found:
                self._find("second-note", f"A second {kind}", span, f"Keep one {kind}; `note` takes further remarks.")
            found.setdefault(kind, []).append(value)
        said: dict[str, Any] = {kind: values[0] for kind, values in found.items() if kind not in _SEVERAL}
        return Notes(**said | {field: tuple(found.get(kind, ())) for kind, field in _SEVERAL.items()})

    def sentence(self, meta: Meta, parts: list[Any]) -> tuple[str, str, Span]:
        self._sentence = self._span(meta)
        return "sentence", unquoted(parts[0]), self._sentence

    symbol = _quoted("symbol")
    remark = _quoted("note")
    derived = _quoted("derived")
    fitted = _quoted("fitted")

    def interval(self, meta: Meta, parts: list[Any]) -> tuple[str, ExpectedRange, Span]:
        low, high = parts
        span = self._span(meta)
        return "interval", ExpectedRange(low, high, span), span

    def source(self, meta: Meta, parts: list[Any]) -> tuple[str, Source, Span]:
        key, locator = parts
        span = self._span(meta)
        return "source", Source(str(key), unquoted(locator) if locator else "", span), span

    def example(self, meta: Meta, parts: list[Any]) -> tuple[str, Example, Span]:
        *givens, expected = parts
        span = self._span(meta)
        given = [each for each in givens if each]
        situations = tuple(name for name, value in given if value is None)
        if any(value is not None for _, value in given[: len(situations)]):
            help_ = "Write the situations first: what is given behind them goes before what they say."
            self._find("situation-order", "A situation stands behind a given", span, help_)
        return "example", Example(tuple(given[len(situations) :]), expected, situations, span), span

    def unstated(self, _meta: Meta, _parts: list[Any]) -> None:
        """What is to be computed yet, written `?`."""

    def given(self, _meta: Meta, parts: list[Any]) -> tuple[str, str | e.Expression | None]:
        name, value = parts
        return ".".join(name.path), value

    def word(self, meta: Meta, parts: list[Any]) -> str | e.Expression:
        if parts[0].type == "WORD":
            return str(parts[0])
        return e.Name((str(parts[0]),), span=self._span(meta))

    def _message(self, sentence: str) -> list[tuple[str | e.Expression, e.TypeText | None]]:
        """The sentence just read, in parts: texts, and the expressions between braces, each with the unit behind it."""
        parts: list[tuple[str | e.Expression, e.TypeText | None]] = []
        end = 0
        place = self._sentence
        self._refuse_loose_brace(sentence)
        for quoted in _QUOTED.finditer(sentence):
            column = place.column + 1 + quoted.start(1)
            text, unit = quoted[1], None
            if shown := _IN_UNIT.fullmatch(text):
                start, stop = column + shown.start(2), column + shown.end(2)
                text, unit = shown[1], e.TypeText((shown[2],), Span(place.file, place.line, start, place.line, stop))
            inner = self.parse_inner(text, Span(place.file, place.line, column, place.line, column + len(text)))
            parts += [(sentence[end : quoted.start()], None), (quoted[0] if inner is None else inner, unit)]
            end = quoted.end()
        return [(part, unit) for part, unit in (*parts, (sentence[end:], None)) if part != ""]

    def _refuse_loose_brace(self, sentence: str) -> None:
        """Find a brace of a message that opens or closes nothing."""
        loose = re.search("[{}]", _QUOTED.sub(lambda quoted: " " * len(quoted[0]), sentence))
        if loose is not None:
            column = self._sentence.column + 1 + loose.start()
            span = self._sentence._replace(column=column, end_line=self._sentence.line, end_column=column + 1)
            help_ = "What a message computes stands between two: `{energy}`, or `{energy in kWh}`."
            self._find("loose-brace", f"This `{loose[0]}` stands alone", span, help_)


def unquoted(token: Token) -> str:
    """What stands between the quotes of a text."""
    return str(token)[1:-1]
