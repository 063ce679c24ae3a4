"""Answers a question with published tools beside our own formulas, and explains the differences."""

from collections.abc import Iterator, Mapping, Sequence

from formula_eval.analyse.compare import correspondence
from formula_eval.analyse.compare.answers import Side, answered, number_of, with_ratios, written
from formula_eval.analyse.compare.comparison import (
    Assumption,
    ColumnDifference,
    ComparedQuantity,
    ComparedValue,
    Comparison,
)
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.records.givens import Givens, Question

PRESET = "preset.toml"


def compare(evaluator: Evaluator, question: Question, wanted: correspondence.Correspondences) -> Comparison:
    """Asks every namespace the same question; raises FormulaError for a question that cannot be asked at all."""
    ours, *others = wanted.columns
    own = evaluator.givens(question._replace(namespace=ours.namespace))
    sides = {ours.key: answered(evaluator, own, wanted.needed(ours), ours.namespace)}
    for column in others:
        givens = _alike(evaluator.givens(question._replace(namespace=column.namespace)), own, wanted.alike)
        sides[column.key] = answered(evaluator, givens, wanted.needed(column), column.namespace)
    rows = [_compared(each, sides, ours.key, evaluator.graph) for each in wanted.quantities]
    if all(answer.value is None for row in rows for answer in row.answers.values()):
        evaluator.evaluate(own, [rows[0].answers[ours.key].name], ours.namespace)  # raises what nobody can do without
    assumptions = {each.key: _assumptions(sides[each.key], sides[ours.key], each.namespace) for each in others}
    return Comparison(wanted.columns, rows, assumptions)


def _alike(theirs: Givens, ours: Givens, names: Sequence[str]) -> Givens:
    """The givens of a namespace, with these inputs at our values, given or default."""
    same = [name for name in names if name in ours.values]
    values = {name: value for name, value in theirs.values.items() if name not in names}
    origins = {name: origin for name, origin in theirs.origins.items() if name not in names}
    values |= {name: ours.values[name] for name in same}
    origins |= {name: ours.origins[name] for name in same}
    return theirs._replace(values=values, origins=origins)


def _assumptions(theirs: Side, ours: Side, namespace: str) -> list[Assumption]:
    """The inputs that this namespace read and set by itself."""
    own = [each for each in theirs.inputs.values() if each.name.startswith(f"{namespace}.") or PRESET in each.origin]
    found = [Assumption(each.name, each, _with_us(each, ours)) for each in own]
    return [each for each in found if each.ours is None or each.ours.value != each.value.value]


def _with_us(theirs: Value, ours: Side) -> Value | None:
    """The same input at our value, read or default."""
    number = ours.givens.values.get(theirs.name)
    if theirs.name in ours.inputs or number is None or isinstance(theirs.value, str | bool):
        return ours.inputs.get(theirs.name)
    return theirs.with_number(number)


def _compared(
    quantity: correspondence.Correspondence, sides: Mapping[str, Side], ours: str, graph: FormulaGraph
) -> ComparedQuantity:
    whole = {key: _whole(quantity, key, sides[key].answers) for key in quantity.names if key in sides}
    answers = with_ratios(whole, ours)
    differences = {
        key: ColumnDifference(written(each.name, graph), tuple(_notes(quantity, key, sides[key].givens, graph)))
        for key, each in answers.items()
        if each.differs
    }
    return ComparedQuantity(quantity.title, answers, written(answers[ours].name, graph), differences)


def _whole(quantity: correspondence.Correspondence, key: str, answers: Mapping[str, ComparedValue]) -> ComparedValue:
    """The answer for the whole quantity, a part times its factor; or the reason why one of them has none."""
    answer = answers[quantity.names[key]]
    if key not in quantity.factors:
        return answer
    factor = answers[quantity.factors[key]]
    number, times = number_of(answer), number_of(factor)
    if answer.value is None or number is None or times is None:
        return answer._replace(reason=answer.reason or factor.reason)
    return answer._replace(value=answer.value.with_number(number * times), factor=factor.name)


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
