"""Examples as written to whether they hold: each is computed and compared to the digits written."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.program import Program, compile_program
from formula_eval.evaluate.result import typed_value
from formula_eval.library import Library
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import RECORDS, Givens, Question, givens_of
from formula_eval.records.schema import Schema
from formula_eval.records.schema_of_graph import schema_of
from formula_eval.resolve.passes import Resolved, resolve

_ROUNDING = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One example: the formula that it belongs to, and the finding if it does not hold."""

    name: str
    finding: Diagnostic | None


@dataclass(frozen=True, slots=True)
class Case:
    """An example and the node that computes it."""

    node: str
    name: str
    namespace: str
    example: d.Example
    givens: tuple[tuple[str, str | e.Expression], ...]


def run_examples(
    chapters: Sequence[d.Chapter], resolved: Resolved, library: Library, files: Collection[str]
) -> Iterator[Outcome]:
    """The outcome of every example of these files, among chapters that resolve; raises FormulaError if calls do not."""
    more, cases = with_calls(each for each in chapters if each.file in files)
    if more:
        resolved = resolve([*chapters, *more], library.units)
    if resolved.graph is None:
        raise FormulaError(*resolved.findings)
    yield from outcomes(cases, resolved.graph, library)


def outcomes(cases: Sequence[Case], graph: FormulaGraph, library: Library) -> Iterator[Outcome]:
    """The outcome of each example, in a graph that holds the calls of functions among them."""
    computer = _Computer(graph, schema_of(graph), library, _programs(graph, cases))
    for case in cases:
        try:
            value = computer.value(case)
            finding = _compared(case, value)
        except FormulaError as error:
            finding = _failed(case, error.diagnostics[0])
        yield Outcome(case.name, finding)


def with_calls(chapters: Iterable[d.Chapter]) -> tuple[list[d.Chapter], list[Case]]:
    """All examples, and chapters with a formula for each example of a function: a call with its arguments."""
    more: list[d.Chapter] = []
    cases: list[Case] = []
    for chapter in chapters:
        calls: list[d.Declaration] = []
        for declared in chapter.declarations:
            name = f"{chapter.namespace}.{declared.name}" if chapter.namespace else declared.name
            for number, example in enumerate(declared.notes.examples):
                if isinstance(declared, d.FunctionDeclaration):
                    call = _call(declared, example, number)
                    calls.append(call)
                    own = {each.name for each in declared.parameters}
                    rest = tuple(pair for pair in example.givens if pair[0] not in own)
                    node = f"{chapter.namespace}.{call.name}" if chapter.namespace else call.name
                    cases.append(Case(node, name, chapter.namespace, example, rest))
                else:
                    cases.append(Case(name, name, chapter.namespace, example, example.givens))
        if calls:
            more.append(replace(chapter, declarations=tuple(calls)))
    return more, cases


def _call(declared: d.FunctionDeclaration, example: d.Example, number: int) -> d.FormulaDeclaration:
    given = dict(example.givens)
    arguments = tuple(_literal(given.get(each.name, e.Number("0"))) for each in declared.parameters)
    call = e.Call(declared.name, arguments, span=example.span)
    name = f"{declared.name}_example_{number + 1}"
    return d.FormulaDeclaration(name=name, type=declared.type, expression=call, span=example.span)


def _literal(value: str | e.Expression) -> e.Expression:
    return e.Name((value,)) if isinstance(value, str) else value


def _programs(graph: FormulaGraph, cases: Sequence[Case]) -> dict[str, Program]:
    """A program for each folder: one for all would compute the whole library for each example."""
    wanted: dict[str, dict[str, None]] = {}
    for case in cases:
        wanted.setdefault(case.namespace, {})[case.node] = None
    return {namespace: compile_program(graph, list(nodes)) for namespace, nodes in wanted.items()}


@dataclass(frozen=True, slots=True)
class _Computer:
    """Computes examples by the program of their folder, and by one of a single formula if others fail there."""

    graph: FormulaGraph
    schema: Schema
    library: Library
    programs: Mapping[str, Program]

    def value(self, case: Case) -> float | bool | str | None:
        """The value of an example; raises FormulaError."""
        givens = givens_of_case(case, self.schema, self.library).values
        program = self.programs[case.namespace]
        try:
            numbers = program.evaluate(givens)
        except FormulaError:
            program = compile_program(self.graph, [case.node])
            numbers = program.evaluate(givens)
        missing = program.why_absent(numbers, case.node)
        if missing is not None:
            message = f"`{missing}` is not given"
            raise FormulaError(Diagnostic("missing-value", message, (), "An example states every given that it needs."))
        quantity = self.schema.quantity(case.node)
        number = numbers[case.node]
        return typed_value(number, quantity) if quantity.kind in ("flag", "choice") else float(number)


def givens_of_case(case: Case, schema: Schema, library: Library) -> Givens:
    """The givens of an example; raises FormulaError for what nobody can give."""
    texts = {name: value if isinstance(value, str) else _text(value) for name, value in case.givens}
    records = {name: texts.pop(name) for name in list(texts) if name in RECORDS}
    question = Question(records, texts, namespace=case.namespace, origin="example")
    return givens_of(question, schema, library)


def _text(value: e.Expression) -> str:
    """A given as a user would write it: `80 GiB` without the parentheses of a formula."""
    match value:
        case e.Number(text, unit):
            return f"{text} {unit}".strip()
        case e.Negate(operand):
            return f"-{_text(operand)}"
    return expression_text(value)


def _compared(case: Case, value: Any) -> Diagnostic | None:  # noqa: ANN401 - a number, a flag or a word
    expected = case.example.expected
    if agrees(value, expected):
        return None
    scale = _scale(expected)
    unit = getattr(expected, "unit", "")
    shown = f"{float(value) / scale:.8g} {unit}".strip() if isinstance(value, float) else str(value).lower()
    message = f"The example of `{case.name}` gives {shown}, not {expression_text(expected)}"
    help_ = "Correct the formula or the example; it must agree to the last digit written."
    return Diagnostic("wrong-example", message, (Label(case.example.span),), help_)


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
    if expected.value == 0 or (not expected.unit and expected.text.replace("_", "").isdigit()):
        return min(Fraction(1, 2), _ROUNDING * max(Fraction(1), abs(expected.value)))
    return _half_digit(expected.text) * _exact_scale(expected)


def _half_digit(text: str) -> Fraction:
    """Half of the last digit written: 320 to a half, 17.5 to a twentieth, 1.2e-3 to half of its last digit."""
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
