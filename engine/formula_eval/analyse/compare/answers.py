"""Computes the answers of one column, quantity by quantity where they cannot be computed together."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from formula_eval.analyse.compare.comparison import ComparedValue
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.required_choices import without
from formula_eval.evaluate.value import Value
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens


class Side(NamedTuple):
    """One column: its answers by name, the inputs that it read, all that was given, and what checks warn of."""

    answers: Mapping[str, ComparedValue]
    inputs: Mapping[str, Value]
    givens: Givens
    warnings: Sequence[str] = ()


def answered(evaluator: Evaluator, givens: Givens, names: Sequence[str], namespace: str) -> Side:
    """The answers to all of these; asks for each one alone if some are refused together."""
    together = _evaluated(evaluator, givens, names, namespace)
    if len(names) == 1 or not any(answer.reason for answer in together.answers.values()):
        return together
    alone = [_evaluated(evaluator, givens, [name], namespace) for name in names]
    answers = {name: answer for side in alone for name, answer in side.answers.items()}
    warnings = list(dict.fromkeys(warning for side in alone for warning in side.warnings))
    return Side(answers, {name: value for side in alone for name, value in side.inputs.items()}, givens, warnings)


def _evaluated(evaluator: Evaluator, givens: Givens, names: Sequence[str], namespace: str) -> Side:
    if not names:
        return Side({}, {}, givens)
    try:
        result = evaluator.evaluate(givens, names, namespace)
    except FormulaError as error:
        reason = " ".join(dict.fromkeys(diagnostic.message for diagnostic in error.diagnostics))
        return Side({name: ComparedValue(name, reason=reason) for name in names}, {}, givens)
    answers = {name: ComparedValue(name, value, reason=value.why) for name, value in result.values.items()}
    answers |= {name: ComparedValue(name, reason=without(name, said)) for name, said in result.lacking.items()}
    return Side(answers, result.inputs, givens, result.warnings())


def number_of(answer: ComparedValue) -> float | None:
    """The number of an answer; None for a flag, a word or no value."""
    value = answer.value.value if answer.value is not None else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def with_ratios(answers: Mapping[str, ComparedValue], first: str) -> dict[str, ComparedValue]:
    """The answers of all columns, the others with their ratio to the first."""
    base = number_of(answers[first])
    return {
        key: answer if key == first else answer._replace(ratio=_ratio(number_of(answer), base))
        for key, answer in answers.items()
    }


def _ratio(other: float | None, first: float | None) -> float | None:
    """The ratio of another value to the first; None where it is not a number."""
    if other is None or first is None or (first == 0 and other != 0):
        return None
    return 1.0 if other == first else other / first


def written(name: str, graph: FormulaGraph) -> str:
    """The formula of a quantity as its author wrote it."""
    expression = graph.nodes[name].written
    return expression_text(expression) if expression is not None else ""
