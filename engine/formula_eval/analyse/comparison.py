"""What a comparison holds: the answers of several namespaces to one question, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.analyse.correspondence import Column
from formula_eval.evaluate.result import Value

SAME_WITHIN = 0.01


class Reading(NamedTuple):
    """What one namespace says of a quantity, and how many times ours it is; or the reason why it says nothing.

    Where it says less than the whole, `times` names the formula that the value was multiplied by.
    """

    name: str
    value: Value | None = None
    ratio: float | None = None
    reason: str = ""
    times: str = ""

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
