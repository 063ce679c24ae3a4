"""Runs the examples of formulas, and compares each result with the digits written."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from formula_eval.check.example_cases import Case, called, with_calls
from formula_eval.check.example_givens import Situations
from formula_eval.check.example_literal import literal_text
from formula_eval.check.held_graph import HeldGraph, held_of
from formula_eval.check.stated_quantities import StatedGivens, program_of_stated, quantities_in, stated_in
from formula_eval.core import declaration as d, expression as e
from formula_eval.core.date import DATE, date_text
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.span import NOWHERE, Span
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.value import typed_value
from formula_eval.library import Library
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Question, givens_of
from formula_eval.records.input_names import records_among
from formula_eval.records.origin import Origin
from formula_eval.records.record_links import RecordError
from formula_eval.records.schema import Schema
from formula_eval.resolve.load import resolve_with
from formula_eval.resolve.resolved import Resolved

_ROUNDING = Fraction(1, 10**9)
_WRONG = "wrong-example"
OF_A_RECORD = "record-of-example"  # an example that fails by a record for which all fail alike
# What cases must have in common to share a program: the folder, and whether they call a function or state quantities.
_Kind = tuple[str, bool, bool]


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """The outcome of one example: its formula, and the finding if it does not hold.

    Of one that states no result, written `?`, `result` is the text that belongs there. Of several that fail
    alike the first has the finding; none of them `holds`.
    """

    name: str
    finding: Diagnostic | None
    span: Span = NOWHERE
    result: str = ""
    holds: bool = True


def run_examples(
    chapters: Sequence[d.Chapter], resolved: Resolved, held: HeldGraph, files: Collection[str]
) -> Iterator[ExampleOutcome]:
    """The outcome of every example of these files, among chapters that resolve; raises FormulaError if calls do not."""
    more, cases = with_calls(
        [chapter for chapter in chapters if chapter.file in files],
        Situations((symbol.namespace, symbol.declaration) for symbol in resolved.scope.symbols.values()),
        resolved.scope.changes.values(),
    )
    kept = held.outcomes
    keys = [""] * len(cases) if kept is None else list(kept.keys(cases))
    known = frozenset() if kept is None else kept.holding
    asked = [case for case, key in zip(cases, keys, strict=True) if key not in known]
    ran = _asked(asked, chapters, resolved, held, more)
    holding: set[str] = set()
    for case, key in zip(cases, keys, strict=True):
        outcome = ExampleOutcome(case.name, None, case.example.span) if key in known else next(ran)
        if outcome.holds:
            holding.add(key)
        yield outcome
    if kept is not None:
        kept.keep(holding)


def _asked(
    cases: Sequence[Case], chapters: Sequence[d.Chapter], resolved: Resolved, held: HeldGraph, more: Sequence[d.Chapter]
) -> Iterator[ExampleOutcome]:
    """The outcome of each of these, some of them calls in chapters of their own."""
    more = called(cases, more)
    whole = resolve_with(resolved, chapters, more, held.library) if more else resolved
    if whole.graph is None or resolved.graph is None:
        raise FormulaError(*whole.findings)
    yield from _outcomes(cases, held.with_calls(resolved.graph, whole.graph, more), whole.graph)


def outcomes(cases: Sequence[Case], graph: FormulaGraph, library: Library) -> Iterator[ExampleOutcome]:
    """The outcome of each example, in a graph that holds the calls of functions among them."""
    yield from _outcomes(cases, held_of(graph, library), graph)


def _outcomes(cases: Sequence[Case], held: HeldGraph, graph: FormulaGraph) -> Iterator[ExampleOutcome]:
    computer = _Computer(held, graph, _programs(cases, held, graph))
    records: set[str] = set()  # what is wrong with one fails every example alike, and is told once
    for case in cases:
        result, is_told = "", False
        try:
            value = computer.value(case)
            if case.example.expected is None:
                result = literal_text(value, held.schema.quantity(case.node), held.library.units)
            finding = _compared(case, value, result)
        except FormulaError as error:
            why = error.diagnostics[0]
            is_told = why.message in records
            finding = None if is_told else _failed(case, why, OF_A_RECORD if isinstance(error, RecordError) else _WRONG)
            records.update([why.message] if isinstance(error, RecordError) else [])
        yield ExampleOutcome(case.name, finding, case.example.span, result, holds=finding is None and not is_told)


def _programs(cases: Sequence[Case], held: HeldGraph, graph: FormulaGraph) -> dict[_Kind, Program]:
    """Compiles a program for each sort of case; a single one would compute the whole library each time."""
    asked: dict[_Kind, list[tuple[str, frozenset[str]]]] = {}
    for case in cases:
        quantities = quantities_in(case.givens, graph, case.namespace)
        stated = frozenset(copy for node in quantities.values() for copy in graph.copies[node.name])
        asked.setdefault(_kind(case, quantities), []).append((case.node, stated))

    def program(kind: _Kind) -> Program:
        is_stated, pairs = kind[-1], asked[kind]
        return (
            program_of_stated(graph, pairs)
            if is_stated
            else held.program(tuple(dict.fromkeys(name for name, _ in pairs)))
        )

    return {kind: program(kind) for kind in asked}


def _kind(case: Case, stated: Collection[str]) -> _Kind:
    return case.namespace, case.call is not None, bool(stated)


@dataclass(frozen=True, slots=True)
class _Computer:
    """Computes examples by the program of their kind, and by one of a single formula if that has no value there."""

    held: HeldGraph
    graph: FormulaGraph
    programs: Mapping[_Kind, Program]

    def value(self, case: Case) -> float | bool | str | None:
        """The value of an example; raises FormulaError."""
        stated = stated_in(case.givens, self.graph, case.node, case.namespace)
        schema = self.held.schema
        givens = givens_beside(stated, case, schema, self.held.library)
        program = self.programs[_kind(case, stated.quantities)]
        numbers = program.attempt(givens)
        if numbers is None or numbers[case.node] != numbers[case.node]:
            is_stated = bool(stated.quantities)
            alone = (case.node, stated.quantities)
            program = program_of_stated(self.graph, [alone]) if is_stated else self.held.program(alone[:1])
            numbers = program.evaluate(givens)
        missing = None if stated.quantities else next(iter(schema.unchosen(case.node, givens)), None)
        return self._typed(case.node, program, numbers, missing)

    def _typed(
        self, node: str, program: Program, numbers: Mapping[str, float], missing: str | None
    ) -> float | bool | str | None:
        missing = missing or program.why_absent(numbers, node)
        if missing is not None:
            message = f"`{missing}` is not given"
            raise FormulaError(Diagnostic("missing-value", message, (), "An example states every given that it needs."))
        quantity = self.held.schema.quantity(node)
        number = numbers[node]
        return typed_value(number, quantity) if quantity.kind in ("flag", "choice") else float(number)


def givens_beside(stated: StatedGivens, case: Case, schema: Schema, library: Library) -> Mapping[str, Any]:
    """The values of an example's inputs and of the quantities that it states; raises FormulaError."""
    texts = {name: value if isinstance(value, str) else _text(value) for name, value in stated.inputs}
    records, texts = records_among(texts, schema, case.namespace)
    question = Question(records, texts, namespace=case.namespace, origin=Origin.EXAMPLE)
    return {**givens_of(question, schema, library).values, **stated.quantities}


def _text(value: e.Expression) -> str:
    """The text of a given as a user would write it: `80 GiB` without the parentheses of a formula."""
    match value:
        case e.Number(text, unit) if unit != DATE:
            return f"{text} {unit}".strip()
        case e.Negate(operand):
            return f"-{_text(operand)}"
    return expression_text(value)


def _compared(case: Case, value: Any, result: str) -> Diagnostic | None:  # noqa: ANN401 - a number, a flag or a word
    expected = case.example.expected
    if expected is None:
        message = f"The example of `{case.name}` states no result; it gives {result}"
        help_ = "`formula-eval check --accept` writes it there; make sure that it is right."
        return Diagnostic("empty-example", message, (Label(case.example.span),), help_)
    if agrees(value, expected):
        return None
    shown = _shown(value, expected)
    message = f"The example of `{case.name}` gives {shown}, not {expression_text(expected)}"
    help_ = "Correct the formula or the example; it must agree to the last digit written."
    return Diagnostic(_WRONG, message, (Label(case.example.span),), help_)


def _shown(value: Any, expected: e.Expression) -> str:  # noqa: ANN401 - as above
    unit = getattr(expected, "unit", "")
    if not isinstance(value, float):
        return str(value).lower()
    return date_text(value) if unit == DATE else f"{value / _scale(expected):.8g} {unit}".strip()


def agrees(value: Any, expected: e.Expression) -> bool:  # noqa: ANN401 - as above
    """Whether a value is the expected one, to the digits written there; what is only counted is exact."""
    match expected:
        case e.FlagValue(flag):
            return value is flag
        case e.Name(path=(*_, word)) | e.Number(text=word) if isinstance(value, str):
            return value == word
        case e.Infinity():
            return bool(value == float("inf"))
        case e.Negate(operand):
            return isinstance(value, float) and agrees(-value, operand)
        case e.Number():
            return (
                isinstance(value, float)
                and isfinite(value)
                and abs(Fraction(value) - expected.value) <= _tolerance(expected)
            )
    return False


def _tolerance(expected: e.Number) -> Fraction:
    """Half of the last digit written; rounding alone for 0 and for a whole number without a unit, which is a count."""
    if expected.unit == DATE:
        return Fraction(1, 2)
    if expected.value == 0 or (not expected.unit and expected.text.replace("_", "").isdigit()):
        return min(Fraction(1, 2), _ROUNDING * max(Fraction(1), abs(expected.value)))
    return _half_digit(expected.text) * _exact_scale(expected)


def _half_digit(text: str) -> Fraction:
    """Half a unit of the last digit written: 0.5 for 320, 0.05 for 17.5, 0.05e-3 for 1.2e-3."""
    plain = text.replace("_", "").lower()
    digits, _, power = plain.partition("e")
    places = len(digits.partition(".")[2])
    return Fraction(1, 2) * Fraction(10) ** (int(power or 0) - places)


def _exact_scale(number: e.Number) -> Fraction:
    written = Fraction(number.text.replace("_", ""))
    return number.value / written if written else Fraction(1)


def _scale(expected: e.Expression) -> float:
    return float(_exact_scale(expected)) if isinstance(expected, e.Number) else 1.0


def _failed(case: Case, why: Diagnostic, code: str) -> Diagnostic:
    message = f"The example of `{case.name}` cannot be computed: {why.message}"
    return Diagnostic(code, message, (Label(case.example.span),), why.help)
