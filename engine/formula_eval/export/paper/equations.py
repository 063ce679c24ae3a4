"""Groups the nodes of a document into equations, in order, each with all its instances.

A formula, function or column is one equation, however often the graph holds it: under other inputs, in each row, for
each call. An equation stands behind all those that its first instance reads; chapters stay together where they can.
"""

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.export.document import Document
from formula_eval.export.paper.symbols import Symbols
from formula_eval.printing.text import expression_text


@dataclass(slots=True)
class Equation:
    """An equation as the author wrote it, once, and the nodes that compute it, in order."""

    key: tuple[str, ...]
    name: str
    chapter: str  # the file that it stands in, or the part that it is of
    nodes: list[Node] = field(default_factory=list)

    @property
    def first(self) -> Node:
        """The node that stands for all of them: the first that is computed."""
        return self.nodes[0]

    @property
    def column(self) -> tuple[str, ...]:
        """The column of a table that has one equation for some of its rows, this one; else nothing."""
        return ("cells", *self.key[1:3]) if self.key[0] == "cell" else ()

    @property
    def table(self) -> str:
        """The table whose column or cell this is; else nothing."""
        return self.key[1] if self.key[0] in ("column", "cell") else ""


def equations_of(document: Document, symbols: Symbols) -> list[Equation]:
    """The equations of the wanted quantities and of all that they need."""
    needed = _without_trials(document.graph, document.derivation)
    shared = _shared_columns(document)
    owner: dict[str, Equation] = {}
    found: dict[tuple[str, ...], Equation] = {}
    for name in needed:
        node = document.graph.nodes[name]
        key = _key(node, symbols, shared)
        if key:
            equation = found.setdefault(key, Equation(key, _name(key), document.graph.chapter_of(node)))
            equation.nodes.append(node)
            owner[name] = equation
    reads = {key: _reads(document, each, owner) for key, each in found.items()}
    return _in_chapters(list(found.values()), reads)


def _without_trials(graph: FormulaGraph, names: Sequence[str]) -> list[str]:
    """Those nodes that are not computed for one of the values alone which a `solve` tries on its way."""
    trials: set[str] = set()
    for name in names:
        declared = graph.nodes[name].declaration
        if isinstance(declared, d.UnknownDeclaration):
            if declared.is_trial:
                trials.add(name)
        elif any(each in trials for each in graph.parents[name]):
            trials.add(name)
    return [name for name in names if name not in trials]


def _shared_columns(document: Document) -> set[tuple[str, str]]:
    """The columns that have one formula for all rows."""
    found: set[tuple[str, str]] = set()
    for table in document.graph.tables.values():
        for column in table.columns:
            cells = document.graph.cells(table.column(column))
            written = {id(cell.author): cell.author for cell in cells if cell.author is not None}
            texts = {expression_text(expression) for expression in written.values()}
            if len(texts) == 1:
                found.add((table.name, column))
    return found


def _key(node: Node, symbols: Symbols, shared: set[tuple[str, str]]) -> tuple[str, ...]:
    if node.kind in ("formula", "call") and node.cell is None:
        return ("formula" if node.kind == "formula" else "function"), symbols.qualified(node)
    if node.kind not in ("cell", "formula") or node.cell is None:
        return ()
    table, _, column = node.cell
    if (table, column) in shared:
        return "column", table, column
    return "cell", table, column, expression_text(node.author) if node.author is not None else node.name


def _name(key: tuple[str, ...]) -> str:
    return key[1] if key[0] in ("formula", "function") else f"{key[1]}.{key[2]}"


def _reads(document: Document, equation: Equation, owner: Mapping[str, Equation]) -> set[tuple[str, ...]]:
    """The equations that the first instance reads, also by way of arguments."""
    read = document.graph.read_through(equation.first.name, lambda name: name not in owner)
    return {owner[name].key for name in read} - {equation.key}


def _in_chapters(equations: list[Equation], reads: Mapping[tuple[str, ...], set[tuple[str, ...]]]) -> list[Equation]:
    """An order in which each stands after what it reads, and chapters are cut into few pieces."""
    chapters: dict[str, list[Equation]] = {}
    for equation in equations:
        chapters.setdefault(equation.chapter, []).append(equation)
    waiting = {equation.key for equation in equations}
    place = {equation.key: number for number, equation in enumerate(equations)}
    ordered: list[Equation] = []
    while waiting:
        runs = {chapter: _run(each, waiting, reads) for chapter, each in chapters.items()}
        # The chapter that can stand whole, else the one of which the largest part can.
        best = max(
            runs,
            key=lambda chapter: (
                len(runs[chapter]) == len(chapters[chapter]),
                len(runs[chapter]) / len(chapters[chapter]),
            ),
        )
        ordered += _columns_together(runs[best], reads)
        waiting -= {equation.key for equation in runs[best]}
        chapters[best] = [equation for equation in chapters[best] if equation.key in waiting]
        left = sorted((each for each in chapters.values() if each), key=lambda each: place[each[0].key])
        chapters = {each[0].chapter: each for each in left}
    return ordered


def _run(
    left: Sequence[Equation],
    waiting: AbstractSet[tuple[str, ...]],
    reads: Mapping[tuple[str, ...], set[tuple[str, ...]]],
) -> list[Equation]:
    """Those of a chapter's equations that can stand next, one after another."""
    done: set[tuple[str, ...]] = set()
    run: list[Equation] = []
    for equation in left:
        if all(key in done or key not in waiting for key in reads[equation.key]):
            run.append(equation)
            done.add(equation.key)
    return run


def _columns_together(run: list[Equation], reads: Mapping[tuple[str, ...], set[tuple[str, ...]]]) -> list[Equation]:
    """The same equations with the cells of each column side by side, if nothing then stands before what it reads."""
    waiting: dict[tuple[str, ...], list[Equation]] = {}
    for equation in run:
        waiting.setdefault(equation.column or equation.key, []).append(equation)
    group_of = {member.key: group for group, members in waiting.items() for member in members}
    needs = {
        group: {group_of[key] for member in members for key in reads[member.key] if key in group_of} - {group}
        for group, members in waiting.items()
    }
    ordered: list[Equation] = []
    while waiting:
        ready = next((group for group in waiting if not needs[group] & waiting.keys()), None)
        if ready is None:
            return run
        ordered += waiting.pop(ready)
    return ordered


def arguments_of(node: Node) -> Iterator[tuple[str, e.Expression]]:
    """The argument of a call for each parameter, and what each piece of a `where` is, as far as the body shows it."""
    own = d.local_names(node.declaration)
    if node.author is None or node.expression is None:
        return
    seen: set[str] = set()
    for name, value in _side_by_side(node.author, node.expression):
        if name in own and name not in seen:
            seen.add(name)
            yield name, value


def _side_by_side(author: e.Expression, lowered: e.Expression) -> Iterator[tuple[str, e.Expression]]:
    if isinstance(author, e.Name):
        if len(author.path) == 1:
            yield author.path[0], lowered
        return
    if isinstance(author, e.Where):
        author = author.value
    if type(author) is not type(lowered):
        return
    for one, other in zip(e.children(author), e.children(lowered), strict=False):
        yield from _side_by_side(one, other)
