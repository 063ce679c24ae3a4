"""The needed part of a graph to the JavaScript that computes it: one statement for each formula, in order."""

import json

from formula_eval.core.graph import Node
from formula_eval.core.type import Record
from formula_eval.evaluate.source import absent_flags
from formula_eval.evaluate.source import guarded
from formula_eval.export.document import Document
from formula_eval.printing.javascript import PRELUDE
from formula_eval.printing.javascript import javascript_text


def computed_nodes(document: Document) -> list[Node]:
    """The nodes that have a number, in the order of evaluation: their places are those of the page's values."""
    return [node for node in document.nodes if not isinstance(node.type, Record)]


def javascript_program(document: Document) -> str:
    """`const compute`: from an object with the given inputs to the array of all values.

    It throws NoNumber where the engine refuses to compute; `at` is then the place of the formula.
    """
    nodes = computed_nodes(document)
    spelled = {node.name: f"v[{place}]" for place, node in enumerate(nodes)}
    absent = absent_flags(nodes)

    def condition(name: str) -> str:
        return f"({spelled[name]} === true)" if name in absent else spelled[name]

    lines = []
    for node in nodes:
        text = javascript_text(guarded(node), spelled.__getitem__, condition)
        if node.kind == "input":
            name = _literal(node.name)
            text = f"{name} in given ? given[{name}] : {text}"
        lines.append(f"{spelled[node.name]} = {text}; // {_remark(node.name)}\n")
    head = "function compute(given, v = []) {\ntry {\n"
    tail = "} catch (problem) {\n  problem.at = v.length;\n  throw problem;\n}\nreturn v;\n}\n"
    return f"const compute = (() => {{\n{PRELUDE}\n{head}{''.join(lines)}{tail}return compute;\n}})();\n"


def _literal(name: str) -> str:
    return json.dumps(name).replace("<", "\\u003c")


def _remark(name: str) -> str:
    """The name as a comment, which nothing in it can end."""
    return "".join(each if each.isascii() and each.isprintable() and each not in "<>" else "?" for each in name)
