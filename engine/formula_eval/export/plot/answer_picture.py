"""Builds the picture of an answer: memory, where the time goes, a roofline of the operators, and sequences."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from formula_eval.ask.answer_layout import cell_name, read_answer_layout, rows_of
from formula_eval.ask.layout import Section, row_title
from formula_eval.core.diagnostic import refuse
from formula_eval.core.namespace import in_words
from formula_eval.core.table import FILLED, TableShape
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.plot import chart_data
from formula_eval.export.plot.chart_data import asked_title
from formula_eval.export.plot.style import PlotWords, words_of
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.answer_blocks import answer_blocks
from formula_eval.export.terminal.json_csv import finite
from formula_eval.records.givens import Question

_COLUMNS = ("times", "time", "flops", "bytes", "bound")
_DRAWN = ("bar", "split", "operators")
_PAIR = 2
_Row = tuple[str, tuple[float, ...]]  # a row of a sequence, and where it stands along each index


def answer_picture(evaluator: Evaluator, question: Question) -> chart_data.Picture:
    """The picture of an answer; raises FormulaError for a question that has no answer, or one without pictures."""
    words = words_of(evaluator.library, "answer")
    givens = evaluator.givens(question)
    layout = read_answer_layout(evaluator.library, question.about(evaluator.library)).asked_by(givens)
    shown = layout.quantities(evaluator.schema)
    result = evaluator.evaluate(givens, shown, question.namespace)
    drawn = layout._replace(sections=[section for section in layout.sections if section["kind"] in _DRAWN])
    found = answer_blocks(drawn, result, evaluator)
    stacks = [_stack(command, words) for command in found if isinstance(command, blocks.CapacityBar)]
    times = [chart for command in found if isinstance(command, blocks.Breakdown) for chart in _times(command, words)]
    rooflines = list(_rooflines(result, evaluator, words))
    sequences = list(_sequence_charts(result, frozenset(shown), evaluator, words_of(evaluator.library, "sequence")))
    if not (stacks or times or rooflines or sequences):
        help_ = "`sweep --plot` draws any quantity over any input; `export graph` draws how one comes about."
        raise refuse(
            "no-picture", f"The answer about {question.about(evaluator.library)} has nothing to draw", help=help_
        )
    rows = (*((stack,) for stack in stacks), *chart_data.paired(times), *chart_data.paired([*rooflines, *sequences]))
    title = asked_title(question, evaluator.schema, givens)
    return chart_data.Picture(title, "", tuple(rows))


def _stack(bar: blocks.CapacityBar, words: PlotWords) -> chart_data.StackedBar:
    plain = {"free": words.palette.state("other") + "40", "rest": words.palette.state("other") + "90"}
    parts = tuple(
        chart_data.Bar(part.title, part.size, part.text, part.colour or plain.get(part.kind, words.palette.series(0)))
        for part in bar.parts
        if part.size > 0
    )
    return chart_data.StackedBar(bar.title, bar.verdict, parts, bar.whole)


def _times(found: blocks.Breakdown, words: PlotWords) -> Iterator[chart_data.BarChart]:
    """A chart for each group: what takes how long, and by its colour what binds it."""
    for place, (group, unit, total) in enumerate(zip(found.groups, found.units, found.totals, strict=True)):
        bars = tuple(
            chart_data.Bar(
                title, 100 * cells[place].share, f"{cells[place].text} {unit}", cells[place].colour, cells[place].bound
            )
            for title, cells in found.rows
            if cells[place].text
        )
        title = words.text("times", group=group, total=f"{total} {unit}")
        yield chart_data.BarChart(title, chart_data.Scale(words.text("share")), bars)


def _rooflines(result: Result, evaluator: Evaluator, words: PlotWords) -> Iterator[chart_data.Roofline]:
    """One for each group of the sections of the page whose kernels the answer counts."""
    _, page = evaluator.library.last("reports/page.toml")
    for section in page.get("section", ()):
        if section.get("kind") == "roofline" and "table" in section:
            for group in section["groups"]:
                numbers = _kernel_numbers(section, group, result, evaluator)
                points = list(_points(section, group, numbers, evaluator, words)) if numbers else []
                if points:
                    yield _roofline(section, group, points, numbers, words, evaluator)


def _kernel_numbers(section: Section, group: Section, result: Result, evaluator: Evaluator) -> Mapping[str, float]:
    """All numbers of a group's kernels, also those that the answer does not need; none where it needs none of them."""
    schema, at = evaluator.schema, group.get("at", "")
    rows = rows_of(section, schema)
    if not any(cell_name(section, row, section["time"], at, schema) in result.numbers for row in rows):
        return {}
    names = [cell_name(section, row, section[key], at, schema) for row in rows for key in _COLUMNS]
    names += [*(peak["name"] for peak in section["peaks"]), section["bandwidth"]]
    missing = [name for name in dict.fromkeys(names) if name not in result.numbers and name in schema.formulas]
    return {**result.numbers, **(evaluator.program(missing).evaluate(result.givens.values) if missing else {})}


def _points(
    section: Section, group: Section, numbers: Mapping[str, float], evaluator: Evaluator, words: PlotWords
) -> Iterator[chart_data.Marker]:
    """The kernels that run, with what each weighs in the time of all."""
    schema = evaluator.schema
    found = []
    for row in rows_of(section, schema):
        names = {key: cell_name(section, row, section[key], group.get("at", ""), schema) for key in _COLUMNS}
        if all(numbers.get(name, 0.0) > 0 for key, name in names.items() if key != "bound"):
            each = {key: numbers[name] for key, name in names.items()}
            found.append((row_title(row, section), each, schema.quantity(names["bound"]).words[int(each["bound"])]))
    total = sum(each["times"] * each["time"] for _, each, _ in found)
    colours = words.palette.of_waits(list(dict.fromkeys(bound for _, _, bound in found)))
    for title, each, bound in found:
        share = each["times"] * each["time"] / total
        place = each["flops"] / each["bytes"], each["flops"] / each["time"]
        yield chart_data.Marker(title, *place, colours[bound], bound, share)


def _roofline(  # noqa: PLR0913, PLR0917 - a section and what it is filled with
    section: Section,
    group: Section,
    points: Sequence[chart_data.Marker],
    numbers: Mapping[str, float],
    words: PlotWords,
    evaluator: Evaluator,
) -> chart_data.Roofline:
    def shown(name: str) -> str:
        return shown_value(numbers[name], evaluator.schema.quantity(name))

    peaks = {
        numbers[peak["name"]]: words.text("peak", title=peak["title"], value=shown(peak["name"]))
        for peak in reversed(section["peaks"])
        if numbers.get(peak["name"], 0.0) > 0
    }
    bandwidth = section["bandwidth"]
    return chart_data.Roofline(
        words.text("roofline", title=section["title"], group=group["title"]),
        chart_data.Scale(words.text("intensity"), logarithmic=True),
        chart_data.Scale(words.text("rate"), evaluator.schema.quantity(section["peaks"][0]["name"]), logarithmic=True),
        tuple(points),
        tuple((title, value) for value, title in sorted(peaks.items(), reverse=True)),
        (words.text("slope", value=shown(bandwidth)), numbers[bandwidth]),
    )


def _sequence_charts(
    result: Result, shown: Collection[str], evaluator: Evaluator, words: PlotWords
) -> Iterator[chart_data.Chart]:
    """The charts of all sequences of which an answer shows columns, at most as many as a layout says."""
    sequences = (table for table in evaluator.schema.tables.values() if table.sequence)
    charts = (chart for shape in sequences for chart in _of_sequence(shape, result, shown, evaluator, words))
    yield from islice(charts, words.data["most_charts"])


def _of_sequence(
    shape: TableShape, result: Result, shown: Collection[str], evaluator: Evaluator, words: PlotWords
) -> Iterator[chart_data.Chart]:
    columns = _columns(shape, shown, evaluator)
    if not columns:
        return
    rows = [
        (row, tuple(result.numbers[shape.cell(row, index)] for index in shape.indices))
        for row in shape.rows
        if all(shape.cell(row, index) in result.numbers for index in shape.indices)
        and result.numbers.get(shape.cell(row, FILLED)) != 0
    ]
    rows = rows[:: -(-len(rows) // words.data["most_points"]) or 1] if len(shape.indices) == 1 else rows
    if len(rows) <= 1:
        return
    if len(shape.indices) == 1:
        yield from _lines(shape, rows, columns, result, evaluator, words)
    elif len(shape.indices) == _PAIR and len(rows) <= words.data["most_points"]:
        yield from (_map(shape, rows, column, result, evaluator) for column in columns)


def _columns(shape: TableShape, shown: Collection[str], evaluator: Evaluator) -> list[str]:
    """The columns of numbers that the answer shows whole, apart from those of indices."""
    quantity = evaluator.schema.quantity
    found = []
    for column in shape.columns:
        cells = list(shape.column(column))
        if column not in shape.indices and all(cell in shown for cell in cells):
            found += [column] if quantity(cells[0]).kind in {"number", "whole"} else []
    return found


def _lines(  # noqa: PLR0913, PLR0917 - a table and what is known of it
    shape: TableShape, rows: list[_Row], columns: list[str], result: Result, evaluator: Evaluator, words: PlotWords
) -> Iterator[chart_data.LineChart]:
    """A chart for each unit, with a line for each of its columns."""
    first, quantity = shape.rows[0], evaluator.schema.quantity
    units = dict.fromkeys(quantity(shape.cell(first, column)) for column in columns)
    for unit in units:
        drawn = [column for column in columns if quantity(shape.cell(first, column)) == unit][
            : words.data["most_lines"]
        ]
        curves = tuple(
            chart_data.Curve(
                in_words(column),
                words.palette.series(number),
                tuple(finite(result.numbers[shape.cell(row, column)]) for row, _ in rows),
            )
            for number, column in enumerate(drawn)
        )
        index = chart_data.Scale(in_words(shape.indices[0]), quantity(shape.cell(first, shape.indices[0])))
        title = in_words(shape.name) if len(drawn) > 1 else f"{in_words(shape.name)}: {curves[0].title}"
        yield chart_data.LineChart(
            title, index, chart_data.Scale("", unit), tuple(place for _, (place,) in rows), curves
        )


def _map(shape: TableShape, rows: list[_Row], column: str, result: Result, evaluator: Evaluator) -> chart_data.HeatMap:
    """A column over two indices, the first one from bottom to top."""
    first, quantity = shape.rows[0], evaluator.schema.quantity
    values = {places: finite(result.numbers[shape.cell(row, column)]) for row, places in rows}
    ys, xs = (tuple(dict.fromkeys(places[axis] for _, places in rows)) for axis in (0, 1))
    y, x = (chart_data.Scale(in_words(index), quantity(shape.cell(first, index))) for index in shape.indices)
    value = chart_data.Scale(in_words(column), quantity(shape.cell(first, column)))
    cells = tuple(tuple(values.get((one, other)) for other in xs) for one in ys)
    return chart_data.HeatMap(f"{in_words(shape.name)}: {value.title}", x, y, value, xs, ys, cells)
