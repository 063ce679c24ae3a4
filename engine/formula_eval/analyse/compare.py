"""A question to the answers of several namespaces side by side, with why they differ from ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.analyse import correspondence
from formula_eval.analyse.correspondence import Column
from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Value
from formula_eval.evaluate.unchosen import without
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens, Question

PRESET = "preset.toml"
SAME_WITHIN = 0.01


class Answer(NamedTuple):
    """What one namespace says of a quantity, and how many times ours it is; or the reason why it says nothing.

    Where it says less than the whole, `factor` names the formula that the value was multiplied by.
    """

    name: str
    value: Value | None = None
    ratio: float | None = None
    reason: str = ""
    factor: str = ""

    @property
    def differs(self) -> bool:
        """Whether it is more than a hundredth from ours."""
        return self.ratio is not None and abs(self.ratio - 1) > SAME_WITHIN


_LACKING = Answer("", reason="No such quantity.")


class Difference(NamedTuple):
    """Why one namespace differs: its formula as written, and the notes of those it comes from, by their names."""

    formula: str
    notes: tuple[tuple[str, str], ...]


class ComparedQuantity(NamedTuple):
    """One quantity: what each namespace says of it by column, our formula, and why others differ."""

    title: str
    answers: Mapping[str, Answer]
    formula: str
    differences: Mapping[str, Difference]


class Assumption(NamedTuple):
    """An input that a namespace sets by itself, or has of its own; `ours` where we read it too."""

    name: str
    value: Value
    ours: Value | None


class Comparison(NamedTuple):
    """All of it; the first column is ours. Assumptions are those of each column."""

    columns: Sequence[Column]
    rows: Sequence[ComparedQuantity]
    assumptions: Mapping[str, Sequence[Assumption]]

    def reasons(self) -> Iterator[tuple[Column, str, list[str]]]:
        """Why a namespace does not answer, once for each reason, with the titles of what it leaves open."""
        for column in self.columns:
            unanswered: dict[str, list[str]] = {}
            for row in self.rows:
                answer = row.answers.get(column.key, _LACKING)
                if answer.reason:
                    unanswered.setdefault(answer.reason, []).append(row.title)
            for reason, titles in unanswered.items():
                yield column, reason, titles


def compare(evaluator: Evaluator, question: Question, wanted: correspondence.Correspondences) -> Comparison:
    """The same question to every namespace; raises FormulaError for a question that cannot be asked at all."""
    ours, *others = wanted.columns
    own = evaluator.givens(question._replace(namespace=ours.namespace))
    sides = {ours.key: _side(evaluator, own, ours, wanted.quantities)}
    for column in others:
        givens = _alike(evaluator.givens(question._replace(namespace=column.namespace)), own, wanted.alike)
        sides[column.key] = _side(evaluator, givens, column, wanted.quantities)
    rows = [_compared(each, sides, ours.key, evaluator.graph) for each in wanted.quantities]
    if all(answer.value is None for row in rows for answer in row.answers.values()):
        evaluator.evaluate(own, [rows[0].answers[ours.key].name], ours.namespace)  # raises what nobody can do without
    assumptions = {each.key: _assumptions(sides[each.key], sides[ours.key], each.namespace) for each in others}
    return Comparison(wanted.columns, rows, assumptions)


class _Side(NamedTuple):
    """One namespace: its answers by name, the inputs that it read, and all that was given."""

    answers: Mapping[str, Answer]
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


def _side(
    evaluator: Evaluator, givens: Givens, column: Column, quantities: Sequence[correspondence.Correspondence]
) -> _Side:
    """The answers of a namespace; where it refuses some of what is asked together, each is asked alone."""
    needed = (named[column.key] for each in quantities for named in (each.names, each.factors) if column.key in named)
    names = list(dict.fromkeys(needed))
    together = _evaluated(evaluator, givens, names, column.namespace)
    if len(names) == 1 or not any(answer.reason for answer in together.answers.values()):
        return together
    alone = [_evaluated(evaluator, givens, [name], column.namespace) for name in names]
    answers = {name: answer for side in alone for name, answer in side.answers.items()}
    return _Side(answers, {name: value for side in alone for name, value in side.inputs.items()}, givens)


def _evaluated(evaluator: Evaluator, givens: Givens, names: Sequence[str], namespace: str) -> _Side:
    if not names:
        return _Side({}, {}, givens)
    try:
        result = evaluator.evaluate(givens, names, namespace)
    except FormulaError as error:
        reason = " ".join(dict.fromkeys(each.message for each in error.diagnostics))
        return _Side({name: Answer(name, reason=reason) for name in names}, {}, givens)
    answers = {name: Answer(name, value, reason=value.why) for name, value in result.values.items()}
    answers |= {name: Answer(name, reason=without(name, said)) for name, said in result.lacking.items()}
    return _Side(answers, result.inputs, givens)


def _assumptions(theirs: _Side, ours: _Side, namespace: str) -> list[Assumption]:
    """What this namespace read that nobody but itself set."""
    own = [each for each in theirs.inputs.values() if each.name.startswith(f"{namespace}.") or PRESET in each.origin]
    found = [Assumption(each.name, each, _with_us(each, ours)) for each in own]
    return [each for each in found if each.ours is None or each.ours.value != each.value.value]


def _with_us(theirs: Value, ours: _Side) -> Value | None:
    """The same input as we read it, or as we would."""
    number = ours.givens.values.get(theirs.name)
    if theirs.name in ours.inputs or number is None or isinstance(theirs.value, str | bool):
        return ours.inputs.get(theirs.name)
    return theirs.with_number(number)


def _compared(
    quantity: correspondence.Correspondence, sides: Mapping[str, _Side], ours: str, graph: FormulaGraph
) -> ComparedQuantity:
    whole = {key: _whole(quantity, key, sides[key].answers) for key in quantity.names if key in sides}
    base = _number(whole[ours])
    answers = {
        key: each if key == ours else each._replace(ratio=_ratio(_number(each), base)) for key, each in whole.items()
    }
    differences = {
        key: Difference(_written(each.name, graph), tuple(_notes(quantity, key, sides[key].givens, graph)))
        for key, each in answers.items()
        if each.differs
    }
    return ComparedQuantity(quantity.title, answers, _written(answers[ours].name, graph), differences)


def _whole(quantity: correspondence.Correspondence, key: str, answers: Mapping[str, Answer]) -> Answer:
    """The answer for the whole quantity, its part multiplied by a factor; the reason of either why there is none."""
    answer = answers[quantity.names[key]]
    if key not in quantity.factors:
        return answer
    factor = answers[quantity.factors[key]]
    number, times = _number(answer), _number(factor)
    if answer.value is None or number is None or times is None:
        return answer._replace(reason=answer.reason or factor.reason)
    return answer._replace(value=answer.value.with_number(number * times), factor=factor.name)


def _number(answer: Answer) -> float | None:
    value = answer.value.value if answer.value is not None else None
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
