"""A question to the answers of several namespaces side by side, with why they differ from ours."""

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.analyse.correspondence import FILE
from formula_eval.analyse.correspondence import Because
from formula_eval.analyse.correspondence import Column
from formula_eval.analyse.correspondence import Correspondence
from formula_eval.analyse.correspondence import Correspondences
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.diagnostic import nearest
from formula_eval.core.diagnostic import refuse
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.givens import Givens
from formula_eval.evaluate.givens import Question
from formula_eval.evaluate.result import Value
from formula_eval.language.expression_text import expression_text

SAME_WITHIN = 0.01
PRESET = "preset.toml"


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


_LACKING = Reading("", reason="No such quantity.")


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


class Assumption(NamedTuple):
    """An input that a namespace sets by itself, or has of its own; `ours` where we read it too."""

    name: str
    value: Value
    ours: Value | None


class Comparison(NamedTuple):
    """All of it; the first column is ours. Assumptions are those of each column."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    assumptions: Mapping[str, Sequence[Assumption]]

    def reasons(self) -> Iterator[tuple[Column, str, list[str]]]:
        """Why a namespace does not answer, once for each reason, with the titles of what it leaves open."""
        for column in self.columns:
            open_: dict[str, list[str]] = {}
            for row in self.rows:
                reading = row.readings.get(column.key, _LACKING)
                if reading.reason:
                    open_.setdefault(reading.reason, []).append(row.title)
            for reason, titles in open_.items():
                yield column, reason, titles


def compare(evaluator: Evaluator, question: Question, wanted: Correspondences) -> Comparison:
    """The same question to every namespace; raises FormulaError for a question that cannot be asked at all."""
    answers = {each.key: _answer(evaluator, question, each, wanted.quantities) for each in wanted.columns}
    ours, *others = wanted.columns
    rows = [_row(each, answers, ours.key, evaluator.graph) for each in wanted.quantities]
    assumed = {each.key: _assumptions(answers[each.key], answers[ours.key], each.namespace) for each in others}
    return Comparison(wanted.columns, rows, assumed)


class _Answer(NamedTuple):
    """What one namespace says by name, the inputs that it read, and all that was given."""

    readings: Mapping[str, Reading]
    inputs: Mapping[str, Value]
    givens: Givens


def _answer(evaluator: Evaluator, question: Question, column: Column, quantities: Sequence[Correspondence]) -> _Answer:
    """The answer of a namespace; where it refuses some of what is asked together, each is asked alone."""
    names = list(dict.fromkeys(each.names[column.key] for each in quantities if column.key in each.names))
    givens = evaluator.givens(question._replace(namespace=column.namespace))
    together = _asked(evaluator, givens, names, column.namespace)
    if len(names) == 1 or not any(each.reason for each in together.readings.values()):
        return together
    alone = [_asked(evaluator, givens, [name], column.namespace) for name in names]
    readings = {name: each for answer in alone for name, each in answer.readings.items()}
    return _Answer(readings, {name: each for answer in alone for name, each in answer.inputs.items()}, givens)


def _asked(evaluator: Evaluator, givens: Givens, names: Sequence[str], namespace: str) -> _Answer:
    if not names:
        return _Answer({}, {}, givens)
    try:
        result = evaluator.evaluate(givens, names, namespace)
    except FormulaError as error:
        reason = " ".join(each.message for each in error.diagnostics)
        return _Answer({name: Reading(name, reason=reason) for name in names}, {}, givens)
    return _Answer(
        {name: Reading(name, result[name], reason=result[name].why) for name in names}, result.inputs, givens
    )


def _assumptions(theirs: _Answer, ours: _Answer, namespace: str) -> list[Assumption]:
    """What this namespace read that nobody but itself set."""
    own = [each for each in theirs.inputs.values() if each.name.startswith(f"{namespace}.") or PRESET in each.origin]
    found = [Assumption(each.name, each, _with_us(each, ours)) for each in own]
    return [each for each in found if each.ours is None or each.ours.value != each.value.value]


def _with_us(theirs: Value, ours: _Answer) -> Value | None:
    """The same input as we read it, or as we would."""
    number = ours.givens.values.get(theirs.name)
    if theirs.name in ours.inputs or number is None or isinstance(theirs.value, str | bool):
        return ours.inputs.get(theirs.name)
    return theirs._replace(value=number)


def _row(quantity: Correspondence, answers: Mapping[str, _Answer], ours: str, graph: FormulaGraph) -> Row:
    read = {key: answers[key].readings[name] for key, name in quantity.names.items() if key in answers}
    base = _number(read[ours])
    readings = {
        key: each if key == ours else each._replace(ratio=_ratio(_number(each), base)) for key, each in read.items()
    }
    why = {
        key: Explanation(_written(each.name, graph), tuple(_notes(quantity, key, answers[key].givens, graph)))
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


def _notes(quantity: Correspondence, key: str, givens: Givens, graph: FormulaGraph) -> Iterator[tuple[str, str]]:
    for name, given in quantity.because[key] or (Because(quantity.names[key]),):
        if given and not givens.values.get(given, 0) > 1:
            continue
        if name not in graph.nodes and name not in graph.functions:
            help_ = nearest(name, [*graph.nodes, *graph.functions])
            raise refuse("unknown-quantity", f"{FILE}: no formula is named `{name}`", help=help_)
        declared = graph.nodes[name].declaration if name in graph.nodes else graph.functions[name]
        yield from ((name, each) for each in declared.notes.remarks)
