"""Builds the tables of a validation: all of them, and those of one screen with names of reports/validate.toml."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import Refit
from formula_eval.analyse.validate.other_tools import Peer
from formula_eval.analyse.validate.points import number
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.library import Library
from formula_eval.toml_table import read_table

ROW_COLUMNS = ("point", "source", "metric", "measured", "predicted", "error %", "assumed, or why it was not run")
ERROR_COLUMNS = ("n", "not run", "mean", "median", "p90", "max", "signed median", "rank of layouts")
REFIT_COLUMNS = (
    "n",
    "left out: mean",
    "median",
    "signed median",
    "rank of layouts",
    "fitted to all",
    "shipped defaults",
)
PEER_COLUMNS = ("subset", "metric", "tool", "n", "mean", "median", "our n", "our mean", "our median")
_LONGEST = 20
_FILE = "reports/validate.toml"
_ERRORS = ("points", "mean", "median", "p90", "bias")
_POINTS = ("point", "metric", "measured", "predicted", "error %")
_PEERS = ("tool", "metric", "n", "mean", "our n", "our mean")
_ALL = "all "


class AccuracyTable(NamedTuple):
    """A titled table of texts; the first `texts` columns stand to the left, and so does the last if it holds prose."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    prose: bool = False


def tables(validation: Validation, worst: int | None) -> list[AccuracyTable]:
    """All tables, with every row, or with the worst alone."""
    chosen = validation.rows if worst is None else validation.worst(worst)
    title = "Points" if worst is None else f"The {len(chosen)} points that are furthest off"
    shown = [
        AccuracyTable(title, ROW_COLUMNS, [_row(row) for row in chosen], 3, prose=True),
        errors("Errors by source, in percent", "source", [summary for summary in validation.summaries if summary.n]),
        errors("Errors over all sources, in percent", "points", validation.totals),
        *(refitted(refit) for refit in validation.refits),
        peer_errors(validation.peers),
    ]
    return [table for table in (*shown, _not_run(validation.rows)) if table.rows]


def _not_run(rows: Sequence[MeasuredRow]) -> AccuracyTable:
    counts = Counter((row.group, row.metric, row.reason) for row in rows if not row.ran)
    listed = [[group, metric, str(n), reason] for (group, metric, reason), n in sorted(counts.items())]
    return AccuracyTable("What was not run, and why", ("source", "metric", "n", "reason"), listed, 2, prose=True)


def errors(title: str, first: str, found: Sequence[Summary]) -> AccuracyTable:
    """A line for each summary."""
    return AccuracyTable(title, (first, "metric", *ERROR_COLUMNS), [_summary(summary) for summary in found], 2)


def _row(row: MeasuredRow) -> list[str]:
    remarks = "; ".join(text for text in (row.assumed, row.remark) if text) if row.ran else f"not run: {row.reason}"
    return [row.point.id, row.group, row.metric, *measured_cells(row), remarks]


def measured_cells(row: MeasuredRow) -> list[str]:
    """The measured and the predicted value and the error in percent; the first alone of what was not run."""
    if not row.ran:
        return [_given(row), "", ""]
    return [_given(row), _figure(row.predicted, answer=row.answer), percent(row.error, sign="+")]


def _given(row: MeasuredRow) -> str:
    stated = row.point.measured.get(row.metric)
    found = number(stated)
    return str(stated)[:_LONGEST] if found is None else _figure(found, answer=row.answer)


def _figure(value: float, *, answer: bool) -> str:
    if answer:
        return "yes" if value else "no"
    return f"{value:.4g}"


def _summary(found: Summary) -> list[str]:
    sizes = (found.mean, found.median, found.p90, found.largest)
    rank = f"{found.rank:.2f} ({found.ranked})" if found.ranked else ""
    shown = [*(percent(size) for size in sizes), percent(found.signed, sign="+"), rank] if found.n else [""] * 6
    return [found.group, found.metric, str(found.n), str(found.left_out) if found.left_out else "", *shown]


def peer_errors(peers: Sequence[Peer]) -> AccuracyTable:
    """The errors of other tools, and ours on the same points."""
    return AccuracyTable("Errors of other tools, in percent", PEER_COLUMNS, [_peer(peer) for peer in peers], 3)


def refitted(refit: Refit) -> AccuracyTable:
    """Each group with a fit to all others, with a fit to all and with the defaults; the mean over groups at the end."""
    rows = [
        [
            *(group.group, str(group.without.n), percent(group.without.mean), percent(group.without.median)),
            *(percent(group.without.signed, sign="+"), _ranked(group.without.rank)),
            *(percent(group.together.mean), percent(group.defaults.mean)),
        ]
        for group in refit.groups
    ]
    over = [f"mean over {refit.by}s", "", percent(refit.mean_over_groups), *[""] * 5]
    title = f"Each {refit.by} left out of the fit of {refit.fit.name}: errors in percent"
    return AccuracyTable(title, (refit.by, *REFIT_COLUMNS), [*rows, over])


def _ranked(rank: float) -> str:
    return "" if math.isnan(rank) else f"{rank:.2f}"


def _peer(peer: Peer) -> list[str]:
    theirs = [str(peer.n), f"{peer.mean:.1f}", f"{peer.median:.1f}"]
    ours = [str(peer.ours.n), percent(peer.ours.mean), percent(peer.ours.median)]
    return [peer.subset, peer.metric, peer.tool, *theirs, *ours]


def percent(share: float, sign: str = "") -> str:
    """A share in percent, with one digit after the point and no minus before a zero."""
    return "" if math.isnan(share) else f"{round(100 * share, 1) + 0.0:{sign}.1f}"


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
    whole = [total for total in validation.totals if total.group.startswith(_ALL)]
    kinds = list(dict.fromkeys(summary.group for summary in whole))
    totals = [
        summary._replace(group=layout.word(summary.group.removeprefix(_ALL)))
        for summary in sorted(whole, key=lambda each: kinds.index(each.group))
    ]
    by_source, peers = [summary for summary in validation.summaries if summary.n], _widest(validation.peers)
    shown = [
        *([points(validation.worst(worst), layout)] if worst else []),
        _errors("Errors in percent of what was measured", "question", totals, layout),
        _errors(_title("By source", by_source, layout), "source", _furthest(by_source, layout), layout),
        *(refitted(refit) for refit in validation.refits),
        _beside(peers, layout),
    ]
    return [table for table in shown if table.rows]


def points(rows: Iterable[MeasuredRow], layout: AccuracyLayout) -> AccuracyTable:
    """A line for each row, without what had to be assumed."""
    cells = [[row.point.id, layout.word(row.metric), *measured_cells(row)] for row in rows]
    return AccuracyTable("Points that are furthest off", _POINTS, cells, 2)


def not_run_line(rows: Sequence[MeasuredRow]) -> str:
    """How many figures were not predicted."""
    count = sum(not row.ran for row in rows)
    return f"{count:,} of {len(rows):,} figures were not predicted; --points says why, and shows all."


def _title(title: str, found: Sequence[Any], layout: AccuracyLayout) -> str:
    return title if len(found) <= layout.most else f"{title}: the {layout.most} of {len(found)} that are furthest off"


def _furthest(found: Sequence[Summary], layout: AccuracyLayout) -> list[Summary]:
    ranked = found if len(found) <= layout.most else sorted(found, key=lambda summary: -summary.mean)
    return [summary for number, summary in enumerate(ranked) if number < layout.most]


def _errors(title: str, first: str, found: Sequence[Summary], layout: AccuracyLayout) -> AccuracyTable:
    rows = [
        [
            *(summary.group, layout.word(summary.metric), f"{summary.n:,}"),
            *(percent(summary.mean), percent(summary.median), percent(summary.p90), percent(summary.signed, sign="+")),
        ]
        for summary in found
    ]
    return AccuracyTable(title, (first, "metric", *_ERRORS), rows, 2)


def _widest(found: Sequence[Peer]) -> list[Peer]:
    """Of each tool and metric what was computed of most points."""
    best: dict[tuple[str, str], Peer] = {}
    for peer in found:
        key = (peer.tool, peer.metric)
        if key not in best or peer.n > best[key].n:
            best[key] = peer
    return list(best.values())


def _beside(found: Sequence[Peer], layout: AccuracyLayout) -> AccuracyTable:
    rows = [
        [
            *(peer.tool, layout.word(peer.metric), f"{peer.n:,}", f"{peer.mean:.1f}"),
            *(f"{peer.ours.n:,}", percent(peer.ours.mean)),
        ]
        for peer in found
    ]
    return AccuracyTable("Other tools on the points that they can compute, and ours on these", _PEERS, rows, 2)
