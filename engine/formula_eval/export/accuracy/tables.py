"""A validation to tables of text: rows of points, errors by source, and the errors of other tools."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import Refit
from formula_eval.analyse.validate.other_tools import Peer
from formula_eval.analyse.validate.points import number
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation

ROW_COLUMNS = ("point", "source", "metric", "measured", "predicted", "error %", "assumed, or why it was not run")
ERROR_COLUMNS = ("n", "not run", "mean", "median", "p90", "max", "signed median", "rank of layouts")
REFIT_COLUMNS = (
    "source",
    "n",
    "shipped defaults",
    "fitted to all",
    "fitted without it",
    "its median",
    "its signed median",
)
PEER_COLUMNS = ("subset", "metric", "tool", "n", "mean", "median", "our n", "our mean", "our median")

_LONGEST = 20


class Shown(NamedTuple):
    """A titled table of texts; the first `texts` columns stand to the left, and so does the last if it holds prose."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    prose: bool = False


def tables(validation: Validation, worst: int | None) -> list[Shown]:
    """All of it, with every row, or with the worst alone."""
    chosen = validation.rows if worst is None else validation.worst(worst)
    title = "Points" if worst is None else f"The {len(chosen)} points that are furthest off"
    shown = [
        Shown(title, ROW_COLUMNS, [_row(each) for each in chosen], 3, prose=True),
        errors("Errors by source, in percent", "source", [each for each in validation.summaries if each.n]),
        errors("Errors over all sources, in percent", "points", validation.totals),
        *(refitted(each) for each in validation.refits),
        peer_errors(validation.peers),
    ]
    return [each for each in (*shown, _not_run(validation.rows)) if each.rows]


def _not_run(rows: Sequence[MeasuredRow]) -> Shown:
    counts = Counter((each.group, each.metric, each.reason) for each in rows if not each.ran)
    listed = [[group, metric, str(n), reason] for (group, metric, reason), n in sorted(counts.items())]
    return Shown("What was not run, and why", ("source", "metric", "n", "reason"), listed, 2, prose=True)


def errors(title: str, first: str, found: Sequence[Summary]) -> Shown:
    """A line for each summary."""
    return Shown(title, (first, "metric", *ERROR_COLUMNS), [_summary(each) for each in found], 2)


def _row(row: MeasuredRow) -> list[str]:
    texts = [row.point.id, row.group, row.metric]
    if not row.ran:
        return [*texts, _given(row), "", "", f"not run: {row.reason}"]
    remarks = "; ".join(each for each in (row.assumed, row.remark) if each)
    return [*texts, _given(row), _figure(row.predicted, answer=row.answer), f"{100 * row.error:+.1f}", remarks]


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
    shown = [*(_percent(each) for each in sizes), _percent(found.signed, sign="+"), rank] if found.n else [""] * 6
    return [found.group, found.metric, str(found.n), str(found.left_out) if found.left_out else "", *shown]


def peer_errors(peers: Sequence[Peer]) -> Shown:
    """What other tools miss, and what we miss."""
    return Shown("Errors of other tools, in percent", PEER_COLUMNS, [_peer(each) for each in peers], 3)


def refitted(refit: Refit) -> Shown:
    """Each source with the defaults, with a fit to all and with a fit to all others."""
    rows = [
        [
            *(each.group, str(each.without.n), _percent(each.defaults.mean), _percent(each.together.mean)),
            *(_percent(each.without.mean), _percent(each.without.median), _percent(each.without.signed, sign="+")),
        ]
        for each in refit.sources
    ]
    return Shown(f"Each source left out of the fit of {refit.fit.name}: mean error in percent", REFIT_COLUMNS, rows)


def _peer(peer: Peer) -> list[str]:
    theirs = [str(peer.n), f"{peer.mean:.1f}", f"{peer.median:.1f}"]
    ours = [str(peer.ours.n), _percent(peer.ours.mean), _percent(peer.ours.median)]
    return [peer.subset, peer.metric, peer.tool, *theirs, *ours]


def _percent(share: float, sign: str = "") -> str:
    return "" if math.isnan(share) else f"{100 * share:{sign}.1f}"
