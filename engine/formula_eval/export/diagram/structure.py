"""Gathers what the picture of a document shows: the operators of each phase, and how amounts are distributed."""

from collections.abc import Mapping
from dataclasses import dataclass

from formula_eval.ask.layout import Section
from formula_eval.core.arithmetic import added
from formula_eval.export.diagram import operators
from formula_eval.export.diagram.diagram_layout import DiagramLayout, diagram_file, read_diagram_layout
from formula_eval.export.document import Document


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a bar."""

    title: str
    colour: str
    amount: operators.Amount
    share: float


@dataclass(frozen=True, slots=True)
class ShareBar:
    """One bar: its parts, what they are parts of, and by how much they go beyond it."""

    title: str
    whole: operators.Amount
    parts: tuple[Share, ...]
    beyond: Share | None = None

    @property
    def rows(self) -> tuple[Share, ...]:
        """What a table beneath the bar lists."""
        return (*self.parts, self.beyond) if self.beyond else self.parts

    @property
    def length(self) -> float:
        """1, or more if the parts are more than the whole."""
        return max(1.0, added(part.share for part in self.parts))


@dataclass(frozen=True, slots=True)
class Chart:
    """A distribution, with a bar for each phase or a single one."""

    title: str
    sentence: str
    bars: tuple[ShareBar, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """What the picture shows, for documents that draw it themselves."""

    title: str  # the records it is about, in one line
    settings: tuple[tuple[str, str], ...]  # name and text of each value beneath the title
    times: Mapping[str, str]  # how often a box runs, by its quantity
    layout: DiagramLayout  # what the library's file asks for
    phases: tuple[operators.Phase, ...]  # graphs, in the order in which they are drawn
    charts: tuple[Chart, ...]  # distributions that have something to show


def structure_of(document: Document) -> Structure:
    """The picture of all phases; raises FormulaError."""
    evaluator = document.evaluator
    file = diagram_file(evaluator.library, document.question.about(evaluator.library))
    layout = read_diagram_layout(evaluator.library, file)
    result = evaluator.evaluate(document.givens, layout.quantities(evaluator.schema))
    sentences = {row: says for table in layout.tables for row, says in document.row_sentences(table).items()}
    numbers = operators.Numbers(layout, result, evaluator.schema, sentences)
    graphs = [operators.phase_graph(phase, numbers) for phase in layout.phases]
    settings = tuple((name, str(result[name])) for name in layout.settings)
    times = {box["times"]: f"{result.numbers[box['times']]:,.0f}" for box in layout.boxes}
    title = " on ".join(document.givens.records[record] for record in result.records)
    return Structure(title, settings, times, layout, tuple(graphs), tuple(_charts_of(graphs, numbers)))


def _charts_of(phases: list[operators.Phase], numbers: operators.Numbers) -> list[Chart]:
    """The charts of a layout that have anything to show."""
    charts = []
    for each in numbers.layout.charts:
        by_phase = (_by_group(phase, each["column"], numbers) for phase in phases) if "column" in each else ()
        bars = tuple(by_phase) if "column" in each else (_by_name(each, numbers),)
        charts.append(Chart(each["title"], each.get("says", ""), bars))
    return [chart for chart in charts if any(bar.parts for bar in chart.bars)]


def _by_group(phase: operators.Phase, column: str, numbers: operators.Numbers) -> ShareBar:
    layout, schema = numbers.layout, numbers.schema
    like = layout.cell(layout.rows(schema)[0], column, phase.at, schema)
    sums: dict[str, float] = {group["title"]: 0.0 for group in layout.groups}
    colours: dict[str, str] = {group["title"]: layout.colour_of(group) for group in layout.groups}
    for operator in phase.operators.values():
        group = layout.group_of(operator.id)
        sums[group["title"]] = sums.get(group["title"], 0.0) + getattr(operator, column).value
        colours[group["title"]] = layout.colour_of(group)
    whole = added(sums.values())
    parts = (
        Share(title, colours[title], numbers.shown(each, like), _ratio(each, whole)) for title, each in sums.items()
    )
    return ShareBar(phase.title, numbers.shown(whole, like), tuple(part for part in parts if part.amount.value > 0))


def _by_name(chart: Section, numbers: operators.Numbers) -> ShareBar:
    whole, layout = numbers.amount(chart["whole"]), numbers.layout
    groups = {group["title"]: layout.colour_of(group) for group in layout.groups}
    amounts = [(part, numbers.amount(part["name"])) for part in chart["parts"]]
    there = [(part, amount) for part, amount in amounts if amount.value > 0]
    own_colours = layout.palette.of_parts([part["name"] for part, _ in there])
    parts = []
    for (part, amount), own in zip(there, own_colours, strict=True):
        colour = layout.palette.colour(part["colour"]) if "colour" in part else groups.get(part.get("group", ""), own)
        parts.append(Share(part.get("title", part.get("group", "")), colour, amount, _ratio(amount.value, whole.value)))
    rest = whole.value - added(part.amount.value for part in parts)
    beyond = None
    if "rest" in chart and rest > 0:
        parts.append(Share(chart["rest"], "", numbers.shown(rest, chart["whole"]), _ratio(rest, whole.value)))
    elif "beyond" in chart and rest < 0:
        colour, over = layout.palette.state("bad"), numbers.shown(-rest, chart["whole"])
        beyond = Share(chart["beyond"], colour, over, _ratio(-rest, whole.value))
    return ShareBar("", whole, tuple(parts), beyond)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
