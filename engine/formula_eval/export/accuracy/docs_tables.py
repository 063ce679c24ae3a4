"""Fills the marked places of a page of the docs with tables of errors."""

import re
from collections.abc import Callable, Mapping, Sequence

from formula_eval.analyse.evidence import EVIDENCE, evidence_groups, read_evidence_layout
from formula_eval.analyse.validate.fit_cache import kept_fits
from formula_eval.analyse.validate.other_tools import left_out_beside_peers
from formula_eval.analyse.validate.parameters import Fit
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.export.accuracy import tables
from formula_eval.export.accuracy.report import markdown
from formula_eval.library import Library

_PLACE = re.compile(r"(<!-- table: (\w+)(?: (\w+))?(?: by (\w+))? -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def filled(page: str, validation: Validation) -> str:
    """The page with the table that each `<!-- table: name kind -->` asks for, up to its `<!-- end -->`.

    `<!-- table: fits kind by source -->` asks for sources left out; it stays as it is if nothing was fitted.
    """

    def table(place: "re.Match[str]") -> str:
        if place[2] in ("fits", "intervals") and not validation.refits:
            return place[0]
        shown = _fits(validation, place[3], place[4]) if place[2] == "fits" else _TABLES[place[2]](validation, place[3])
        return f"{place[1]}\n{markdown(shown)}\n{place[6]}"

    return _PLACE.sub(table, page)


def _sources(validation: Validation, kind: str) -> tables.AccuracyTable:
    shown = {(each.group, each.metric) for each in validation.rows if each.point.kind == kind and not each.answer}
    return tables.errors("", "source", [each for each in validation.summaries if each.n and each[:2] in shown])


def _totals(validation: Validation, kind: str) -> tables.AccuracyTable:
    return tables.errors("", "points", _of_kind(validation.totals, kind))


def _of_kind(found: Sequence[Summary], kind: str) -> list[Summary]:
    return [each for each in found if each.n and each.group.endswith(kind)]


def _fits(validation: Validation, kind: str, by: str) -> tables.AccuracyTable:
    return tables.refitted(next(each for each in validation.refits if (each.fit.name, each.by) == (kind, by)))


def beside_peers(page: str, library: Library, fits: Sequence[Fit]) -> str:
    """A page with `<!-- table: left_out -->` filled from what the library keeps, with no point computed anew."""
    shown = markdown(tables.left_out_beside_peers(left_out_beside_peers(library, kept_fits(library, fits))))
    return _PLACE.sub(lambda place: f"{place[1]}\n{shown}\n{place[6]}" if place[2] == "left_out" else place[0], page)


def with_evidence(page: str, library: Library) -> str:
    """A page with each `<!-- table: evidence figure -->` filled with the groups of runs that the library keeps."""
    layout, groups = read_evidence_layout(library), evidence_groups(library)

    def table(place: "re.Match[str]") -> str:
        if place[2] != EVIDENCE:
            return place[0]
        shown = markdown(tables.evidence(layout.columns, [each for each in groups if each.figure == place[3]]))
        return f"{place[1]}\n{shown}\n{place[6]}"

    return _PLACE.sub(table, page)


def _intervals(validation: Validation, kind: str) -> tables.AccuracyTable:
    del kind
    return tables.ends(validation.intervals)


def _peers(validation: Validation, kind: str) -> tables.AccuracyTable:
    metrics = {each.metric for each in validation.rows if each.point.kind == kind}
    return tables.peer_errors([each for each in validation.peers if each.metric in metrics])


_TABLES: Mapping[str, Callable[[Validation, str], tables.AccuracyTable]] = {
    "sources": _sources,
    "totals": _totals,
    "intervals": _intervals,
    "peers": _peers,
}
