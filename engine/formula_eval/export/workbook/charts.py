"""Draws the charts of the dashboard, each with the table of its numbers, which stands beneath the page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from formula_eval.ask.layout import Section, row_title
from formula_eval.ask.workbook.naming import CellRange
from formula_eval.core.graph import Node
from formula_eval.export.quantities import is_about
from formula_eval.export.shape_sections import OF_SHAPE, sections_of_shapes
from formula_eval.export.workbook import units
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import GREYS, INK, LINE, PALE_INK, PAPER
from formula_eval.export.workbook.workbook_context import Book

OUTPUTS = "Outputs"
_ROWS = 33
_HALF = 3
_BESIDE, _SHORT_ROWS = 10, 17
_SHARE = "share of the pass"
_WIDE, _SHORT, _TALL = 574, 316, 640
_ROOF_POINTS = (0.1, 1, 10, 100, 1_000, 10_000, 100_000)
FONT = {"name": "Arial", "size": 9}
_DOWNWARDS = {"reverse": True, "crossing": "max", "num_font": FONT, "line": {"color": LINE}}  # bars from top to bottom


def write_charts(book: Book, sheet: Sheet, at: int) -> int:
    """Draw what the document has the numbers for; gives the last row of the page."""
    row = at + _ROWS + 1
    corners = {"stack": (at, 0, _SHORT), "roofline": (at + 16, 0, _SHORT), "split": (at, _HALF, _TALL)}
    sheet.band(row, book.looks["outputs"].words["charts"], 6)
    row += 1
    drawn: set[str] = set()
    for section in sections_of_shapes(book.layout.charts, book.document):
        if book.document.is_asked and not (OF_SHAPE in section or is_about(section, book.document)):
            continue
        again = section["kind"] in drawn
        writer = _WRITERS.get(section["kind"]) if not again or OF_SHAPE in section else None
        result = writer(book, sheet, section, row) if writer else None
        if result is None:
            continue
        chart, behind = result
        top, column, height = corners[section["kind"]] if not again else (row, _BESIDE, _SHORT)
        row = max(behind, row + _SHORT_ROWS) if again else behind
        frame(chart, section["title"], (_WIDE, height))
        chart.set_chartarea({"border": {"color": LINE}})
        options = {"x_offset": 2, "y_offset": 2, "object_position": 2, "description": section["title"]}
        sheet.raw.insert_chart(top, column, chart, options)
        row += 1
        drawn.add(section["kind"])
    if not drawn:
        sheet.text(row, 0, book.looks["outputs"].words["without_charts"], "note")
    return at + _ROWS


def _numbers(book: Book, parts: Sequence[Section]) -> list[tuple[str, Node]]:
    nodes = book.document.graph.nodes
    return [(part["title"], nodes[part["name"]]) for part in parts if part["name"] in book.asked]


def _write_linked(book: Book, sheet: Sheet, at: tuple[int, int], node: Node, scale: units.UnitScale) -> None:
    text = scale.from_base(book.naming.reference(node.name, OUTPUTS))
    sheet.formula(*at, text, units.scaled(book.value(node.name), scale), "calc", "#,##0.000")


def _stack(book: Book, sheet: Sheet, section: Section, at: int) -> tuple[Any, int] | None:
    """Parts of one whole, one above the other, against limits: a bar for the parts, a bar for each limit."""
    parts, limits = _numbers(book, section["parts"]), _numbers(book, section.get("limits", ()))
    if not parts:
        return None
    scale = book.units.scale(section["unit"]) if "unit" in section else units.UnitScale()
    bars = ["needed", *(title for title, _ in limits)]
    sheet.text(at, 0, f"{section['title']}, {scale.unit}", "head")
    for column, title in enumerate(bars):
        sheet.text(at, 1 + column, title, "head", align="right")
    for number, (title, node) in enumerate([*parts, *limits]):
        row = at + 1 + number
        sheet.text(row, 0, title, "text")
        _write_linked(book, sheet, (row, 1 + max(0, number - len(parts) + 1)), node, scale)
    chart = book.workbook.add_chart({"type": "bar", "subtype": "stacked"})
    colours = [*book.palette.of_parts([node.name for _, node in parts]), *(GREYS * len(limits))]
    for number, ((title, _), colour) in enumerate(zip([*parts, *limits], colours, strict=False)):
        row = at + 1 + number
        chart.add_series(
            {
                "name": title,
                "categories": [OUTPUTS, at, 1, at, len(bars)],
                "values": [OUTPUTS, row, 1, row, len(bars)],
                "fill": {"color": colour},
                "gap": 45,
            }
        )
    chart.set_y_axis(_DOWNWARDS)
    chart.set_x_axis(axis(scale.unit, min=0))
    return chart, at + 1 + len(parts) + len(limits)


def series(sheet: str, columns: tuple[int, int], rows: tuple[int, int], **more: object) -> dict[str, object]:
    """A series of values in the second of these columns over what stands in the first, from one row to another."""
    (along, values), (first, last) = columns, rows
    places = {"categories": [sheet, first, along, last, along], "values": [sheet, first, values, last, values]}
    return {**places, **more}


def frame(chart: Any, title: str, size: tuple[int, int]) -> None:  # noqa: ANN401 - a library without types
    """Give a chart its title, its width and height, and its legend beneath."""
    chart.set_title({"name": title, "name_font": {**FONT, "size": 12, "bold": True}, "overlay": False})
    chart.set_size({"width": size[0], "height": size[1]})
    chart.set_legend({"position": "bottom", "font": FONT})


def axis(name: str, **more: object) -> dict[str, object]:
    """How all axes look."""
    return {
        "name": name,
        "name_font": {**FONT, "bold": False},
        "num_font": FONT,
        "num_format": "General",
        "line": {"color": LINE},
        "major_gridlines": {"visible": True, "line": {"color": LINE}},
        **more,
    }


def _split(book: Book, sheet: Sheet, section: Section, at: int) -> tuple[Any, int] | None:
    """Draw the share of each kernel in a pass, by group: those that run now, and all others together."""
    table = book.document.graph.tables.get(section["table"])
    groups = [group for group in section["groups"] if table and group["total"] in book.asked]
    if table is None or not groups:
        return None
    every = list(table.rows) + list(dict.fromkeys(each["title"] for group in groups for each in group.get("rows", ())))
    runs = [row for row in every if any((_product(book, section, group, row) or ("", 0))[1] for group in groups)]
    rows = [*runs, *(row for row in every if row not in runs)]
    sheet.text(at, 0, f"{section['title']}, {section.get('share', _SHARE)}", "head")
    for number, group in enumerate(groups):
        sheet.text(at, 1 + number, group["title"], "head", align="right")
        total = book.naming.reference(group["total"], OUTPUTS)
        whole = book.value(group["total"])
        for place, row in enumerate(rows):
            product = _product(book, section, group, row)
            text = f"IF({total}>0,({product[0]})/{total},0)" if product else "0"
            held = product[1] / float(whole) if product and not isinstance(whole, str) and whole > 0 else 0
            sheet.formula(at + 1 + place + (place >= len(runs)), 1 + number, text, held, "calc", "0.0%")
        first, last = (CellRange(OUTPUTS, at + 1 + place, 1 + number) for place in (len(runs) + 1, len(rows) + 1))
        others = f"SUM({first.address(OUTPUTS)}:{last.address(OUTPUTS)})"
        sheet.formula(at + 1 + len(runs), 1 + number, others, 0, "calc", "0.0%")
    for place, row in enumerate([*runs, "all others", *rows[len(runs) :]]):
        sheet.text(at + 1 + place, 0, row_title(row, section), "text")
    chart = book.workbook.add_chart({"type": "bar"})
    for number, group in enumerate(groups):
        look = {"fill": {"color": book.palette.series(number)}, "gap": 60, "overlap": -5}
        rows_of_group = at + 1, at + 1 + len(runs)
        chart.add_series(series(OUTPUTS, (0, 1 + number), rows_of_group, name=group["title"], **look))
    chart.set_y_axis(_DOWNWARDS)
    chart.set_x_axis(axis(section.get("share", _SHARE), num_format="0%", min=0))
    return chart, at + 2 + len(rows)


def _product(book: Book, section: Section, group: Section, row: str) -> tuple[str, float] | None:
    """How long a row takes in all: its formula and its value now."""
    known = book.naming.places
    extra = {each["title"]: each["name"] for each in group.get("rows", ())}
    names = [extra[row]] if row in extra else []
    if not names:
        names = _cells(book, section, group, row, [key for key in ("times", "time") if key in section])
    if not names or any(name not in known for name in names):
        return None
    text = "*".join(book.naming.reference(name, OUTPUTS) for name in names)
    held = 1.0
    for name in names:
        held *= float(book.value(name))
    return text, held


def _roofline(book: Book, sheet: Sheet, section: Section, at: int) -> tuple[Any, int] | None:
    """Each kernel by its intensity and the rate it reaches, under the roof of the accelerator."""
    known, table = book.naming.places, book.document.graph.tables.get(section["table"])
    if table is None or any(section[key] not in known for key in ("peak", "bandwidth")):
        return None
    groups = [group for group in section["groups"] if _point(book, section, group, table.rows[0])]
    if not groups:
        return None
    flops, unit = book.units.scale("TFLOP/s"), "TFLOP/s"
    chart = book.workbook.add_chart({"type": "scatter"})
    sheet.text(at, 0, f"{section['title']}: kernel", "head")
    for number, group in enumerate(groups):
        first = 1 + 2 * number
        sheet.text(at, first, f"{group['title']}, FLOP/byte", "head", align="right")
        sheet.text(at, first + 1, f"{group['title']}, {unit}", "head", align="right")
        for place, row in enumerate(table.rows):
            _write_point(book, sheet, (at + 1 + place, first), _point(book, section, group, row), flops)
        look = _points_look(book.palette.series(number))
        rows = at + 1, at + len(table.rows)
        chart.add_series(series(OUTPUTS, (first, first + 1), rows, name=group["title"], **look))
    for place, row in enumerate(table.rows):
        sheet.text(at + 1 + place, 0, row_title(row, section), "text")
    _faint_absent(sheet, at + 1, at + len(table.rows), 2 * len(groups))
    roof = at + 2 + len(table.rows)
    _write_roof(book, sheet, section, roof, flops)
    look = {"marker": {"type": "none"}, "line": {"color": INK, "width": 1.75}}
    chart.add_series(series(OUTPUTS, (1, 2), (roof + 1, roof + len(_ROOF_POINTS) + 1), name="Roof", **look))
    chart.set_x_axis(axis("FLOP per byte", log_base=10, min=0.1, max=100_000, label_position="low", crossing=0.1))
    chart.set_y_axis(axis(unit, log_base=10, label_position="low", crossing=0.0001))
    return chart, roof + len(_ROOF_POINTS) + 2


def _point(book: Book, section: Section, group: Section, row: str) -> dict[str, str] | None:
    """The cells of a kernel in a group."""
    keys = ("times", "flops", "bytes", "time")
    return dict(zip(keys, _cells(book, section, group, row, keys), strict=False)) or None


def _cells(book: Book, section: Section, group: Section, row: str, keys: Sequence[str]) -> list[str]:
    """The cells of a row in the copy for a group; none if one of them is not computed."""
    nodes = [book.cell(f"{section['table']}.{row}.{section[key]}", group["at"]) for key in keys]
    return [node.name for node in nodes if node is not None] if None not in nodes else []


def _write_point(
    book: Book, sheet: Sheet, at: tuple[int, int], names: Mapping[str, str] | None, scale: units.UnitScale
) -> None:
    if names is None:
        return
    cells = {key: book.naming.reference(name, OUTPUTS) for key, name in names.items()}
    values = {key: float(book.value(name)) for key, name in names.items()}
    runs = values["times"] * values["flops"] > 0
    test = f"{cells['times']}*{cells['flops']}>0"
    rate = values["flops"] / values["time"] if runs else 0.0
    intensity: units.Value = values["flops"] / values["bytes"] if runs else 1
    sheet.formula(at[0], at[1], f"IF({test},{cells['flops']}/{cells['bytes']},1)", intensity, "calc", "#,##0.00")
    text = scale.from_base(f"{cells['flops']}/{cells['time']}")
    sheet.formula(
        at[0], at[1] + 1, f"IF({test},{text},NA())", scale.number(rate) if runs else units.ABSENT, "calc", "#,##0.000"
    )


def _write_roof(book: Book, sheet: Sheet, section: Section, at: int, scale: units.UnitScale) -> None:
    """Points of the roof: what the bandwidth allows at an intensity, the peak beyond; its ridge among them."""
    peak, bandwidth = (book.naming.reference(section[key], OUTPUTS) for key in ("peak", "bandwidth"))
    top, slope = (float(book.value(section[key])) for key in ("peak", "bandwidth"))
    sheet.text(at, 0, f"{section['title']}: roof", "head")
    sheet.text(at, 1, "FLOP/byte", "head", align="right")
    sheet.text(at, 2, scale.unit, "head", align="right")
    ridge = top / slope if slope else 0.0
    for place in range(len(_ROOF_POINTS) + 1):
        row = at + 1 + place
        below = _ROOF_POINTS[place] if place < len(_ROOF_POINTS) else 0.0
        before = _ROOF_POINTS[place - 1] if place else 0.0
        # Sorted: the points beneath the ridge, the ridge, the points above it.
        text, held = _roof_point(f"{peak}/{bandwidth}", ridge, below, before)
        sheet.formula(row, 1, text, held, "calc", "#,##0.0##")
        here = CellRange(OUTPUTS, row, 1).address(OUTPUTS)
        rate = min(top, float(held) * slope)
        sheet.formula(
            row, 2, scale.from_base(f"MIN({peak},{here}*{bandwidth})"), scale.number(rate), "calc", "#,##0.000"
        )


def _roof_point(ridge: str, now: float, below: float, before: float) -> tuple[str, float]:
    """The point at a place of the sorted list: its own if the ridge comes later, else the ridge or the one before."""
    if not below:
        return f"MAX({ridge},{before:g})", max(now, before)
    if not before:
        return f"MIN({ridge},{below:g})", min(now, below)
    return f"MIN(MAX({ridge},{before:g}),{below:g})", min(max(now, before), below)


def _faint_absent(sheet: Sheet, first: int, last: int, columns: int) -> None:
    """Kernels that this model does not run have no point, which a chart knows as #N/A."""
    rule = {"type": "errors", "format": sheet.conditional(font_color=PALE_INK)}
    sheet.raw.conditional_format(first, 1, last, columns, rule)


def _points_look(colour: str) -> dict[str, Any]:
    marker = {"type": "circle", "size": 7, "fill": {"color": colour}, "border": {"color": PAPER}}
    return {"marker": marker, "line": {"none": True}}


_WRITERS: Mapping[str, Callable[[Book, Sheet, Section, int], tuple[Any, int] | None]] = {
    "stack": _stack,
    "split": _split,
    "roofline": _roofline,
}
