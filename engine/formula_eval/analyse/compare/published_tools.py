"""Answers a question with published tools beside our own formulas, and explains the differences.

Which quantities of different namespaces correspond stands in reports/compare.toml.
"""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from formula_eval.analyse.compare.answers import Side, answered, number_of, with_ratios, written
from formula_eval.analyse.compare.comparison import (
    Assumption,
    ColumnDifference,
    ComparedColumn,
    ComparedQuantity,
    ComparedValue,
    Comparison,
)
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.library import Library
from formula_eval.records.givens import Givens, Question
from formula_eval.records.origin import PRESET
from formula_eval.records.schema import Schema
from formula_eval.toml_table import check_table, table

FILE = "reports/compare.toml"
_COLUMN, _ROW = table("key title namespace"), table("title name:quantity about with?:[input] without?:[input]")
_QUANTITY = table(
    "title about? times?:columns because?:reasons *:text", columns=table("*:text"), reasons=table("*:[text]")
)
COMPARE = table(
    "alike?:[input] runs?:[formula] percents?:[formula] row?:[row] column?:[column] quantity?:[quantity]",
    row=_ROW,
    column=_COLUMN,
    quantity=_QUANTITY,
)


class Because(NamedTuple):
    """A formula whose notes tell why a namespace differs; if `given` names an input, only where that is more than 1."""

    formula: str
    given: str = ""


class Correspondence(NamedTuple):
    """A quantity: its name and its factor in each namespace, and why it may differ from ours."""

    title: str
    names: Mapping[str, str]
    factors: Mapping[str, str]
    because: Mapping[str, tuple[Because, ...]]
    about: str = ""


class Correspondences(NamedTuple):
    """All correspondences; the first column is the one that others are compared with.

    `alike` are inputs of the question itself: whatever a namespace assumes of them, it is asked with ours.
    """

    columns: Sequence[ComparedColumn]
    quantities: Sequence[Correspondence]
    alike: Sequence[str] = ()

    def needed(self, column: ComparedColumn) -> list[str]:
        """All quantities that a column's namespace has to compute."""
        named = (each for quantity in self.quantities for each in (quantity.names, quantity.factors))
        return list(dict.fromkeys(each[column.key] for each in named if column.key in each))

    def about(self, purpose: str) -> "Correspondences":
        """The correspondences of serving or of training; raises FormulaError where there are none."""
        chosen = [quantity for quantity in self.quantities if quantity.about in ("", purpose)]
        if not chosen:
            raise refuse("bad-report", f"{FILE} compares nothing about {purpose}")
        return self._replace(quantities=chosen)

    def only(self, patterns: Sequence[str]) -> "Correspondences":
        """The correspondences whose title or own name matches a pattern, in the columns that have some of them.

        Raises FormulaError where none fits.
        """
        fitting = [_fitting(pattern, self.quantities) for pattern in patterns or "*"]
        chosen = [quantity for quantity in self.quantities if any(quantity in found for found in fitting)]
        columns = [column for column in self.columns if any(column.key in quantity.names for quantity in chosen)]
        if len(columns) == 1 < len(self.columns):
            others = " and ".join(column.namespace for column in self.columns[1:])
            raise refuse("nothing-compared", f"Nothing of this is answered by {others}", help="Leave --namespace out.")
        return self._replace(columns=columns, quantities=chosen)

    def beside(self, namespace: str) -> "Correspondences":
        """Our own column and that of one namespace, or all; raises FormulaError if it is not compared."""
        if not namespace:
            return self
        chosen = [column for column in self.columns[1:] if namespace in (column.namespace, column.key)]
        if not chosen:
            known = [column.namespace for column in self.columns[1:]]
            help_ = nearest(namespace, known) or f"Compared are {', '.join(known)}."
            raise refuse("unknown-namespace", f"`{namespace}` is not compared with ours", help=help_)
        return self._replace(columns=[self.columns[0], *chosen])


def correspondences(library: Library, schema: Schema) -> Correspondences:
    """Reads the file of the last folder that has one; raises FormulaError for errors in it."""
    shown, data = library.last(FILE)
    if not shown:
        help_ = "Give an option several values, as in sweep: these configurations are compared."
        raise refuse("bad-report", f"No {FILE} says what to compare one configuration with", help=help_)
    check_table(COMPARE, data, shown, schema.vocabulary)
    columns = [ComparedColumn(each["key"], each["title"], each["namespace"]) for each in data.get("column", ())]
    if not columns:
        raise refuse("bad-report", f"{shown}: no column is named")
    quantities = [_correspondence(each, columns, schema, shown) for each in data.get("quantity", ())]
    return Correspondences(columns, quantities, data.get("alike", []))


def _correspondence(
    entry: Mapping[str, Any], columns: Sequence[ComparedColumn], schema: Schema, shown: str
) -> Correspondence:
    unknown = entry.keys() - {"title", "about", "times", "because", *(column.key for column in columns)}
    if unknown or columns[0].key not in entry:
        wrong = f"names no column `{min(unknown)}`" if unknown else f"lacks `{columns[0].key}`"
        raise refuse("bad-report", f"{shown}: the quantity `{entry['title']}` {wrong}")
    names = _names(entry, columns, schema, shown)
    ours = schema.quantity(names[columns[0].key]).dimension
    for name in names.values():
        if schema.quantity(name).dimension != ours:
            message = f"{shown}: `{entry['title']}` compares `{ours}` with `{schema.quantity(name).dimension}`"
            raise refuse("bad-report", message, help=f"`{name}` is of another kind.")
    said = entry.get("because", {})
    because = {
        column.key: tuple(_because(text, column, schema, shown) for text in said.get(column.key, ()))
        for column in columns
    }
    factors = _names(entry.get("times", {}), columns, schema, shown)
    return Correspondence(entry["title"], names, factors, because, entry.get("about", ""))


def _names(entry: Mapping[str, Any], columns: Sequence[ComparedColumn], schema: Schema, shown: str) -> dict[str, str]:
    """The names that stand in an entry, by column."""
    return {
        column.key: _known(_within(entry[column.key], column), schema, shown)
        for column in columns
        if column.key in entry
    }


def _because(text: str, column: ComparedColumn, schema: Schema, shown: str) -> Because:
    name, _, given = text.partition(" if ")
    if given and given not in schema.inputs:
        raise refuse("unknown-input", f"{shown}: `{given}` is not an input", help=nearest(given, schema.inputs))
    return Because(_within(name, column), given)


def _within(name: str, column: ComparedColumn) -> str:
    return f"{column.namespace}.{name}" if column.namespace else name


def _known(name: str, schema: Schema, shown: str) -> str:
    if name not in schema.formulas:
        help_ = nearest(name, schema.formulas)
        raise refuse("unknown-quantity", f"{shown}: no quantity is named `{name}`", help=help_)
    return name


def _fitting(pattern: str, among: Sequence[Correspondence]) -> list[Correspondence]:
    named = (
        (correspondence, (correspondence.title, *[*correspondence.names.values()][:1])) for correspondence in among
    )
    found = [correspondence for correspondence, names in named if any(fnmatchcase(name, pattern) for name in names)]
    if not found:
        titles = [correspondence.title for correspondence in among]
        help_ = nearest(pattern, titles) or f"Compared are: {', '.join(titles)}."
        raise refuse("unknown-quantity", f"Nothing that is compared is named `{pattern}`", help=help_)
    return found


def compare(evaluator: Evaluator, question: Question, wanted: Correspondences) -> Comparison:
    """Asks every namespace the same question; raises FormulaError for a question that cannot be asked at all."""
    ours, *others = wanted.columns
    own = evaluator.givens(question._replace(namespace=ours.namespace))
    sides = {ours.key: answered(evaluator, own, wanted.needed(ours), ours.namespace)}
    for column in others:
        givens = _alike(evaluator.givens(question._replace(namespace=column.namespace)), own, wanted.alike)
        sides[column.key] = answered(evaluator, givens, wanted.needed(column), column.namespace)
    rows = [_compared(quantity, sides, ours.key, evaluator.graph) for quantity in wanted.quantities]
    if all(answer.value is None for row in rows for answer in row.answers.values()):
        evaluator.evaluate(own, [rows[0].answers[ours.key].name], ours.namespace)  # raises what nobody can do without
    assumptions = {other.key: _assumptions(sides[other.key], sides[ours.key], other.namespace) for other in others}
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
    own = [
        value for value in theirs.inputs.values() if value.name.startswith(f"{namespace}.") or PRESET in value.origin
    ]
    found = [Assumption(value.name, value, _with_us(value, ours)) for value in own]
    return [
        assumption for assumption in found if assumption.ours is None or assumption.ours.value != assumption.value.value
    ]


def _with_us(theirs: Value, ours: Side) -> Value | None:
    """The same input at our value, read or default."""
    number = ours.givens.values.get(theirs.name)
    if theirs.name in ours.inputs or number is None or isinstance(theirs.value, str | bool):
        return ours.inputs.get(theirs.name)
    return theirs.with_number(number)


def _compared(quantity: Correspondence, sides: Mapping[str, Side], ours: str, graph: FormulaGraph) -> ComparedQuantity:
    whole = {key: _whole(quantity, key, sides[key].answers) for key in quantity.names if key in sides}
    answers = with_ratios(whole, ours)
    differences = {
        key: ColumnDifference(written(answer.name, graph), tuple(_notes(quantity, key, sides[key].givens, graph)))
        for key, answer in answers.items()
        if answer.differs
    }
    return ComparedQuantity(quantity.title, answers, written(answers[ours].name, graph), differences)


def _whole(quantity: Correspondence, key: str, answers: Mapping[str, ComparedValue]) -> ComparedValue:
    """The answer for the whole quantity, a part times its factor; or the reason why one of them has none."""
    answer = answers[quantity.names[key]]
    if key not in quantity.factors:
        return answer
    factor = answers[quantity.factors[key]]
    number, times = number_of(answer), number_of(factor)
    if answer.value is None or number is None or times is None:
        return answer._replace(reason=answer.reason or factor.reason)
    return answer._replace(value=answer.value.with_number(number * times), factor=factor.name)


def _notes(quantity: Correspondence, key: str, givens: Givens, graph: FormulaGraph) -> Iterator[tuple[str, str]]:
    for name, given in quantity.because[key] or (Because(quantity.names[key]),):
        if given and not givens.values.get(given, 0) > 1:
            continue
        if name not in graph.nodes and name not in graph.functions:
            help_ = nearest(name, [*graph.nodes, *graph.functions])
            raise refuse("unknown-quantity", f"{FILE}: no formula is named `{name}`", help=help_)
        declared = graph.nodes[name].declaration if name in graph.nodes else graph.functions[name]
        yield from ((name, remark) for remark in declared.notes.remarks)
