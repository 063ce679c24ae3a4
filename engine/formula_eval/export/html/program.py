"""Prints the needed part of a graph as JavaScript: one function for each shape of a formula, shared by its copies."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Record
from formula_eval.evaluate.codegen import absent_flags, guarded
from formula_eval.export.document import Document
from formula_eval.printing.javascript import PRELUDE, JavaScriptPrinter


class PageProgram(NamedTuple):
    """The script that defines `FUNCTIONS` and `NoNumber`, and for each node in order the place of its function.

    A function takes all values, the places of what its node reads, in the order of `reads_of`, and what is given. It
    throws NoNumber where the engine refuses to compute.
    """

    script: str
    functions: tuple[int, ...]


def computed_nodes(document: Document) -> list[Node]:
    """The nodes that have a number, in the order of evaluation: their places are those of the page's values."""
    return [node for node in document.nodes if not isinstance(node.type, Record)]


def reads_of(document: Document) -> Callable[[Node], list[str]]:
    """What each node reads of the nodes that have a number, always in the same order."""
    computed = {node.name for node in computed_nodes(document)}
    return lambda node: [name for name in document.graph.parents[node.name] if name in computed]


def javascript_program(document: Document) -> PageProgram:
    """The functions of all nodes."""
    nodes, reads = computed_nodes(document), reads_of(document)
    absent = absent_flags(nodes)
    held: dict[str, int] = {}
    places = [held.setdefault(_function(node, reads(node), absent), len(held)) for node in nodes]
    lines = "".join(f"{text},\n" for text in held)
    script = f"{PRELUDE}\nreturn {{ NoNumber, FUNCTIONS: [\n{lines}] }};\n"
    return PageProgram(f"const {{ NoNumber, FUNCTIONS }} = (() => {{\n{script}}})();\n", tuple(places))


def refusing_places(document: Document) -> list[int]:
    """The places of what the checks need that may refuse, since they say more than a formula that fails."""
    refusing = [check for check in document.checks if check.level == "refuse"]
    read = [part.node for check in refusing for part in check.message if isinstance(part, e.Reference)]
    needed = set(document.graph.ancestors([*(check.node for check in refusing), *read]))
    return [place for place, node in enumerate(computed_nodes(document)) if node.name in needed]


def _function(node: Node, reads: list[str], absent: set[str]) -> str:
    """A function of the values `v`, the places `r` of what the node reads, and what is given."""
    spelled: Mapping[str, str] = {name: f"v[r[{place}]]" for place, name in enumerate(reads)}

    def condition(flag: str) -> str:
        return f"({spelled[flag]} === true)" if flag in absent else spelled[flag]

    return f"(v, r, given) => {JavaScriptPrinter(spelled.__getitem__, condition).text(guarded(node))}"
