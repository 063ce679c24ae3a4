"""Runs the examples of formulas, and compares each result with the digits written."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from formula_eval.check.example_givens import Situations
from formula_eval.check.example_literal import literal_text
from formula_eval.check.held_graph import HeldGraph, held_of
from formula_eval.check.stated_quantities import StatedGivens, program_of_stated, stated_in
from formula_eval.core import declaration as d, expression as e
from formula_eval.core.change import Change
from formula_eval.core.date import DATE, date_text
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.namespace import qualified
from formula_eval.core.notes import Example
from formula_eval.core.span import NOWHERE, Span
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.value import typed_value
from formula_eval.library import Library
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens, Question, givens_of
from formula_eval.records.input_names import records_among
from formula_eval.records.origin import Origin
from formula_eval.records.record_links import RecordError
from formula_eval.records.schema import Schema
from formula_eval.resolve.load import resolve_with
from formula_eval.resolve.resolved import Resolved

_ROUNDING = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """The outcome of one example: its formula, and the finding if it does not hold.

    Of one that states no result, written `?`, `result` is the text that belongs there.
    """

    name: str
    finding: Diagnostic | None
    span: Span = NOWHERE
    result: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """An example and the node that computes it."""

    node: str
    name: str
    namespace: str
    example: Example
    givens: tuple[tuple[str, str | e.Expression], ...]

    @property
    def program(self) -> tuple[str, bool]:
        """Which program computes it: that of its folder, or of the calls there."""
        return self.namespace, self.node != self.name


def run_examples(
    chapters: Sequence[d.Chapter], resolved: Resolved, held: HeldGraph, files: Collection[str]
) -> Iterator[ExampleOutcome]:
    """The outcome of every example of these files, among chapters that resolve; raises FormulaError if calls do not."""
    more, cases = with_calls(
        [each for each in chapters if each.file in files],
        Situations((each.namespace, each.declaration) for each in resolved.scope.symbols.values()),
        resolved.scope.changes.values(),
    )
    whole = resolve_with(resolved, chapters, more, held.library) if more else resolved
    if whole.graph is None or resolved.graph is None:
        raise FormulaError(*whole.findings)
    yield from _outcomes(cases, held.with_calls(resolved.graph, whole.graph, more), whole.graph)


def outcomes(cases: Sequence[Case], graph: FormulaGraph, library: Library) -> Iterator[ExampleOutcome]:
    """The outcome of each example, in a graph that holds the calls of functions among them."""
    yield from _outcomes(cases, held_of(graph, library), graph)


def _outcomes(cases: Sequence[Case], held: HeldGraph, graph: FormulaGraph) -> Iterator[ExampleOutcome]:
    computer = _Computer(held, graph, _programs(held, cases))
    records: set[str] = set()  # what is wrong with one fails every example alike, and is told once
    for case in cases:
        result = ""
        try:
            value = computer.value(case)
            if case.example.expected is None:
                result = literal_text(value, held.schema.quantity(case.node), held.library.units)
            finding = _compared(case, value, result)
        except FormulaError as error:
            why = error.diagnostics[0]
            finding = None if why.message in records else _failed(case, why)
            records.update([why.message] if isinstance(error, RecordError) else [])
        yield ExampleOutcome(case.name, finding, case.example.span, result)


def with_calls(
    chapters: Iterable[d.Chapter], situations: Situations, changes: Iterable[Change]
) -> tuple[list[d.Chapter], list[Case]]:
    """All examples, and chapters with a formula for each example of a function: a call with its arguments."""
    more: list[d.Chapter] = []
    cases: list[Case] = []
    called: set[str] = set()
    changed = {each.declaration.span: each.node for each in changes}
    for chapter in chapters:
        calls: list[d.Declaration] = []
        for declared in chapter.declarations:
            name = changed.get(declared.span) or qualified(chapter.namespace, declared.name)
            for number, example in enumerate(declared.notes.examples):
                givens = situations.givens(example, chapter.namespace)
                if isinstance(declared, d.FunctionDeclaration):
                    call = _call(declared, dict(givens), example, number)
                    node = qualified(chapter.namespace, call.name)
                    if node in called:
                        continue  # the function itself is declared twice
                    calls.append(call)
                    called.add(node)
                    own = {each.name for each in declared.parameters}
                    rest = tuple(pair for pair in givens if pair[0] not in own)
                    cases.append(Case(node, name, chapter.namespace, example, rest))
                else:
                    cases.append(Case(name, name, chapter.namespace, example, givens))
        if calls:
            more.append(replace(chapter, declarations=tuple(calls)))
    return more, cases


def _call(
    declared: d.FunctionDeclaration, given: Mapping[str, str | e.Expression], example: Example, number: int
) -> d.FormulaDeclaration:
    arguments = tuple(_literal(given.get(each.name, e.Number("0"))) for each in declared.parameters)
    call = e.Call(declared.name, arguments, span=example.span)
    name = f"{declared.name}_example_{number + 1}"
    return d.FormulaDeclaration(name=name, type=declared.type, expression=call, span=example.span)


def _literal(value: str | e.Expression) -> e.Expression:
    return e.Name((value,)) if isinstance(value, str) else value


def _programs(held: HeldGraph, cases: Sequence[Case]) -> dict[tuple[str, bool], Program]:
    """Compiles a program for each folder, and for its calls; a single one would compute the whole library each time."""
    wanted: dict[tuple[str, bool], dict[str, None]] = {}
    for case in cases:
        wanted.setdefault(case.program, {})[case.node] = None
    return {key: held.program(tuple(nodes)) for key, nodes in wanted.items()}


@dataclass(frozen=True, slots=True)
class _Computer:
    """Computes examples by the program of their folder, and by one of a single formula if others fail there.

    An example that states quantities has a program of its own, of what its formula needs beside them.
    """

    held: HeldGraph
    graph: FormulaGraph
    programs: Mapping[tuple[str, bool], Program]

    def value(self, case: Case) -> float | bool | str | None:
        """The value of an example; raises FormulaError."""
        stated = stated_in(case.givens, self.graph, case.node, case.namespace)
        schema = self.held.schema
        if stated.quantities:
            values = givens_beside(stated, case, schema, self.held.library)
            program = program_of_stated(self.graph, case.node, stated.quantities)
            return self._typed(case.node, program, program.evaluate(values), None)
        givens = givens_of_case(case, schema, self.held.library).values
        program = self.programs[case.program]
        try:
            numbers = program.evaluate(givens)
        except FormulaError:
            program = self.held.program((case.node,))
            numbers = program.evaluate(givens)
        missing = next(iter(schema.unchosen(case.node, givens)), None)
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


def givens_of_case(case: Case, schema: Schema, library: Library) -> Givens:
    """The givens of an example; raises FormulaError for what nobody can give."""
    texts = {name: value if isinstance(value, str) else _text(value) for name, value in case.givens}
    records, texts = records_among(texts, schema, case.namespace)
    question = Question(records, texts, namespace=case.namespace, origin=Origin.EXAMPLE)
    return givens_of(question, schema, library)


def givens_beside(stated: StatedGivens, case: Case, schema: Schema, library: Library) -> Mapping[str, Any]:
    """The values of an example's inputs and of the quantities that it states; raises FormulaError."""
    return {**givens_of_case(replace(case, givens=stated.inputs), schema, library).values, **stated.quantities}


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
    return Diagnostic("wrong-example", message, (Label(case.example.span),), help_)


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
        case e.Name(path):
            return bool(value == path[-1])
        case e.Infinity():
            return bool(value == float("inf"))
        case e.Negate(operand):
            return isinstance(value, float) and agrees(-value, operand)
        case e.Number():
            return isinstance(value, float) and abs(Fraction(value) - expected.value) <= _tolerance(expected)
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


def _failed(case: Case, why: Diagnostic) -> Diagnostic:
    message = f"The example of `{case.name}` cannot be computed: {why.message}"
    return Diagnostic("wrong-example", message, (Label(case.example.span),), why.help)
