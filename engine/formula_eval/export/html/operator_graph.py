"""Builds the page's graph of operators (reports/structure.toml), laid out for each set of nodes that may run."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, product
from typing import Any

from formula_eval.ask.layout import Section
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.diagram import diagram_layout
from formula_eval.export.diagram.diagram_layout import DIAGRAM_COLUMNS
from formula_eval.export.diagram.operators import arrows_between
from formula_eval.export.diagram.placement import placed
from formula_eval.export.document import Document
from formula_eval.records.record_files import all_records

_FEW = 4  # nodes of their own, of which each set gets a drawing


def structure_section(section: Section, document: Document) -> dict[str, Any]:
    """The section with what the picture's layout says of phases, nodes and frames, in the words of the page's layout.

    It has no groups if the document lacks the table.
    """
    layout = diagram_layout.read_diagram_layout(document.evaluator.library)
    if layout.table["name"] not in document.graph.tables:
        return {**section, "groups": []}
    groups = [_group(phase, layout, document) for phase in layout.phases]
    columns = {
        "times" if diagram_column == "count" else diagram_column: layout.table[diagram_column]
        for diagram_column in DIAGRAM_COLUMNS
    }
    boxes = [{"title": box["title"], "name": box["times"], "outside": box["outside"]} for box in layout.boxes]
    titles = layout.table.get("titles", {})
    return {**section, "table": layout.table["name"], "titles": titles, **columns, "groups": groups, "boxes": boxes}


def _group(phase: Section, layout: diagram_layout.DiagramLayout, document: Document) -> dict[str, Any]:
    schema = document.evaluator.schema
    shown = {each: phase[each] for each in ("title", "says", "at", "total", "when") if each in phase}
    return {**shown, "nodes": [_node(node, layout.time_of(node, phase["at"], schema)) for node in layout.nodes]}


def _node(node: Section, time: str) -> dict[str, Any]:
    """A node of its own; one without a name is what the total leaves over."""
    shown = {each: node[each] for each in ("id", "title", "says", "bound") if each in node}
    return {**shown, "name": time} if time else shown


def drawn_structures(section: Section, document: Document) -> dict[str, Any]:
    """Where the nodes stand and the arrows go, for each set of nodes that a record of the library may lead to.

    A key has a sign for each of `flags` and of `ids`. The set of all nodes is there too, for what no record leads to.
    """
    layout = diagram_layout.read_diagram_layout(document.evaluator.library)
    drawn = {row for group in section["groups"] for row in group["cells"]}
    rows = [row for row in document.graph.tables[layout.table["name"]].rows if row in drawn]
    ids = [*rows, *dict.fromkeys(node["id"] for group in section["groups"] for node in group["nodes"])]
    flags = [name for name in layout.flags if name in document.names]
    own = len(ids) - len(rows)
    others = list(product((False, True), repeat=own)) if own <= _FEW else [(True,) * own]
    seen = dict.fromkeys(_seen(rows, flags, section, document))
    found = dict.fromkeys((held, (*runs, *more)) for held, runs in seen for more in others)
    found |= dict.fromkeys((held, (True,) * len(ids)) for held in product((False, True), repeat=len(flags)))
    return {
        "ids": ids,
        "flags": flags,
        "drawn": {
            f"{_signs(held)}:{_signs(runs)}": _places([*compress(ids, runs)], layout, rows, [*compress(flags, held)])
            for held, runs in found
        },
    }


def _signs(signs: Sequence[bool]) -> str:
    return "".join("01"[sign] for sign in signs)


def _seen(
    rows: Sequence[str], flags: Sequence[str], section: Section, document: Document
) -> Iterator[tuple[tuple[bool, ...], tuple[bool, ...]]]:
    """Which flags hold and which rows run, for each record that either depends on."""
    counts = [{row: cell[section["times"]] for row, cell in group["cells"].items()} for group in section["groups"]]
    wanted = [*flags, *(name for count in counts for name in count.values())]
    program = document.evaluator.program(wanted)
    for givens in _givens(wanted, document):
        try:
            numbers = program.evaluate(givens)
        except FormulaError:
            continue
        for count in counts:
            runs = tuple(row in count and numbers[count[row]] > 0 for row in rows)
            yield tuple(bool(numbers[name]) for name in flags), runs


def _givens(wanted: list[str], document: Document) -> Iterator[Mapping[str, float]]:
    """The document's own values, then those with each other record that supplies something that is needed."""
    yield document.givens.values
    nodes = document.graph.nodes
    suppliers = {nodes[name].supplier for name in document.graph.ancestors(wanted)} - {""}
    evaluator, question = document.evaluator, document.question
    kinds = evaluator.schema.kinds
    for supplier in sorted(suppliers.intersection(kinds)):
        for record in all_records(evaluator.library, kinds[supplier]):
            asked = question._replace(records={**question.records, supplier: record.id})
            try:
                yield evaluator.givens(asked).values
            except FormulaError:
                continue


def _places(
    present: Sequence[str], layout: diagram_layout.DiagramLayout, rows: Sequence[str], flags: Sequence[str]
) -> dict[str, Any]:
    """The nodes by id as lane and layer, in the order in which one reads them, and the points of each arrow."""
    places = placed(present, arrows_between(set(present), layout, rows, set(flags)))
    ordered = sorted(places.nodes.items(), key=lambda pair: (pair[1][1], pair[1][0]))
    return {
        "nodes": {name: _point(place) for name, place in ordered},
        "arrows": [[_point(place) for place in arrow] for arrow in places.arrows],
        "lanes": round(places.lanes, 3),
        "layers": places.layers,
    }


def _point(place: tuple[float, int]) -> tuple[float, int]:
    return round(place[0], 3), place[1]
