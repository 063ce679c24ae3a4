"""The needed part of a graph to what the page tells of each value: text, MathML, sentence, place, sources, parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.core.quantity import Quantified
from formula_eval.core.type import Record
from formula_eval.evaluate.result import base_unit
from formula_eval.export.document import Document
from formula_eval.export.html.program import computed_nodes
from formula_eval.printing.mathml import mathml_text
from formula_eval.printing.symbol import symbol_mathml
from formula_eval.printing.text import expression_text

_OPEN, _CLOSE = "\u27e6", "\u27e7"


class _Interned:
    """Values that many rows name by their place, each kept once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[Any, int] = {}

    def place(self, key: object, value: Callable[[], object]) -> int:
        """The place of the value with this key."""
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value())
        return self._places[key]


@dataclass(frozen=True, slots=True)
class _Tables:
    """What copies of a formula share."""

    quantities: _Interned = field(default_factory=_Interned)
    declarations: _Interned = field(default_factory=_Interned)
    written: _Interned = field(default_factory=_Interned)


def formulas_data(document: Document) -> dict[str, Any]:
    """All that the page knows of the values, as plain data; `nodes` are in the order of the program."""
    graph = document.graph
    nodes = computed_nodes(document)
    places = {node.name: place for place, node in enumerate(nodes)}
    tables = _Tables()
    rows = [_row(node, places, graph, tables) for node in nodes]
    return {
        "nodes": rows,
        "quantities": tables.quantities.values,
        "declarations": tables.declarations.values,
        "written": tables.written.values,
        "inputs": {str(places[node.name]): _input(node) for node in nodes if node.kind == "input"},
        "checks": [_check(check, places) for check in document.checks],
        "recordInputs": [[node.name, node.type.supplier] for node in document.nodes if isinstance(node.type, Record)],
        "rows": _table_rows(document),
        "sources": _sources(document, nodes),
        "wanted": [places[name] for name in document.wanted if name in places],
    }


def _row(node: Node, places: Mapping[str, int], graph: FormulaGraph, tables: _Tables) -> list[Any]:
    """Name, kind, quantity, declaration, text, what it reads, the text with places of values, and its guard."""
    author = node.author if node.author is not None else node.expression
    text, quantity = _text(author), node.quantity
    return [
        node.name,
        node.kind,
        tables.quantities.place(quantity, lambda: _quantity(quantity)),
        tables.declarations.place(id(node.declaration), lambda: _declaration(node)),
        tables.written.place((text, id(node.declaration)), lambda: _written(node, author, text, graph)),
        [places[name] for name in graph.parents[node.name] if name in places],
        _filled(node.expression, places),
        _text(node.guard),
    ]


def _quantity(quantity: Quantified) -> list[Any]:
    return [quantity.kind, quantity.unit, quantity.dimension, list(quantity.words), base_unit(quantity)]


def _declaration(node: Node) -> list[Any]:
    notes, span = node.declaration.notes, node.declaration.span
    symbol = symbol_mathml(notes.symbol) if notes.symbol else ""
    cited = [[each.key, each.locator] for each in notes.sources]
    sentence = "" if isinstance(node.declaration, d.CheckDeclaration) else notes.sentence
    return [
        node.declaration.name,
        sentence,
        symbol,
        f"{span.file}:{span.line}",
        cited,
        list(notes.remarks),
        notes.derived,
    ]


def _written(node: Node, author: e.Expression | None, text: str, graph: FormulaGraph) -> list[str]:
    if author is None:
        return ["", ""]
    simple = isinstance(author, e.Number | e.FlagValue | e.ChoiceValue)
    return [text, "" if simple else mathml_text(author, _symbols(node, graph))]


def _symbols(node: Node, graph: FormulaGraph) -> Callable[[str], str]:
    """The symbol of a name as the author of this node wrote it: its own parameter, its folder's, else the root's."""
    declaration = node.declaration
    own = {each.name: each.notes.symbol for each in getattr(declaration, "parameters", ())}
    outside = declaration.name if isinstance(declaration, d.ColumnDeclaration) and declaration.supplier else ""

    def symbol(name: str) -> str:
        if name in own:
            return str(own[name])
        beside = node.cell.beside(name, node.record) if node.cell and name != outside else ""
        found = graph.declared(beside, "") or graph.declared(name, node.namespace)
        return found.notes.symbol if found is not None else ""

    return symbol


def _filled(expression: e.Expression | None, places: Mapping[str, int]) -> list[str | int]:
    """The lowered expression as texts with the places of values between them."""
    if expression is None or isinstance(expression, e.Number | e.FlagValue | e.ChoiceValue):
        return []
    text = expression_text(_marked(expression, places))
    parts: list[str | int] = []
    for piece in text.split(_OPEN):
        before, mark, after = piece.rpartition(_CLOSE)
        parts += [int(before), after] if mark else [after]
    return [part for part in parts if part != ""]


def _marked(x: e.Expression, places: Mapping[str, int]) -> e.Expression:
    if isinstance(x, e.Reference):
        return e.Reference(x.node, f"{_OPEN}{places[x.node]}{_CLOSE}") if x.node in places else x
    if isinstance(x, e.Call) and x.written:
        x = e.Call(x.function, x.arguments)
    return e.rebuild(x, lambda part: _marked(part, places))


def _text(expression: e.Expression | None) -> str:
    return expression_text(expression) if expression is not None else ""


def _input(node: Node) -> dict[str, Any]:
    held = {
        "supplier": node.supplier,
        "low": node.low,
        "high": node.high,
        "allowed": list(node.allowed),
        "optional": node.optional,
    }
    return {key: value for key, value in held.items() if value not in ("", None, [], False)}


def _check(check: Check, places: Mapping[str, int]) -> list[Any]:
    parts = [places[part.node] if isinstance(part, e.Reference) else str(part) for part in check.message]
    return [places[check.node], check.level, parts]


def _table_rows(document: Document) -> dict[str, dict[str, str]]:
    """What each row of each table is, in a sentence."""
    symbols = document.evaluator.resolved.scope.symbols
    tables = {name: symbols[name].declaration for name in document.graph.tables if name in symbols}
    return {
        name: {row.name: row.notes.sentence for row in table.rows}
        for name, table in tables.items()
        if isinstance(table, d.TableDeclaration)
    }


def _sources(document: Document, nodes: list[Node]) -> dict[str, list[str]]:
    """The works that these formulas cite: title, authors, year and address."""
    cited = {source.key for node in nodes for source in node.declaration.notes.sources}
    found = {}
    for key in sorted(cited & document.sources.keys()):
        entry = document.sources[key]
        found[key] = [str(entry.get(each, "")) for each in ("title", "authors", "year", "url")]
    return found
