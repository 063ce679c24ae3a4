"""A question to the answers of several namespaces side by side, with why they differ from ours."""

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.analyse.correspondence import Column
from formula_eval.analyse.correspondence import Correspondence
from formula_eval.analyse.correspondence import Correspondences
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.givens import Givens
from formula_eval.evaluate.givens import Question
from formula_eval.evaluate.result import Value
from formula_eval.language.expression_text import expression_text

SAME_WITHIN = 0.01


class Reading(NamedTuple):
    """What one namespace says of a quantity, and how many times ours it is; or the reason why it says nothing."""

    name: str
    value: Value | None = None
    ratio: float | None = None
    reason: str = ""

    @property
    def differs(self) -> bool:
        """Whether it is more than a hundredth from ours."""
        return self.ratio is not None and abs(self.ratio - 1) > SAME_WITHIN


class Explanation(NamedTuple):
    """Why one namespace differs: its formula as written, and the notes of those it comes from, by their names."""

    formula: str
    notes: tuple[tuple[str, str], ...]


class Row(NamedTuple):
    """One quantity: what each namespace says of it by column, our formula, and why others differ."""

    title: str
    readings: Mapping[str, Reading]
    formula: str
    explanations: Mapping[str, Explanation]


class Comparison(NamedTuple):
    """All of it; the first column is ours."""

    columns: Sequence[Column]
    rows: Sequence[Row]

    def reasons(self) -> Iterator[tuple[Column, str, list[str]]]:
        """Why a namespace does not answer, once for each reason, with the titles of what it leaves open."""
        for column in self.columns:
            open_: dict[str, list[str]] = {}
            for row in self.rows:
                reading = row.readings.get(column.key)
                if reading is not None and reading.reason:
                    open_.setdefault(reading.reason, []).append(row.title)
            for reason, titles in open_.items():
                yield column, reason, titles


def compare(evaluator: Evaluator, question: Question, wanted: Correspondences) -> Comparison:
    """The same question to every namespace; raises FormulaError for a question that cannot be asked at all."""
    ours, *others = wanted.columns
    answers = {each.key: _answers(evaluator, question, each, wanted.quantities) for each in (ours, *others)}
    graph = evaluator.graph
    rows = [_row(each, answers, ours.key, graph) for each in wanted.quantities]
    return Comparison(wanted.columns, rows)


def _answers(
    evaluator: Evaluator, question: Question, column: Column, quantities: Sequence[Correspondence]
) -> Mapping[str, Reading]:
    """What a namespace says, by name; where it refuses all together, each is asked alone."""
    names = list(dict.fromkeys(each.names[column.key] for each in quantities if column.key in each.names))
    givens = evaluator.givens(question._replace(namespace=column.namespace))
    together = _together(evaluator, givens, names, column.namespace)
    if len(names) == 1 or not any(each.reason for each in together.values()):
        return together
    return {name: _together(evaluator, givens, [name], column.namespace)[name] for name in names}


def _together(evaluator: Evaluator, givens: Givens, names: Sequence[str], namespace: str) -> Mapping[str, Reading]:
    if not names:
        return {}
    try:
        result = evaluator.evaluate(givens, names, namespace)
    except FormulaError as error:
        reason = " ".join(each.message for each in error.diagnostics)
        return {name: Reading(name, reason=reason) for name in names}
    return {name: Reading(name, result[name], reason=result[name].why) for name in names}


def _row(
    quantity: Correspondence, answers: Mapping[str, Mapping[str, Reading]], ours: str, graph: FormulaGraph
) -> Row:
    readings = {key: answers[key][name] for key, name in quantity.names.items() if key in answers}
    base = _number(readings[ours])
    readings = {key: each if key == ours else each._replace(ratio=_ratio(_number(each), base)) for key, each in readings.items()}
    why = {
        key: Explanation(_written(each.name, graph), tuple(_notes(quantity.because[key] or (each.name,), graph)))
        for key, each in readings.items()
        if each.differs
    }
    return Row(quantity.title, readings, _written(readings[ours].name, graph), why)


def _number(reading: Reading) -> float | None:
    value = reading.value.value if reading.value is not None else None
    return float(value) if isinstance(value, int | float) else None


def _ratio(theirs: float | None, ours: float | None) -> float | None:
    if theirs is None or ours is None or (ours == 0 and theirs != 0):
        return None
    return 1.0 if theirs == ours else theirs / ours


def _written(name: str, graph: FormulaGraph) -> str:
    node = graph.nodes[name]
    written = node.author if node.author is not None else node.expression
    return expression_text(written) if written is not None else ""


def _notes(names: Sequence[str], graph: FormulaGraph) -> Iterator[tuple[str, str]]:
    for name in names:
        declared = graph.nodes[name].declaration if name in graph.nodes else graph.functions[name]
        yield from ((name, each) for each in declared.notes.remarks)
