"""Renders a validation as aligned columns, Markdown, CSV or JSON."""

from collections.abc import Iterator
from typing import Any

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import Refit
from formula_eval.analyse.validate.points import number
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.export.accuracy.tables import (
    AccuracyLayout,
    AccuracyTable,
    not_run_line,
    points,
    summary_tables,
    tables,
)
from formula_eval.export.terminal.json_csv import csv_text, finite, json_text
from formula_eval.export.terminal.markdown_blocks import markdown_table
from formula_eval.export.terminal.screen import cut, padded

FORMATS = ("table", "csv", "json", "md")
_NARROWEST = 16
_COLUMNS = (
    *("id", "source", "group", "kind", "tier", "core", "metric", "derived", "quantity", "measured", "predicted"),
    *("error_percent", "assumed", "remark", "not_run"),
)


def accuracy_text(validation: Validation, form: str, worst: int | None) -> str:
    """The whole report; CSV holds the rows alone."""
    chosen = list(validation.rows) if worst is None else validation.worst(worst)
    if form == "csv":
        return csv_text(_COLUMNS, (row_data(row).values() for row in chosen))
    if form == "json":
        return json_text(
            {
                "rows": [row_data(row) for row in chosen],
                "sources": [summary_data(summary) for summary in validation.summaries],
                "totals": [summary_data(total) for total in validation.totals],
                "peers": [{**peer._asdict(), "ours": summary_data(peer.ours)} for peer in validation.peers],
                "fits": [_refit_data(refit) for refit in validation.refits],
            }
        )
    shown = tables(validation, worst)
    if form == "md":
        return "\n".join(f"## {table.title}\n\n{markdown(table)}" for table in shown)
    return "\n".join("".join(f"{line}\n" for line in _aligned(table)) for table in shown)


def summary_text(validation: Validation, layout: AccuracyLayout, worst: int | None, width: int) -> str:
    """The summary that fits on one screen of this width."""
    shown = summary_tables(validation, layout, worst)
    tables_ = "\n".join("".join(f"{line}\n" for line in _aligned(_narrowed(table, width))) for table in shown)
    return f"{tables_}\n{not_run_line(validation.rows)}\n"


def points_text(validation: Validation, layout: AccuracyLayout, width: int) -> str:
    """All rows without what had to be assumed, for a screen that has no room for it, and all tables."""
    _, *others = tables(validation, None)
    shown = (points(validation.rows, layout), *others)
    return "\n".join("".join(f"{cut(line, width)}\n" for line in _aligned(_narrowed(table, width))) for table in shown)


def _narrowed(shown: AccuracyTable, width: int) -> AccuracyTable:
    """The same table with its first column, and the prose in its last, cut to fit the width."""
    widths = [max(map(len, column)) for column in zip(shown.columns, *shown.rows, strict=True)]
    over = 2 + sum(each + 2 for each in widths) - 2 - width
    if over <= 0:
        return shown
    last = max(widths[-1] - over, _NARROWEST) if shown.prose else widths[-1]
    first = max(widths[0] - over + (widths[-1] - last), _NARROWEST)
    rows = [[cut(row[0], first), *row[1:-1], cut(row[-1], last)] for row in shown.rows]
    return shown._replace(rows=rows)


def markdown(shown: AccuracyTable) -> str:
    """A table in Markdown."""
    last = len(shown.columns) - shown.prose
    return markdown_table(shown.columns, shown.rows, frozenset(range(shown.texts, last)))


def _aligned(shown: AccuracyTable) -> Iterator[str]:
    yield shown.title
    widths = [max(map(len, column)) for column in zip(shown.columns, *shown.rows, strict=True)]
    right = range(shown.texts, len(widths) - shown.prose)
    for row in (shown.columns, *shown.rows):
        yield f"  {padded(row, widths, right)}".rstrip()


def row_data(row: MeasuredRow) -> dict[str, Any]:
    """One row as plain data."""
    point = row.point
    stated = point.measured.get(row.metric)
    values = (
        *(point.id, point.source, row.group, point.kind, point.tier, point.core),
        *(row.metric, row.metric in point.derived, row.quantity),
        *(stated if isinstance(stated, bool) else number(stated), finite(row.predicted) if row.ran else None),
        *(finite(100 * row.error) if row.ran else None, row.assumed, row.remark, row.reason),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def summary_data(found: Summary) -> dict[str, Any]:
    """One line of a table of errors as plain data, in percent."""
    shares = ("mean", "median", "p90", "largest", "signed")
    data = found._asdict()
    return {key: finite(100 * value if key in shares else value) for key, value in data.items()}


def _refit_data(refit: Refit) -> dict[str, Any]:
    parts = ("defaults", "together", "without")
    groups = [
        {refit.by: group.group, **{part: summary_data(getattr(group, part)) for part in parts}}
        for group in refit.groups
    ]
    over = finite(100 * refit.mean_over_groups)
    return {"fit": refit.fit.name, "by": refit.by, "groups": groups, "mean": over, "values": dict(refit.values)}
