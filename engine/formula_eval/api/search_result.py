"""Presents what a search found: as the terminal does, as dicts, as a frame of pandas or a table of Arrow."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.analyse.search.outcome import Outcome, Proof, Robustness
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_frame import arrow_table, batch_rows, pandas_rows
from formula_eval.export.terminal.screen import Screen
from formula_eval.export.terminal.search_text import SearchText
from formula_eval.records.answer_kind import ANSWER

_WIDTH = 100
_TOP = 6


class SearchResult:
    """The best configurations of a search, the best first, in base units.

    `best` is a dict of the inputs that vary and of what is told of them, None where no configuration meets every
    condition: `stops` then says what is against the one that comes nearest. `runners_up` follow, `front` are those than
    which nothing is better in one of two ways and as good in the other. `counts` says how many there were, and why the
    others are none; `formulas.evaluate(**result.given)` is the whole answer of the best.
    """

    def __init__(self, found: Outcome, titles: Mapping[str, str]) -> None:
        """Show what was found, quantities under these titles."""
        self._found = found
        self._titles = titles

    @property
    def best(self) -> dict[str, Any] | None:
        """The best configuration."""
        return next(iter(batch_rows(self._found.leaders, self._columns, 1)), None)

    @property
    def given(self) -> dict[str, Any]:
        """What `evaluate` takes to answer for the best, or for what comes nearest where there is none."""
        told = self._found.best or self._found.nearest
        if told is None:
            return {}
        question = told.question
        scenario = {"inputs": question.scenario} if question.scenario else {}
        answer = {ANSWER: question.answer} if question.answer else {}
        return {**question.records, **question.values, **scenario, **answer}

    @property
    def runners_up(self) -> list[dict[str, Any]]:
        """Those behind the best, a thousand at most."""
        return batch_rows(self._found.leaders, self._columns)[1:]

    @property
    def front(self) -> list[dict[str, Any]]:
        """The configurations than which none is better in one of two ways and as good in the other."""
        return batch_rows(self._found.front, self._columns)

    @property
    def counts(self) -> Tally:
        """How many configurations there were, how many meet every condition, and why the others do not."""
        return self._found.counts

    @property
    def proof(self) -> Proof:
        """Whether the best is proven to be the best (`is_proven`), over how many, and what none can be better than."""
        return self._found.proof

    @property
    def robustness(self) -> Robustness | None:
        """How often the best stays the best where each time errs by itself; None where nothing is known of that."""
        return self._found.robustness

    @property
    def warnings(self) -> Sequence[str]:
        """What checks warn of at the best."""
        return self._found.best.warnings if self._found.best else ()

    @property
    def stops(self) -> Sequence[str]:
        """What is against the configuration that comes nearest, where none meets every condition."""
        return self._found.nearest.stops if self._found.nearest else ()

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column: `byte`, `s`, ...; empty for words and plain numbers."""
        return {column.name: column.unit for column in self._columns}

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is optional
        """A frame of the best configurations; raises FormulaError where pandas is not installed."""
        return pandas_rows(self._found.leaders, self._columns)

    def to_arrow(self) -> Any:  # noqa: ANN401 - pyarrow is optional
        """A table of the same, units in its metadata; raises FormulaError where pyarrow is not installed."""
        return arrow_table(self._found.leaders, self._columns)

    @property
    def _columns(self) -> list[Column]:
        return [column._replace(in_base=True) for column in self._found.columns]

    def __str__(self) -> str:
        """What the terminal shows."""
        return SearchText(self._found, self._titles, Screen(_WIDTH)).text(_TOP)

    __repr__ = __str__
