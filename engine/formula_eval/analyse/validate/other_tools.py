"""Compares the published errors of other tools with ours on the same points."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.point_values import PointValues
from formula_eval.analyse.validate.points import Point
from formula_eval.analyse.validate.sources import SourceTable, measured_tables
from formula_eval.analyse.validate.statistics import Summary, summary
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.library import Library
from formula_eval.toml_table import table

# Which points belong to a subset.
SUBSET = "sources?:[text] core?:flag where?"
_PEER = table("tool metric subset n:whole mean:number median:number")
PEERS = table(
    "source? date? tools?:tools subsets?:subsets peer?:[peer] beside?:[beside]",
    tools=table("*:text"),
    subsets=table("*:subset", subset=table(SUBSET)),
    peer=_PEER,
    beside=table("title fit source subset metric"),
)
_BARE = SourceTable("peers", "peers.toml", "peers", (), (), {})


class Peer(NamedTuple):
    """The error of a tool on a subset, in percent of what was measured, and ours on our points of it."""

    tool: str
    metric: str  # the key of the figure that it predicts
    subset: str
    n: int  # how many points the tool was run on
    mean: float  # the tool's mean absolute error, in percent
    median: float  # the tool's median absolute error, in percent
    ours: Summary


def peers(library: Library, rows: Sequence[MeasuredRow]) -> list[Peer]:
    """All published errors for which there are rows; raises FormulaError for a mistake in the file."""
    found = []
    for shown, data in measured_tables(library, "peers.toml", PEERS):
        members = {name: _members(subset, rows, library) for name, subset in data.get("subsets", {}).items()}
        for each in data.get("peer", ()):
            if each.get("subset") not in members:
                raise refuse("unknown-record", f"{shown}: there is no subset `{each.get('subset')}`")
            own = [row for row in members[each["subset"]] if row.metric == each["metric"]]
            ours = summary(str(each["subset"]), str(each["metric"]), own)
            if ours.n:
                sizes = float(each["mean"]), float(each["median"])
                found.append(Peer(str(each["tool"]), ours.metric, ours.group, int(each["n"]), *sizes, ours))
    return found


def _members(subset: Mapping[str, Any], rows: Sequence[MeasuredRow], library: Library) -> list[MeasuredRow]:
    """The rows of a subset: by the globs of its sources, by whether a point is core, and by a condition."""
    known: dict[int, bool] = {}
    for row in rows:
        if id(row.point) not in known:
            known[id(row.point)] = belongs(subset, row.point, library)
    return [row for row in rows if known[id(row.point)]]


def belongs(subset: Mapping[str, Any], point: Point, library: Library) -> bool:
    """Whether a point is of a subset: by the globs of its sources, by whether it is core, and by a condition."""
    if subset.get("core") and not point.core:
        return False
    if not any(fnmatchcase(point.source, glob) for glob in subset.get("sources", ["*"])):
        return False
    try:
        return bool(PointValues(point, _BARE, library, ()).value(str(subset.get("where", "true")), "where"))
    except FormulaError:  # a point that does not say what the condition asks for
        return False
