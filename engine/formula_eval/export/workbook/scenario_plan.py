"""Plans the columns of the [[scenarios]] of reports/workbook.toml: what they compute, and their values at export."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import cell_id
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import Node
from formula_eval.export.quantities import is_about
from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.workbook_context import Book


@dataclass(frozen=True, slots=True)
class ScenarioColumn:
    """One column at export: its title, what it sets, the records that hold in it by kind, and all numbers."""

    title: str
    records: Mapping[str, str]
    values: Mapping[str, float]
    holds: Mapping[str, str]
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ScenarioPlan:
    """The inputs of each column, its outputs, and all that has to be computed for it, in order."""

    title: str  # heading of the sheet
    says: str  # the sentence beneath the heading
    kinds: tuple[Selector, ...]  # of records that each column lets choose
    inputs: tuple[Node, ...]
    outputs: tuple[tuple[Section, Node], ...]
    local_kinds: tuple[Selector, ...]  # all kinds, looked up anew in each column
    chain: tuple[Node, ...]  # nodes that may differ between columns, in order
    columns: tuple[ScenarioColumn, ...]  # those that are filled at export


def scenario_plan(book: Book) -> ScenarioPlan | None:
    """The first section with an output that the document holds; None for a namespace with values of its own."""
    if book.document.question.namespace:
        return None
    return next((plan for plan in (_plan(book, each) for each in book.layout.scenarios) if plan is not None), None)


def _plan(book: Book, section: Section) -> ScenarioPlan | None:
    document, nodes = book.document, book.document.graph.nodes
    if document.is_asked and not is_about(section, document):
        return None
    known = book.asked & book.naming.places.keys()
    outputs = [(each, nodes[each["name"]]) for each in section["outputs"] if each["name"] in known]
    local = tuple(each for each in book.selectors if each.key == each.supplier)
    kinds = tuple(each for name in section["inputs"] for each in local if each.key == name)
    inputs = [nodes[name] for name in section["inputs"] if name in known and nodes[name].kind == "input"]
    if not outputs or not inputs:
        return None
    needed = document.graph.ancestors([node.name for _, node in outputs])
    inputs = [node for node in inputs if node.name in needed]
    changed = {node.name for node in inputs} | {name for name in needed if is_stated(book, nodes[name])}
    for name in needed:
        if any(parent in changed for parent in document.graph.parents[name]):
            changed.add(name)
    chain = tuple(nodes[name] for name in needed if name in changed)
    columns = [_column(book, each, chain, [node for _, node in outputs]) for each in section["columns"]]
    return ScenarioPlan(
        section["title"],
        section["says"],
        kinds,
        tuple(inputs),
        tuple(outputs),
        local,
        chain,
        tuple(each for each in columns if each is not None),
    )


def is_stated(book: Book, node: Node) -> bool:
    """Whether a record of the kind in use may state an input."""
    return node.kind == "input" and not node.record and f"{node.supplier}: {node.name}" in book.naming.places


def _column(book: Book, written: Section, chain: Sequence[Node], outputs: Sequence[Node]) -> ScenarioColumn | None:
    """A column as the layout fills it, as far as this document has what it sets."""
    document, settings = book.document, dict(written.get("set", {}))
    kinds = document.evaluator.schema.kinds
    records = {name: str(settings.pop(name)) for name in list(settings) if name in kinds}
    question = document.question
    asked = question._replace(records={**question.records, **records}, values={**question.values, **settings})
    try:
        givens = document.evaluator.givens(asked)
        names = list(dict.fromkeys(node.name for node in (*chain, *outputs)))
        numbers = document.evaluator.program(names).evaluate(givens.values)
    except FormulaError:
        return None
    holds = {name: cell_id(id_) for name, id_ in givens.records.items()}
    values = {name: float(givens.values[name]) for name in settings}
    return ScenarioColumn(written["title"], records, values, holds, numbers)
