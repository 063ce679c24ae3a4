"""Gathers what the picture of a document shows: the operators of each phase, and how amounts are distributed."""

from collections.abc import Mapping
from dataclasses import dataclass

from formula_eval.export.diagram.diagram_layout import DiagramLayout, diagram_file, read_diagram_layout
from formula_eval.export.diagram.distributions import Chart, charts_of
from formula_eval.export.diagram.operators import Numbers, Phase, phase_graph
from formula_eval.export.document import Document


@dataclass(frozen=True, slots=True)
class Structure:
    """What the picture shows, for documents that draw it themselves."""

    title: str  # the records it is about, in one line
    settings: tuple[tuple[str, str], ...]  # name and text of each value beneath the title
    times: Mapping[str, str]  # how often a box runs, by its quantity
    layout: DiagramLayout  # what the library's file asks for
    phases: tuple[Phase, ...]  # graphs, in the order in which they are drawn
    charts: tuple[Chart, ...]  # distributions that have something to show


def structure_of(document: Document) -> Structure:
    """The picture of all phases; raises FormulaError."""
    evaluator = document.evaluator
    file = diagram_file(evaluator.library, document.question.about(evaluator.library))
    layout = read_diagram_layout(evaluator.library, file)
    result = evaluator.evaluate(document.givens, layout.quantities(evaluator.schema))
    sentences = {row: says for table in layout.tables for row, says in document.row_sentences(table).items()}
    numbers = Numbers(layout, result, evaluator.schema, sentences)
    graphs = [phase_graph(each, numbers) for each in layout.phases]
    settings = tuple((name, str(result[name])) for name in layout.settings)
    times = {each["times"]: f"{result.numbers[each['times']]:,.0f}" for each in layout.boxes}
    title = " on ".join(document.givens.records[each] for each in result.records)
    return Structure(title, settings, times, layout, tuple(graphs), tuple(charts_of(graphs, numbers)))
