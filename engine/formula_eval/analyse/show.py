"""Describes a name without numbers: its text, notations, sources, examples and neighbours."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import nearest_name, refuse
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.namespace import COPY_MARK, bearer, qualified
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.language.formatter import declaration_text
from formula_eval.library import Library
from formula_eval.printing.latex import LatexPrinter, upright
from formula_eval.printing.notations import notation
from formula_eval.printing.printer import LoweredPrinter
from formula_eval.records.givens import ANY_QUESTION
from formula_eval.resolve.scope import Scope


@dataclass(frozen=True, slots=True)
class Citation:
    """A source, and the place in it."""

    key: str  # of the entry in sources.toml
    locator: str  # the section, equation or page; empty for the whole
    title: str  # of the work; empty if the entry lacks one
    authors: str  # all in one text, as in the entry
    year: int  # of publication; 0 if unknown
    url: str  # where to read it; empty if not stated


@dataclass(frozen=True, slots=True)
class Description:
    """One formula, input, function, table or check."""

    name: str  # qualified, such as `params.total`
    kind: str  # of statement: `formula`, `input`, `function`, `table`, ...
    text: str  # the statement as written, then what changes it
    place: str  # FILE:LINE of the declaration
    sentence: str  # what it is, in words, from its notes
    unit: str = ""  # as declared; empty for a plain number
    latex: str = ""  # the equation; only the symbol without a formula
    symbolic: str = ""  # SymPy's expression as text; empty without a formula
    sources: tuple[Citation, ...] = ()  # the works that its notes cite
    derived: str = ""  # what it follows from, where no work says it
    reads: tuple[str, ...] = ()  # the names that its formula reads, cells by column
    read_by: tuple[str, ...] = ()  # the names whose formulas read this one
    changes: tuple[str, ...] = ()  # what libraries added to it or replaced


def describe(name: str, evaluator: Evaluator) -> Description:
    """The description of a name; raises FormulaError that suggests the nearest known name."""
    graph, library = evaluator.graph, evaluator.library
    name = _full_name(name, evaluator)
    declared, node, namespace = _declared(name, graph, evaluator.resolved.scope)
    return Description(
        name=name,
        kind=declared.kind,
        text=_text(name, declared, evaluator.resolved.scope),
        place=declared.span.place,
        sentence=declared.notes.sentence,
        unit=node.unit if node else "",
        latex=_latex(declared, node, namespace, graph),
        symbolic=_symbolic(node, graph),
        sources=tuple(_citations(declared, library)),
        derived=declared.notes.derived,
        reads=_neighbours(graph.parents[node.name], graph) if node else (),
        read_by=_neighbours(_readers(node.name, graph), graph) if node else (),
        changes=tuple(
            change.text for change in evaluator.resolved.scope.changes.values() if name in (change.target, change.node)
        ),
    )


def _text(name: str, declared: d.Declaration, scope: Scope) -> str:
    """The source text of a statement, followed by those that extend or replace it."""
    changes = [change for change in scope.changes.values() if change.target == name]
    if not changes:
        return declaration_text(declared)
    written = {change.place: change.declaration for change in changes}
    return "\n".join(declaration_text(declaration) for declaration in (changes[0].before, *written.values()))


def formula_in(notation_name: str, name: str, evaluator: Evaluator) -> str:
    """The right side of a formula in one notation; raises FormulaError for what has none."""
    graph = evaluator.graph
    name = _full_name(name, evaluator)
    declared, node, namespace = _declared(name, graph, evaluator.resolved.scope)
    printer = notation(notation_name)
    names: Callable[[str], str] = partial(re.sub, r"\W", "_")
    if issubclass(printer, LoweredPrinter):
        expression = node.expression if node else None
    else:
        expression, names = _written(declared, node), graph.symbols_in(declared, namespace, node)
    if expression is None:
        help_ = "Name a formula, or an input whose default is one."
        raise refuse("no-formula", f"`{name}` has no formula of its own that {notation_name} could show", help=help_)
    return printer.formula(expression, names)


def _full_name(name: str, evaluator: Evaluator) -> str:
    """The name of what is declared so, or of the only statement whose last part it is."""
    symbols, nodes = evaluator.resolved.scope.symbols, evaluator.graph.nodes
    inside = qualified(evaluator.library.answer, name)
    exact = next((text for text in (inside, name) if text in symbols or text in nodes), "")
    situation = evaluator.situation(ANY_QUESTION)
    exact = exact or (situation.meant(name) if situation else "") or evaluator.schema.quantity_called(name)
    return exact or bearer(name, [*symbols, *(nodes if "." in name or COPY_MARK in name else ())]) or name


def _declared(name: str, graph: FormulaGraph, scope: Scope) -> tuple[d.Declaration, Node | None, str]:
    """What declares a name, its node, and the namespace in which it stands."""
    node = graph.nodes.get(name)
    if name in scope.symbols:
        symbol = scope.symbols[name]
        return symbol.written or symbol.declaration, node, symbol.namespace
    if node is not None:
        return node.declaration, node, node.namespace
    if name in scope.records:
        return scope.records[name], None, ""
    known = [*scope.symbols, *graph.nodes, *scope.records]
    help_ = nearest_name(name, known) or "`formula-eval list formulas` shows all."
    raise refuse("unknown-quantity", f"Nothing is named `{name}`", help=help_)


def _latex(declared: d.Declaration, node: Node | None, namespace: str, graph: FormulaGraph) -> str:
    """The equation, its symbols those of the formulas it names."""
    if isinstance(declared, d.RecordDeclaration):
        return ""
    written = _written(declared, node)
    left = declared.notes.symbol or upright(declared.name)
    if written is None:
        return left
    return f"{left} = {LatexPrinter(graph.symbols_in(declared, namespace, node)).text(written)}"


def _written(declared: d.Declaration, node: Node | None) -> e.Expression | None:
    """The expression as its author wrote it, type-checked where there is a node; None for what has none."""
    if isinstance(declared, d.FunctionDeclaration):
        return declared.expression
    return (node.author or node.expression) if node else None


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
    """The readers of a node, or of a copy of it under other inputs."""
    return [reader for copy in graph.copies.get(name, (name,)) for reader in graph.children[copy]]


def _neighbours(names: Iterator[str] | list[str] | tuple[str, ...], graph: FormulaGraph) -> tuple[str, ...]:
    """Names that an author wrote: an instance of a call counts as the formula that calls, a cell as its column."""
    found: dict[str, None] = {}
    for name in names:
        node = graph.written_in(graph.nodes[name])
        column = f"{node.cell.table}.*.{node.cell.column}" if node.cell and not node.record else ""
        found[column or node.base] = None
    return tuple(found)
