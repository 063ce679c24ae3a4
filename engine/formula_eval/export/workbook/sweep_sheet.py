"""Writes sweeps of an input as rows that compute the whole chain of formulas between it and the outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlsxwriter.utility import xl_col_to_name

from formula_eval.ask.layout import Section
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import Node
from formula_eval.export.quantities import is_about
from formula_eval.export.workbook import units
from formula_eval.export.workbook.charts import axis, frame, series
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.workbook_context import Book

SWEEP = "Sweep"
_CHART_ROWS = 18
_WIDEST = 70.0
_ROW = "\0"  # stands for the number of the row


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """One sweep: what varies, over what, the outputs, and the nodes in between in order."""

    section: Section
    vary: Node
    points: tuple[tuple[float, Mapping[str, float]], ...]
    outputs: tuple[tuple[Section, Node], ...]
    chain: tuple[Node, ...]


def sweeps_of(book: Book) -> list[SweepPlan]:
    """The sweeps whose input and some output the document holds."""
    return [plan for plan in (_plan(book, section) for section in book.layout.sweeps) if plan is not None]


def write_sweep(book: Book, plans: Sequence[SweepPlan]) -> None:
    """Write the whole sheet."""
    shown = max(len(plan.outputs) for plan in plans)
    longest: dict[int, int] = {}
    for plan in plans:
        for number, node in enumerate(plan.chain, len(plan.outputs) + 2):
            longest[number] = max(longest.get(number, 0), len(node.name))
    chains = (longest.get(column, 0) for column in range(shown + 2, max(longest, default=0) + 1))
    widths = [14.0, *(19.0 for _ in range(shown)), 3.0, *(min(_WIDEST, max(14.0, 1.15 * chain)) for chain in chains)]
    sheet = book.sheet(SWEEP, widths)
    sheet.title_lines(SWEEP, book.looks["sweep"].words["says"])
    row = 3
    for plan in plans:
        row = _write_plan(book, sheet, plan, row) + 2
    sheet.finish(frozen=(3, 1))
    sheet.raw.print_area(0, 0, row, shown)


def _plan(book: Book, section: Section) -> SweepPlan | None:
    document = book.document
    if document.is_asked and not is_about(section, document):
        return None
    graph, known = document.graph, set(document.names)
    vary = section["vary"]
    outputs = [(output, graph.nodes[output["name"]]) for output in section["outputs"] if output["name"] in known]
    if vary not in known or not outputs:
        return None
    changed = {vary}
    for name in document.names:
        if any(parent in changed for parent in graph.parents[name]):
            changed.add(name)
    needed = graph.ancestors([node.name for _, node in outputs])
    chain = [graph.nodes[name] for name in needed if name in changed and name != vary]
    points = []
    program = document.evaluator.program([node.name for _, node in outputs] + [vary])
    for value in section["values"]:
        try:
            points.append((value, program.evaluate({**document.givens.values, vary: value})))
        except FormulaError:
            continue
    return SweepPlan(section, graph.nodes[vary], tuple(points), tuple(outputs), tuple(chain)) if points else None


def _write_plan(book: Book, sheet: Sheet, plan: SweepPlan, at: int) -> int:
    columns = 1 + len(plan.outputs)
    sheet.band(at, plan.section["title"], columns)
    head = at + 1 + _CHART_ROWS
    sheet.text(head, 0, plan.vary.name, "head")
    sheet.text(head + 1, 0, book.units.typed(plan.vary).unit, "unit", align="right")
    first = columns + 1
    places = {node.name: first + number for number, node in enumerate(plan.chain)}
    for number, (section, node) in enumerate(plan.outputs):
        sheet.text(head, 1 + number, section["title"], "head", align="right")
        unit = book.units.plural(book.units.of_section(section, node).unit)
        sheet.text(head + 1, 1 + number, unit, "unit", align="right")
    for node in plan.chain:
        sheet.text(head, places[node.name], node.name, "head", text_wrap=False)
        sheet.text(head + 1, places[node.name], book.units.base(node), "unit", align="right")
    local = _local(book, plan, places)
    formulas = {
        node.name: book.input_formula(node, SWEEP, local) if node.kind == "input" else book.formula(node, SWEEP, local)
        for node in plan.chain
    }
    rows = range(head + 2, head + 2 + len(plan.points))
    for node in plan.chain:
        texts = [_in_row(formulas[node.name], row) for row in rows]
        held = [book.value(node.name, numbers) for _, numbers in plan.points]
        cells = [(row, places[node.name]) for row in rows]
        sheet.formulas_alike(cells, texts, held, "calc", book.number_format(node))
    for row, (value, numbers) in zip(rows, plan.points, strict=True):
        sheet.number(row, 0, book.typed_value(plan.vary, value), "input", "General")
        _write_outputs(book, sheet, plan, row, numbers, local)
    row = rows.stop
    _write_chart(book, sheet, plan, at + 1, (head + 2, row - 1))
    return row


def _local(book: Book, plan: SweepPlan, places: Mapping[str, int]) -> Mapping[str, str]:
    """The cells of a row, whatever its number: formulas are printed once for all rows."""
    scale = book.units.typed(plan.vary)
    varied = scale.to_base(f"$A{_ROW}")
    cells = {name: f"${xl_col_to_name(column)}{_ROW}" for name, column in places.items()}
    return cells | {plan.vary.name: varied if scale.factor == 1 else f"({varied})", f"{plan.vary.name}=": "TRUE"}


def _in_row(text: str, row: int) -> str:
    return text.replace(_ROW, str(row + 1))


def _write_outputs(  # noqa: PLR0913, PLR0917 - cells of a row
    book: Book, sheet: Sheet, plan: SweepPlan, row: int, numbers: Mapping[str, float], local: Mapping[str, str]
) -> None:
    spelling = book.spelling(SWEEP, local)
    for number, (section, node) in enumerate(plan.outputs):
        cell = _in_row(spelling.value(node.name), row)
        scale = book.units.of_section(section, node)
        text, held = units.read_cell(node, cell, book.value(node.name, numbers), scale, section)
        sheet.formula(row, 1 + number, text, held, "calc", units.section_format(node, section), align="right")


def _write_chart(book: Book, sheet: Sheet, plan: SweepPlan, at: int, rows: tuple[int, int]) -> None:
    named = {node.name: (1 + number, section) for number, (section, node) in enumerate(plan.outputs)}
    chart: Any = None
    for place, key in enumerate(("left", "right")):
        name = plan.section["chart"].get(key)
        if name not in named:
            continue
        column, section = named[name]
        part = book.workbook.add_chart({"type": "line"})
        look = _look(book.palette.series(place))
        second = {"y2_axis": chart is not None}
        part.add_series(series(SWEEP, (0, column), rows, name=section["title"], **look, **second))
        unit = book.units.plural(book.units.of_section(section, book.document.graph.nodes[name]).unit)
        form = "0%" if section.get("percent") else "General"
        side = axis(", ".join(filter(None, (section["title"], unit))), num_format=form)
        if chart is not None:
            side["major_gridlines"] = {"visible": False}
        (part.set_y_axis if chart is None else part.set_y2_axis)(side)
        if chart is None:
            chart = part
        else:
            chart.combine(part)
    if chart is None:
        return
    chart.set_x_axis(axis(plan.vary.name))
    frame(chart, plan.section["title"], (860, 19 * _CHART_ROWS))
    titles = ", ".join(section["title"] for section, _ in plan.outputs)
    options = {"x_offset": 4, "y_offset": 6, "description": f"{plan.vary.name} against {titles}"}
    sheet.raw.insert_chart(at, 0, chart, options)


def _look(colour: str) -> dict[str, Any]:
    marker = {"type": "circle", "size": 5, "fill": {"color": colour}, "border": {"color": colour}}
    return {"line": {"color": colour, "width": 2.25}, "marker": marker}
