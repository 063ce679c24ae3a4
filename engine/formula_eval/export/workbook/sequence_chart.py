"""Draws the sequences of the sheet of tables beside their grids: a chart for each unit, lines over the last index."""

from collections.abc import Mapping

from formula_eval.core.table import TableShape
from formula_eval.export.workbook.charts import axis, frame, series
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.units import UnitScale
from formula_eval.export.workbook.workbook_context import Book

_LEAST_ROWS = 8  # fewer are read as they stand
_MOST_CHARTS, _MOST_LINES = 2, 6
_LABELS = 12  # along the axis of the index, about
_ROWS, _SIZE = 18, (620, 340)  # rows of the sheet that a chart takes, and its size


def draw_sequence(  # noqa: PLR0913, PLR0917 - a grid, its columns and where they stand
    book: Book, sheet: Sheet, table: TableShape, drawn: Mapping[str, UnitScale], top: int, count: int
) -> int:
    """Draw columns of a grid whose first of so many rows stands at `top`; gives the rows that the charts take."""
    if not table.sequence or count < _LEAST_ROWS:
        return 0
    units = list(dict.fromkeys(scale.unit for scale in drawn.values()))[:_MOST_CHARTS]
    indices = [1 + table.columns.index(each) for each in table.indices]
    for number, unit in enumerate(units):
        chart = book.workbook.add_chart({"type": "line"})
        for place, column in enumerate([each for each, scale in drawn.items() if scale.unit == unit][:_MOST_LINES]):
            look = {"line": {"color": book.palette.series(place), "width": 1.5}}
            at, rows = 1 + table.columns.index(column), (top, top + count - 1)
            lines = series(sheet.title, (min(indices), at), rows, name=column.replace("_", " "), **look)
            lines["categories"] = [sheet.title, top, min(indices), top + count - 1, max(indices)]
            chart.add_series(lines)
        title = f"{table.name}, {unit}" if unit else table.name
        frame(chart, title, _SIZE)
        indices_named = ", ".join(each.replace("_", " ") for each in table.indices)
        no_grid = {"visible": False}
        chart.set_x_axis(axis(indices_named, interval_unit=max(1, count // _LABELS), major_gridlines=no_grid))
        chart.set_y_axis(axis(""))
        options = {"object_position": 2, "description": title}
        sheet.raw.insert_chart(top - 2 + number * _ROWS, len(table.columns) + 2, chart, options)
    return len(units) * _ROWS
