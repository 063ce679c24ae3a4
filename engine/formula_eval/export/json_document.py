"""Serialises a document as JSON: inputs, values and checks as the main command gives them, and their formulas."""

import json
import math
from typing import Any

from formula_eval.core.graph import Node
from formula_eval.evaluate.value import base_unit, typed_value
from formula_eval.export.document import Document
from formula_eval.export.paper.equations import equations_of
from formula_eval.export.paper.symbols import Symbols
from formula_eval.export.paper.worked_equation import Working
from formula_eval.printing.text import expression_text
from formula_eval.version import __version__


def document_json(document: Document) -> str:
    """The document as text."""
    return f"{json.dumps(json_document(document), indent=1, ensure_ascii=False, allow_nan=False)}\n"


def json_document(document: Document) -> dict[str, Any]:
    """The document as plain data.

    `formulas` holds each formula, function and column once, in the order of evaluation, with all its `instances`: the
    nodes that compute it, their values in base units, what they read, and under which inputs.
    """
    symbols = Symbols(document.graph, document.names)
    working = Working(document, symbols, "symbolic")
    formulas: list[dict[str, Any]] = []
    for equation in equations_of(document, symbols):
        node, notes = equation.first, equation.first.declaration.notes
        formulas.append(
            {
                "name": equation.name,
                "sentence": notes.sentence,
                "unit": base_unit(node.quantity),
                "text": expression_text(node.author) if node.author is not None else "",
                "latex": working.rows(equation),
                "notes": list(notes.told),
                "sources": [{"key": source.key, "where": source.locator} for source in notes.sources],
                "derived": notes.derived,
                "place": node.declaration.span.place,
                "instances": [_instance(document, instance) for instance in equation.nodes],
            }
        )
    cited = dict.fromkeys(source["key"] for formula in formulas for source in formula["sources"])
    return {
        "version": __version__,
        "command": document.command,
        **document.result.to_data(),
        "formulas": formulas,
        "sources": {key: dict(document.sources[key]) for key in sorted(cited) if key in document.sources},
    }


def _instance(document: Document, node: Node) -> dict[str, Any]:
    """A node that computes a formula, and what it reads: of the arguments of calls what these read."""
    graph, value = document.graph, document.numbers[node.name]
    return {
        "name": node.name,
        "value": typed_value(value, node.quantity) if math.isfinite(value) else None,
        "under": node.binding,
        "reads": list(graph.read_through(node.name, lambda parent: graph.nodes[parent].kind == "argument")),
    }
