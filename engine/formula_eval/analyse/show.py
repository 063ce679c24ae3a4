"""A name to all that can be said about it without numbers: its text, notations, sources, examples and neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.language.formatter import declaration_text
from formula_eval.library import Library
from formula_eval.printing.latex import latex_text, upright
from formula_eval.resolve.scope import Scope


@dataclass(frozen=True, slots=True)
class Citation:
    """A source, and where in it."""

    key: str
    locator: str
    title: str
    authors: str
    year: int
    url: str


@dataclass(frozen=True, slots=True)
class Description:
    """One formula, input, function, table or check."""

    name: str
    kind: str
    text: str
    place: str
    sentence: str
    unit: str = ""
    latex: str = ""
    symbolic: str = ""
    sources: tuple[Citation, ...] = ()
    reads: tuple[str, ...] = ()
    read_by: tuple[str, ...] = ()


def describe(name: str, evaluator: Evaluator) -> Description:
    """All about a name; raises FormulaError with the nearest."""
    graph, library = evaluator.graph, evaluator.library
    declared, node = _declared(name, graph, evaluator.resolved.scope)
    span = declared.span
    kind = type(declared).__name__.removesuffix("Declaration").lower()
    return Description(
        name=name,
        kind=kind,
        text=declaration_text(declared),
        place=f"{span.file}:{span.line}",
        sentence=declared.notes.sentence,
        unit=node.unit if node else "",
        latex=_latex(declared, node, graph),
        symbolic=_symbolic(node, graph),
        sources=tuple(_citations(declared, library)),
        reads=_neighbours(graph.parents[node.name], graph) if node else (),
        read_by=_neighbours(_readers(node.name, graph), graph) if node else (),
    )


def _declared(name: str, graph: FormulaGraph, scope: Scope) -> tuple[d.Declaration, Node | None]:
    if name in scope.symbols:
        return scope.symbols[name].declaration, graph.nodes.get(name)
    if name in graph.nodes:
        return graph.nodes[name].declaration, graph.nodes[name]
    known = [*scope.symbols, *graph.nodes]
    help_ = nearest(name, known) or "`formula-eval list formulas` shows all."
    raise refuse("unknown-quantity", f"Nothing is named `{name}`", help=help_)


def _latex(declared: d.Declaration, node: Node | None, graph: FormulaGraph) -> str:
    """The equation, its symbols those of the formulas it names."""
    if isinstance(declared, d.FunctionDeclaration):
        written: e.Expression | None = declared.expression
    else:
        written = (node.author or node.expression) if node else None
    left = declared.notes.symbol or upright(declared.name)
    if written is None:
        return left
    return f"{left} = {latex_text(written, _symbols(declared, node, graph))}"


def _symbols(declared: d.Declaration, node: Node | None, graph: FormulaGraph) -> Any:  # noqa: ANN401 - a function of names
    own = {each.name: each.notes.symbol for each in getattr(declared, "parameters", ())}
    space = (
        node.name.rpartition(".")[0]
        if node
        else next((name.rpartition(".")[0] for name, each in graph.functions.items() if each is declared), "")
    )

    outside = declared.name if isinstance(declared, d.ColumnDeclaration) and declared.supplier else ""

    def symbol(name: str) -> str:
        if name in own:
            return own[name] or ""
        for full in (f"{space}.{name}" if space and name != outside else name, name):
            found = graph.nodes[full].declaration if full in graph.nodes else graph.functions.get(full)
            if found is not None:
                return found.notes.symbol
        return ""

    return symbol


def _symbolic(node: Node | None, graph: FormulaGraph) -> str:
    if node is None or node.expression is None:
        return ""
    from formula_eval.symbolic import graph_symbols, symbolic  # noqa: PLC0415 - SymPy takes a second to load

    return str(symbolic(node.expression, graph_symbols(graph)))


def _citations(declared: d.Declaration, library: Library) -> Iterator[Citation]:
    for source in declared.notes.sources:
        entry = library.citations.get(source.key, {})
        title, authors, url = (str(entry.get(key, "")) for key in ("title", "authors", "url"))
        yield Citation(source.key, source.locator, title, authors, int(entry.get("year", 0)), url)


def _readers(name: str, graph: FormulaGraph) -> list[str]:
    """What reads a node, or a copy of it under other inputs."""
    return [reader for copy in graph.copies.get(name, (name,)) for reader in graph.children[copy]]


def _neighbours(names: Iterator[str] | list[str] | tuple[str, ...], graph: FormulaGraph) -> tuple[str, ...]:
    """Names that an author wrote: an instance of a call counts as the formula that calls, a cell as its column."""
    found: dict[str, None] = {}
    for name in names:
        plain = name.partition("@")[0]
        while plain in graph.nodes and graph.nodes[plain].kind in ("call", "argument", "message"):
            plain = plain.rpartition(".")[0]
        row, _, column = plain.rpartition(".")
        table = row.rpartition(".")[0]
        found[f"{table}.*.{column}" if table in graph.tables else plain] = None
    return tuple(found)
