"""A question to the answers of several namespaces side by side, with why they differ from ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.analyse import comparison, correspondence
from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Value
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens, Question

PRESET = "preset.toml"


def compare(evaluator: Evaluator, question: Question, wanted: correspondence.Correspondences) -> comparison.Comparison:
    """The same question to every namespace; raises FormulaError for a question that cannot be asked at all."""
    ours, *others = wanted.columns
    own = evaluator.givens(question._replace(namespace=ours.namespace))
    answers = {ours.key: _answer(evaluator, own, ours, wanted.quantities)}
    for each in others:
        givens = _alike(evaluator.givens(question._replace(namespace=each.namespace)), own, wanted.alike)
        answers[each.key] = _answer(evaluator, givens, each, wanted.quantities)
    rows = [_row(each, answers, ours.key, evaluator.graph) for each in wanted.quantities]
    if all(each.value is None for row in rows for each in row.readings.values()):
        evaluator.evaluate(own, [rows[0].readings[ours.key].name], ours.namespace)  # raises what nobody can do without
    assumed = {each.key: _assumptions(answers[each.key], answers[ours.key], each.namespace) for each in others}
    return comparison.Comparison(wanted.columns, rows, assumed)


class _Answer(NamedTuple):
    """What one namespace says by name, the inputs that it read, and all that was given."""

    readings: Mapping[str, comparison.Reading]
    inputs: Mapping[str, Value]
    givens: Givens


def _alike(theirs: Givens, ours: Givens, names: Sequence[str]) -> Givens:
    """What a namespace is given, with these inputs as we are given them, or at their defaults as with us."""
    same = [name for name in names if name in ours.values]
    values = {name: value for name, value in theirs.values.items() if name not in names}
    origins = {name: origin for name, origin in theirs.origins.items() if name not in names}
    values |= {name: ours.values[name] for name in same}
    origins |= {name: ours.origins[name] for name in same}
    return theirs._replace(values=values, origins=origins)


def _answer(
    evaluator: Evaluator,
    givens: Givens,
    column: correspondence.Column,
    quantities: Sequence[correspondence.Correspondence],
) -> _Answer:
    """The answer of a namespace; where it refuses some of what is asked together, each is asked alone."""
    asked = (named[column.key] for each in quantities for named in (each.names, each.times) if column.key in named)
    names = list(dict.fromkeys(asked))
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
        reason = " ".join(dict.fromkeys(each.message for each in error.diagnostics))
        return _Answer({name: comparison.Reading(name, reason=reason) for name in names}, {}, givens)
    return _Answer(
        {name: comparison.Reading(name, result[name], reason=result[name].why) for name in names}, result.inputs, givens
    )


def _assumptions(theirs: _Answer, ours: _Answer, namespace: str) -> list[comparison.Assumption]:
    """What this namespace read that nobody but itself set."""
    own = [each for each in theirs.inputs.values() if each.name.startswith(f"{namespace}.") or PRESET in each.origin]
    found = [comparison.Assumption(each.name, each, _with_us(each, ours)) for each in own]
    return [each for each in found if each.ours is None or each.ours.value != each.value.value]


def _with_us(theirs: Value, ours: _Answer) -> Value | None:
    """The same input as we read it, or as we would."""
    number = ours.givens.values.get(theirs.name)
    if theirs.name in ours.inputs or number is None or isinstance(theirs.value, str | bool):
        return ours.inputs.get(theirs.name)
    return theirs._replace(value=number)


def _row(
    quantity: correspondence.Correspondence, answers: Mapping[str, _Answer], ours: str, graph: FormulaGraph
) -> comparison.Row:
    read = {key: _whole(quantity, key, answers[key].readings) for key in quantity.names if key in answers}
    base = _number(read[ours])
    readings = {
        key: each if key == ours else each._replace(ratio=_ratio(_number(each), base)) for key, each in read.items()
    }
    why = {
        key: comparison.Explanation(
            _written(each.name, graph), tuple(_notes(quantity, key, answers[key].givens, graph))
        )
        for key, each in readings.items()
        if each.differs
    }
    return comparison.Row(quantity.title, readings, _written(readings[ours].name, graph), why)


def _whole(
    quantity: correspondence.Correspondence, key: str, readings: Mapping[str, comparison.Reading]
) -> comparison.Reading:
    """A reading, or that of a part so many times; the reason of either why there is none."""
    reading = readings[quantity.names[key]]
    if key not in quantity.times:
        return reading
    factor = readings[quantity.times[key]]
    number, times = _number(reading), _number(factor)
    if reading.value is None or number is None or times is None:
        return reading._replace(reason=reading.reason or factor.reason)
    return reading._replace(value=reading.value._replace(value=number * times), times=factor.name)


def _number(reading: comparison.Reading) -> float | None:
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


def _notes(
    quantity: correspondence.Correspondence, key: str, givens: Givens, graph: FormulaGraph
) -> Iterator[tuple[str, str]]:
    for name, given in quantity.because[key] or (correspondence.Because(quantity.names[key]),):
        if given and not givens.values.get(given, 0) > 1:
            continue
        if name not in graph.nodes and name not in graph.functions:
            help_ = nearest(name, [*graph.nodes, *graph.functions])
            raise refuse("unknown-quantity", f"{correspondence.FILE}: no formula is named `{name}`", help=help_)
        declared = graph.nodes[name].declaration if name in graph.nodes else graph.functions[name]
        yield from ((name, each) for each in declared.notes.remarks)
