"""Defines a comparison as plain data: columns that answer, rows of quantities, and why columns differ."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from formula_eval.evaluate.value import Value

NOTHING: Mapping[str, Any] = MappingProxyType({})
SAME_WITHIN = 0.01


def told_apart(varies: Sequence[tuple[str, str]]) -> list[str]:
    """In what a configuration differs from others, in words: `h200-sxm`, `price kind three years`."""
    return [text.replace("_", " ") if text.startswith(f"{name} ") else text for name, text in varies]


class ComparedColumn(NamedTuple):
    """A column and its title: a namespace (ours has no name), or one of several configurations.

    `varies` says of a configuration in what it differs: the option, and its value as people read it.
    """

    key: str
    title: str
    namespace: str
    varies: tuple[tuple[str, str], ...] = ()


class ComparedValue(NamedTuple):
    """One column's value of a quantity and its ratio to the first column; or the reason why there is none.

    Where it says less than the whole, `factor` names the formula that the value was multiplied by. A configuration that
    does not run has no value of what it would do.
    """

    name: str  # of the quantity
    value: Value | None = None
    ratio: float | None = None
    reason: str = ""
    factor: str = ""
    runs: bool = True  # whether the configuration does

    @property
    def differs(self) -> bool:
        """Whether it differs by more than a hundredth from the first."""
        return self.ratio is not None and abs(self.ratio - 1) > SAME_WITHIN


class Cause(NamedTuple):
    """An input that two configurations give differently, and what a quantity is multiplied by where it alone changes.

    `alone` is None where the quantity then has no value.
    """

    name: str
    here: Value
    there: Value
    alone: float | None


class ColumnDifference(NamedTuple):
    """Why one column differs from the first.

    Of a namespace its formula as written, and the notes of those it comes from, by their names. Of a configuration the
    inputs that differ, the weightiest first, and the way down the graph to the weightiest, each step a name with its
    value here and there.
    """

    formula: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    causes: tuple[Cause, ...] = ()
    way: tuple[tuple[str, Value, Value], ...] = ()


class ComparedQuantity(NamedTuple):
    """One quantity: each column's answer, the formula of the first, and why others differ."""

    title: str
    answers: Mapping[str, ComparedValue]
    formula: str
    differences: Mapping[str, ColumnDifference]


class Assumption(NamedTuple):
    """An input that a namespace sets by itself, or has of its own; `ours` where we read it too."""

    name: str
    value: Value
    ours: Value | None


class Comparison(NamedTuple):
    """The whole comparison against the first column, with the assumptions of each column and its warnings."""

    columns: Sequence[ComparedColumn]
    rows: Sequence[ComparedQuantity]
    assumptions: Mapping[str, Sequence[Assumption]] = NOTHING
    warnings: Mapping[str, Sequence[str]] = NOTHING

    @property
    def is_of_configurations(self) -> bool:
        """Whether the columns are configurations, rather than namespaces."""
        return any(column.varies for column in self.columns)

    def reasons(self) -> Iterator[tuple[ComparedColumn, str, list[str]]]:
        """Why a column does not answer, once for each reason, with the titles of what it leaves open.

        Not of what does not run, which a row says.
        """
        for column in self.columns:
            unanswered: dict[str, list[str]] = {}
            for row in self.rows:
                answer = row.answers.get(column.key)
                if answer is not None and answer.reason and answer.runs:
                    unanswered.setdefault(answer.reason, []).append(row.title)
            for reason, titles in unanswered.items():
                yield column, reason, titles
