"""A document to a picture of its model: the graph of operators of each phase, and how everything is distributed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from formula_eval.core.declaration import TableDeclaration
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.export.diagram.diagram_layout import StructureLayout, read_structure_layout
from formula_eval.export.diagram.distributions import Chart, charts_of
from formula_eval.export.diagram.drawing import drawing, harmless
from formula_eval.export.diagram.operators import Numbers, Phase, phase_graph
from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.templates import filled, folders_of


@dataclass(frozen=True, slots=True)
class Structure:
    """What the picture shows, for documents that draw it themselves."""

    title: str
    settings: tuple[tuple[str, str], ...]
    times: Mapping[str, str]
    layout: StructureLayout
    phases: tuple[Phase, ...]
    charts: tuple[Chart, ...]


def structure_of(document: Document, phases: Sequence[str] = ()) -> Structure:
    """The phases of these names, by default all; raises FormulaError, also for an unknown phase."""
    evaluator = document.evaluator
    layout = read_structure_layout(evaluator.library)
    result = evaluator.evaluate(document.givens, layout.quantities(evaluator.schema))
    numbers = Numbers(layout, result, evaluator.schema, _sentences(document, layout.table["name"]))
    _refuse_unknown(phases, layout)
    graphs = [phase_graph(each, numbers) for each in layout.phases if not phases or each["at"] in phases]
    records = [document.givens.records[each] for each in ("model", "hardware") if each in document.givens.records]
    settings = tuple((name, str(result[name])) for name in layout.settings)
    times = {each["times"]: f"{result.numbers[each['times']]:,.0f}" for each in layout.boxes}
    return Structure(" on ".join(records), settings, times, layout, tuple(graphs), tuple(charts_of(graphs, numbers)))


def structure_svg(
    document: Document,
    phases: Sequence[str] = (),
    *,
    inline: bool = False,
    name: str = "structure",
    templates: str = "",
) -> str:
    """The picture as SVG text.

    `inline` is for a page that holds it: no background, the page's own text colour, and ids that begin with `name`.
    """
    data = drawing(structure_of(document, phases))
    folders = folders_of(document.evaluator.library, templates)
    return harmless(filled("structure/picture.svg.j2", {**data, "inline": inline, "name": name}, None, folders))


def write_structure(document: Document, target: str | Path) -> None:
    """Write the picture of all phases; raises FormulaError, also for a question that it has no answer to."""
    if document.question.purpose != "serving":
        message = "The picture shows a prompt and a decode step: nothing of a training run or of a namespace"
        raise refuse("no-picture", message, help="`export html` has the kernels of a training run.")
    write_whole(target, structure_svg(document))


def _sentences(document: Document, table: str) -> dict[str, str]:
    """What the rows of the table are, in their author's words."""
    symbols = document.evaluator.resolved.scope.symbols
    declared = symbols[table].declaration if table in symbols else None
    return {row.name: row.notes.sentence for row in declared.rows} if isinstance(declared, TableDeclaration) else {}


def _refuse_unknown(phases: Sequence[str], layout: StructureLayout) -> None:
    known = [each["at"] for each in layout.phases]
    for each in phases:
        if each not in known:
            help_ = nearest(each, known) or f"There are {', '.join(known)}."
            raise refuse("unknown-phase", f"{layout.shown} has no phase `{each}`", help=help_)
