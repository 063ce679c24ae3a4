"""Fills the marked places of pages of the docs with tables of errors, which tests hold the pages to."""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from benchmarks.fitting.kept_fits import kept_fits

from formula_eval.analyse.evidence import EVIDENCE, EvidenceGroup, evidence_groups, read_evidence_layout
from formula_eval.analyse.validate.cross_validation import Refit
from formula_eval.analyse.validate.intervals import RegimeInterval
from formula_eval.analyse.validate.other_tools import PEERS
from formula_eval.analyse.validate.parameters import Fit
from formula_eval.analyse.validate.sources import FOLDER
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.export.accuracy.report import markdown
from formula_eval.export.accuracy.tables import AccuracyTable, errors, peer_errors, percent, refitted
from formula_eval.library import Library
from formula_eval.toml_table import check_table

_PLACE = re.compile(r"(<!-- table: (\w+)(?: (\w+))?(?: by (\w+))? -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_Table = Callable[[str, str], AccuracyTable]  # of what its mark names, and of what it says behind `by`


class LeftOut(NamedTuple):
    """The median error of a source that was left out of our fit, in percent, beside that of each tool on its points."""

    title: str
    ours: float
    theirs: Mapping[str, float]


def filled(page: str, validation: Validation, intervals: Sequence[RegimeInterval], aims: AccuracyTable) -> str:
    """The page with the table that each `<!-- table: name kind -->` asks for, up to its `<!-- end -->`.

    `<!-- table: fits kind by source -->` asks for sources left out; it stays as it is if nothing was fitted.
    """
    tables: dict[str, _Table] = {
        "sources": lambda kind, _: _sources(validation, kind),
        "totals": lambda kind, _: errors("", "points", _of_kind(validation.totals, kind)),
        "peers": lambda kind, _: _peers(validation, kind),
    }
    if validation.refits:
        fits = {(each.fit.name, each.by): each for each in validation.refits}
        tables["fits"] = lambda kind, by: refitted(fits[kind, by])
        tables["intervals"] = lambda _, __: _ends(intervals)
        tables["aims"] = lambda _, __: aims
    return _with_tables(page, tables)


def beside_peers(page: str, library: Library, fits: Sequence[Fit]) -> str:
    """A page with `<!-- table: left_out -->` filled from what the library keeps, with no point computed anew."""
    shown = _left_out(_left_out_beside_peers(library, kept_fits(library, fits)))
    return _with_tables(page, {"left_out": lambda _, __: shown})


def with_evidence(page: str, library: Library) -> str:
    """A page with each `<!-- table: evidence figure -->` filled with the groups of runs that the library keeps."""
    layout, groups = read_evidence_layout(library), evidence_groups(library)

    def of_figure(figure: str, _: str) -> AccuracyTable:
        return _evidence(layout.columns, [each for each in groups if each.figure == figure])

    return _with_tables(page, {EVIDENCE: of_figure})


def _with_tables(page: str, tables: Mapping[str, _Table]) -> str:
    """The page with these tables, by the name in the mark; other places stay as they are."""

    def table(place: re.Match[str]) -> str:
        made = tables.get(place[2])
        return f"{place[1]}\n{markdown(made(place[3], place[4]))}\n{place[6]}" if made else place[0]

    return _PLACE.sub(table, page)


def _sources(validation: Validation, kind: str) -> AccuracyTable:
    shown = {(each.group, each.metric) for each in validation.rows if each.point.kind == kind and not each.answer}
    return errors("", "source", [each for each in validation.summaries if each.n and each[:2] in shown])


def _of_kind(found: Sequence[Summary], kind: str) -> list[Summary]:
    return [each for each in found if each.n and each.group.endswith(kind)]


def _peers(validation: Validation, kind: str) -> AccuracyTable:
    metrics = {each.metric for each in validation.rows if each.point.kind == kind}
    return peer_errors([each for each in validation.peers if each.metric in metrics])


def _left_out_beside_peers(library: Library, refits: Sequence[Refit]) -> list[LeftOut]:
    """The rows that `[[beside]]` of peers.toml asks for; of several variants of a tool its best one."""
    kept = {(each.fit.name, each.by, group.group): group for each in refits for group in each.groups}
    found = []
    for folder, path in library.files(f"{FOLDER}/peers.toml"):
        shown = library.shown(folder, path)
        data = library.toml(path, shown)
        check_table(PEERS, data, shown, {})
        for row in data.get("beside", ()):
            ours = kept[row["fit"], "source", row["source"]].without.median
            theirs = {
                tool: float(each["median"])
                for tool, glob in data["tools"].items()
                for each in sorted(data["peer"], key=lambda each: -float(each["median"]))
                if (each["subset"], each["metric"]) == (row["subset"], row["metric"])
                and fnmatchcase(each["tool"], glob)
            }
            found.append(LeftOut(str(row["title"]), 100 * ours, theirs))
    return found


def _left_out(found: Sequence[LeftOut]) -> AccuracyTable:
    """A line for each source; a dash where a tool cannot compute it, or nobody has run it there."""
    tools = list(dict.fromkeys(tool for each in found for tool in each.theirs))
    rows = [
        [
            each.title,
            f"{each.ours:.1f}",
            *(f"{each.theirs[tool]:.1f}" if tool in each.theirs else "-" for tool in tools),
        ]
        for each in found
    ]
    return AccuracyTable("", ("median error in percent", "formula-eval, source left out", *tools), rows)


def _evidence(columns: Sequence[str], groups: Sequence[EvidenceGroup]) -> AccuracyTable:
    """A line for each group of runs, without the figure that all share; publishers by name."""
    figure = EvidenceGroup._fields.index("figure")
    rows = [[str(each) for number, each in enumerate(group.cells()) if number != figure] for group in groups]
    titles = [each for number, each in enumerate(columns) if number != figure]
    return AccuracyTable("", titles, rows, figure, prose=True)


def _ends(found: Sequence[RegimeInterval]) -> AccuracyTable:
    """Each regime with its two multiples, and how many points of a group left out lie between them."""
    columns = ("regime", "low", "high", "points", "groups", "inside, left out")
    rows = [
        [
            *(each.name.replace("_", " "), f"{each.low:.2f}", f"{each.high:.2f}"),
            *(str(each.points), str(each.groups), percent(each.coverage)),
        ]
        for each in found
    ]
    return AccuracyTable("Intervals: measured over predicted, eight of ten", columns, rows)
