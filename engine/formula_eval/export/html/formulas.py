"""Gathers what the page tells of each value: text, MathML, sentence, place, sources, and what it reads."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from operator import eq
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.core.namespace import COPY_MARK
from formula_eval.core.quantity import Quantified
from formula_eval.core.type import Quantity, Record
from formula_eval.evaluate.value import base_unit
from formula_eval.export.document import Document
from formula_eval.export.html.program import PageProgram, computed_nodes, reads_of, refusing_places
from formula_eval.printing.mathml import MathmlPrinter
from formula_eval.printing.printer import ATOM, Printed
from formula_eval.printing.symbol import symbol_mathml
from formula_eval.printing.text import TextPrinter, expression_text
from formula_eval.records.example_value import example_of
from formula_eval.records.schema import Schema

_OPEN, _CLOSE = "\u27e6", "\u27e7"
_TAG = re.compile(r"<[^<>]*>")
_CHARACTERS = "~^`|$#@?!%{}"  # those that no text has stand for tags of MathML


class _Interned:
    """Distinct values, to which rows refer by their place in the list."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[Any, int] = {}

    def place(self, key: object, value: Callable[[], object]) -> int:
        """The place of the value with this key."""
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value())
        return self._places[key]


class _FilledPrinter(TextPrinter):
    """The language with marked places among what is read in place of names, and all terms spelled out."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self._places = places

    def reference(self, x: e.Reference) -> Printed:
        """Its place; the name of what has none."""
        return (f"{_OPEN}{self._places[x.node]}{_CLOSE}", ATOM) if x.node in self._places else super().reference(x)

    def call(self, x: e.Call) -> Printed:
        """All its arguments."""
        return self.function(x.function, x.arguments)


# What copies of a formula share, in the order in which a form has its place in each, before the place of its function.
_SHARED = ("bases", "kinds", "quantities", "declarations", "written", "filled", "guards")
_SYMBOL = 2  # the place of the symbol in a declaration
_MATHS = {"written": 1, "declarations": _SYMBOL}  # the place of the MathML in each of them


def formulas_data(document: Document, program: PageProgram) -> dict[str, Any]:
    """All that the page knows of the values, as plain data; `nodes` are in the order of the program.

    A node is a row: its form and its binding, less those of the node before, and how many places before it each stands
    that it reads. A form is a row of places, less those of the form before: what several nodes share stands once, in
    the list of the same name. Of names and guards only what differs from the text before stands there.
    """
    nodes, reads = computed_nodes(document), reads_of(document)
    places = {node.name: place for place, node in enumerate(nodes)}
    tables = {name: _Interned() for name in (*_SHARED, "forms", "bindings")}
    each_node = zip(nodes, program.functions, strict=True)
    heads = _steps([_row(node, reads(node), document, tables, function) for node, function in each_node])
    rows = [
        [*head, *(place - places[name] for name in reads(node))]
        for place, (head, node) in enumerate(zip(heads, nodes, strict=True))
    ]
    shared = {name: table.values for name, table in tables.items()}
    marks = _marks_of(
        [math for _, math in shared["written"]] + [declaration[_SYMBOL] for declaration in shared["declarations"]]
    )
    for each, place in ((each, place) for name, place in _MATHS.items() for each in shared[name]):
        each[place] = _shortened(each[place], marks)
    return {
        "nodes": rows,
        **shared,
        "forms": _steps(shared["forms"]),
        **{name: _folded(shared[name]) for name in ("bases", "guards")},
        "marks": {mark: tag for tag, mark in marks.items()},
        "inputs": {
            str(places[node.name]): input_data(node, document.evaluator.schema)
            for node in nodes
            if node.kind == "input"
        },
        "checks": [_check(check, places) for check in document.checks],
        "refusing": refusing_places(document),
        "recordInputs": [[node.name, node.type.supplier] for node in document.nodes if isinstance(node.type, Record)],
        "rows": _table_rows(document),
        "sources": _sources(document, nodes),
        "wanted": [places[name] for name in document.wanted if name in places],
    }


def _steps(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Each row less the one before: small numbers take little room."""
    before = [[0] * len(rows[0]), *rows] if rows else []
    return [[here - there for here, there in zip(row, last, strict=True)] for last, row in pairwise(before)]


def _folded(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Each text as the number of characters with which the one before begins too, and the rest."""
    found = []
    for before, text in pairwise(("", *texts)):
        same = sum(takewhile(bool, map(eq, before, text)))
        found.append((same, text[same:]))
    return found


def _row(
    node: Node, reads: Sequence[str], document: Document, tables: Mapping[str, _Interned], function: int
) -> list[int]:
    """The places of its form and of its binding; a form are the places of what it shares, and its function."""
    text, quantity = document.written_text(node), node.quantity
    declared = node.declaration.name, node.declaration.span
    base, _, binding = node.name.partition(COPY_MARK)
    filled, guard = _filled(node.expression, reads), expression_text(node.guard) if node.guard is not None else ""
    shared: Mapping[str, tuple[object, Callable[[], object]]] = {  # what tells it from others, and how it is told
        "bases": (base, lambda: base),
        "kinds": (node.kind, lambda: node.kind),
        "quantities": (quantity, lambda: quantity_data(quantity)),
        "declarations": (declared, lambda: _declaration(node)),
        "written": ((text, declared), lambda: _written(node, text, document.graph)),
        "filled": (tuple(filled), lambda: filled),
        "guards": (guard, lambda: guard),
    }
    form = [*(tables[name].place(*shared[name]) for name in _SHARED), function]
    return [tables["forms"].place(tuple(form), lambda: form), tables["bindings"].place(binding, lambda: binding)]


def quantity_data(quantity: Quantified) -> list[Any]:
    """The kind, unit and scale of a value, as the page holds them."""
    shown = quantity.kind, quantity.unit, quantity.dimension, list(quantity.words)
    return [*shown, base_unit(quantity), *quantity.scale, quantity.style]


def _declaration(node: Node) -> list[Any]:
    notes, span = node.declaration.notes, node.declaration.span
    symbol = symbol_mathml(notes.symbol) if notes.symbol else ""
    cited = [[source.key, source.locator] for source in notes.sources]
    sentence = "" if isinstance(node.declaration, d.CheckDeclaration) else notes.sentence
    return [
        node.declaration.name,
        sentence,
        symbol,
        span.place,
        cited,
        list(notes.told),
        notes.derived,
    ]


def _written(node: Node, text: str, graph: FormulaGraph) -> list[str]:
    author = node.written
    if author is None:
        return ["", ""]
    simple = isinstance(author, e.Number | e.FlagValue | e.ChoiceValue)
    return [
        text,
        "" if simple else MathmlPrinter.formula(author, graph.symbols_in(node.declaration, node.namespace, node)),
    ]


def _filled(expression: e.Expression | None, reads: Sequence[str]) -> list[str | int]:
    """The lowered expression as texts with the places among what it reads between them."""
    if expression is None or isinstance(expression, e.Number | e.FlagValue | e.ChoiceValue):
        return []
    text = _FilledPrinter({name: place for place, name in enumerate(reads)}).text(expression)
    parts: list[str | int] = []
    for piece in text.split(_OPEN):
        before, mark, after = piece.rpartition(_CLOSE)
        parts += [int(before), after] if mark else [after]
    return [part for part in parts if part != ""]


def input_data(node: Node, schema: Schema) -> dict[str, Any]:
    """The values that a reader may type for an input."""
    is_number = isinstance(node.type, Quantity)
    held = {
        "supplier": node.supplier,
        "low": node.low,
        "high": node.high,
        "allowed": list(node.allowed),
        "optional": node.optional,
        "also": dict(schema.inputs[node.name].also),
        "example": example_of(schema.inputs[node.name], schema.units) if is_number else "",
    }
    return {key: value for key, value in held.items() if value not in ("", None, [], {}, False)}


def _check(check: Check, places: Mapping[str, int]) -> list[Any]:
    parts = [places[part.node] if isinstance(part, e.Reference) else str(part) for part in check.message]
    return [places[check.node], check.level, parts]


def _table_rows(document: Document) -> dict[str, Mapping[str, str]]:
    """The sentence of each row of each table of the document."""
    held = {node.cell.table for node in document.nodes if node.cell}
    return {name: document.row_sentences(name) for name in document.graph.tables if name in held}


def _sources(document: Document, nodes: list[Node]) -> dict[str, list[str]]:
    """The works that these formulas cite: title, authors, year and address."""
    cited = {source.key for node in nodes for source in node.declaration.notes.sources}
    found = {}
    for key in sorted(cited & document.sources.keys()):
        entry = document.sources[key]
        found[key] = [str(entry.get(each, "")) for each in ("title", "authors", "year", "url")]
    return found


def _marks_of(texts: Iterable[str]) -> Mapping[str, str]:
    """A character for each of the tags whose writing takes most in these texts, by tag; the page replaces it again."""
    whole = "".join(texts)
    free = [character for character in _CHARACTERS if character not in whole]
    takes = Counter(_TAG.findall(whole))
    longest = sorted(takes, key=lambda tag: (-takes[tag] * len(tag), tag))
    return dict(zip(longest, free, strict=False))


def _shortened(text: str, marks: Mapping[str, str]) -> str:
    """The text with a character in the place of each tag that has one."""
    return _TAG.sub(lambda tag: marks.get(tag[0], tag[0]), text)
