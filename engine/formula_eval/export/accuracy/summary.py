"""Summarises a validation on one screen: errors by figure, the sources furthest off, other tools beside ours."""

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.other_tools import Peer
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.export.accuracy.tables import AccuracyTable, measured_cells, percent, refitted
from formula_eval.library import Library
from formula_eval.toml_table import read_table

_FILE = "reports/validate.toml"
_ERRORS = ("points", "mean", "median", "p90", "bias")
_POINTS = ("point", "metric", "measured", "predicted", "error %")
_PEERS = ("tool", "metric", "n", "mean", "our n", "our mean")
_ALL = "all "


class AccuracyLayout(NamedTuple):
    """How many lines of a table are shown, and names of metrics and kinds in words."""

    most: float = math.inf
    words: Mapping[str, str] = MappingProxyType({})

    def word(self, name: str) -> str:
        """The words for a name, or itself where nobody gave any."""
        return self.words.get(name, name)


def read_accuracy_layout(library: Library) -> AccuracyLayout:
    """The layout of the last folder that has one; raises FormulaError for a file that is wrong."""
    shown, data = library.last(_FILE)
    return read_table(AccuracyLayout, data, shown, {})


def summary_tables(validation: Validation, layout: AccuracyLayout, worst: int | None) -> list[AccuracyTable]:
    """The tables of one screen, after the `worst` rows if any were asked for."""
    whole = [each for each in validation.totals if each.group.startswith(_ALL)]
    kinds = list(dict.fromkeys(each.group for each in whole))
    totals = [
        each._replace(group=layout.word(each.group.removeprefix(_ALL)))
        for each in sorted(whole, key=lambda each: kinds.index(each.group))
    ]
    by_source, peers = [each for each in validation.summaries if each.n], _widest(validation.peers)
    shown = [
        *([points(validation.worst(worst), layout)] if worst else []),
        _errors("Errors in percent of what was measured", "question", totals, layout),
        _errors(_title("By source", by_source, layout), "source", _furthest(by_source, layout), layout),
        *(refitted(each) for each in validation.refits),
        _beside(peers, layout),
    ]
    return [each for each in shown if each.rows]


def points(rows: Iterable[MeasuredRow], layout: AccuracyLayout) -> AccuracyTable:
    """A line for each row, without what had to be assumed."""
    cells = [[row.point.id, layout.word(row.metric), *measured_cells(row)] for row in rows]
    return AccuracyTable("Points that are furthest off", _POINTS, cells, 2)


def not_run_line(rows: Sequence[MeasuredRow]) -> str:
    """How many figures were not predicted."""
    count = sum(not each.ran for each in rows)
    return f"{count:,} of {len(rows):,} figures were not predicted; --points says why, and shows all."


def _title(title: str, found: Sequence[Any], layout: AccuracyLayout) -> str:
    return title if len(found) <= layout.most else f"{title}: the {layout.most} of {len(found)} that are furthest off"


def _furthest(found: Sequence[Summary], layout: AccuracyLayout) -> list[Summary]:
    ranked = found if len(found) <= layout.most else sorted(found, key=lambda each: -each.mean)
    return [each for number, each in enumerate(ranked) if number < layout.most]


def _errors(title: str, first: str, found: Sequence[Summary], layout: AccuracyLayout) -> AccuracyTable:
    rows = [
        [
            *(each.group, layout.word(each.metric), f"{each.n:,}"),
            *(percent(each.mean), percent(each.median), percent(each.p90), percent(each.signed, sign="+")),
        ]
        for each in found
    ]
    return AccuracyTable(title, (first, "metric", *_ERRORS), rows, 2)


def _widest(found: Sequence[Peer]) -> list[Peer]:
    """Of each tool and metric what was computed of most points."""
    best: dict[tuple[str, str], Peer] = {}
    for each in found:
        key = (each.tool, each.metric)
        if key not in best or each.n > best[key].n:
            best[key] = each
    return list(best.values())


def _beside(found: Sequence[Peer], layout: AccuracyLayout) -> AccuracyTable:
    rows = [
        [
            *(each.tool, layout.word(each.metric), f"{each.n:,}", f"{each.mean:.1f}"),
            *(f"{each.ours.n:,}", percent(each.ours.mean)),
        ]
        for each in found
    ]
    return AccuracyTable("Other tools on the points that they can compute, and ours on these", _PEERS, rows, 2)
