"""The needed part of a graph to the JavaScript that computes it: one statement for each formula, in order."""

import json

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Record
from formula_eval.evaluate.codegen import absent_flags, guarded
from formula_eval.export.document import Document
from formula_eval.printing.javascript import PRELUDE, javascript_text


def computed_nodes(document: Document) -> list[Node]:
    """The nodes that have a number, in the order of evaluation: their places are those of the page's values."""
    return [node for node in document.nodes if not isinstance(node.type, Record)]


def javascript_program(document: Document) -> str:
    """`const compute`: from an object with the given inputs to the array of all values.

    It throws NoNumber where the engine refuses to compute; `at` is then the place of the formula. `computeRefusals`
    computes only what the checks need that may refuse, since they say more than a formula that fails.
    """
    nodes = computed_nodes(document)
    refusing = [check for check in document.checks if check.level == "refuse"]
    read = [part.node for check in refusing for part in check.message if isinstance(part, e.Reference)]
    needed = set(document.graph.ancestors([*(check.node for check in refusing), *read]))
    parts = (PRELUDE, _function("compute", nodes, set(document.names)), _function("computeRefusals", nodes, needed))
    return f"const {{ compute, computeRefusals, NoNumber }} = (() => {{\n{''.join(parts)}{_LAST}}})();\n"


_LAST = "return { compute, computeRefusals, NoNumber };\n"


def _function(name: str, nodes: list[Node], needed: set[str]) -> str:
    """A function that fills the places of the needed nodes."""
    spelled = {node.name: f"v[{place}]" for place, node in enumerate(nodes)}
    absent = absent_flags(nodes)

    def condition(flag: str) -> str:
        return f"({spelled[flag]} === true)" if flag in absent else spelled[flag]

    lines = []
    for node in nodes:
        if node.name not in needed:
            continue
        text = javascript_text(guarded(node), spelled.__getitem__, condition)
        if node.kind == "input":
            literal = _literal(node.name)
            text = f"{literal} in given ? given[{literal}] : {text}"
        lines.append(f"{spelled[node.name]} = {text}; // {_remark(node.name)}\n")
    head = f"function {name}(given, v = []) {{\ntry {{\n"
    tail = "} catch (problem) {\n  problem.at = v.length;\n  throw problem;\n}\nreturn v;\n}\n"
    return f"{head}{''.join(lines)}{tail}"


def _literal(name: str) -> str:
    return json.dumps(name).replace("<", "\\u003c")


def _remark(name: str) -> str:
    """The name as a comment, which nothing in it can end."""
    return "".join(each if each.isascii() and each.isprintable() and each not in "<>" else "?" for each in name)
