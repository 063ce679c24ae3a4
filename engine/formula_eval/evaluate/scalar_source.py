"""Generates the Python of a program for one configuration: a module, and its statements in pieces of a few hundred.

A piece holds the statements of a stretch of the graph, so that programs share most of theirs: each text is compiled but
once, and after an edit only what holds a formula that changed.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.evaluate.codegen import AbsentFlags, deciding, guarded, local_name
from formula_eval.evaluate.graph_outline import GraphOutline
from formula_eval.evaluate.node_texts import NodeTexts
from formula_eval.printing.printer import Names
from formula_eval.printing.python import PRELUDE, StatementPrinter

_STRETCH = 200  # nodes of a graph whose statements stand in one piece, and
_FEW = 400  # so few statements of a program, wherever their nodes are
_LONG = 400  # what a node reads that has a piece of its own, as a sum over the hours of a year
HEAD = 2  # lines of a piece before its statements
_MODULE = """
PIECES = []


def scalar(given):
    values = {}
    for piece in PIECES:
        piece(given, values)
    return tuple(values.values())
"""
_FOOT = "PIECES.append(piece)\n"


class ProgramSource(NamedTuple):
    """The texts of a program, its module first, and the outline of its graph as far as the program needs it."""

    texts: Sequence[str]
    outline: GraphOutline


def program_source(graph: FormulaGraph, wanted: Sequence[str]) -> ProgramSource:
    """The program for one configuration."""
    outline = GraphOutline.of(graph, wanted)
    pieces = PieceTexts(graph, outline)
    needed = outline.needed(wanted)
    texts = (pieces.text(piece) for piece in pieces_of(outline, outline.computed(needed)))
    return ProgramSource([module_text(outline, wanted, needed), *texts], outline)


def module_text(outline: GraphOutline, wanted: Sequence[str], needed: Sequence[int]) -> str:
    """The module of these nodes without its pieces: `scalar`, the names, the inputs of all that they need."""
    own = outline.computed(needed)
    names = [outline.names[place] for place in own]
    known = set(names)
    starts = [0, *accumulate(map(len, pieces_of(outline, own)))][:-1]
    absent = [repr(outline.names[place]) for place in own if place in outline.without_default]
    inputs = [f"{outline.names[place]!r}: {outline.kinds[place]!r}" for place in needed if place in outline.kinds]
    module = (
        '"""Generated from the formulas; one statement for each of them, in order."""\n',
        PRELUDE,
        *_table("WANTED", [repr(name) for name in wanted if name in known], "()"),
        "NAMES = " + repr("\n".join(names)),  # one text, which Python compiles in no time
        *_table("ABSENT", absent, "()"),
        *_table("INPUTS", inputs, "{}"),
        f"STARTS = {starts}",
        _MODULE,
    )
    return "\n".join(module)


def pieces_of(outline: GraphOutline, places: Sequence[int]) -> list[Sequence[int]]:
    """The places of a program's nodes, cut where its pieces begin."""
    if not places:
        return []
    long = [len(outline.parents[place]) > _LONG for place in places]
    stretches = [place // _STRETCH if len(places) > _FEW else 0 for place in places]
    cuts = zip(pairwise(stretches), pairwise(long), strict=True)
    starts = (turn for turn, ((one, next_), around) in enumerate(cuts, 1) if one != next_ or any(around))
    return [places[start:end] for start, end in pairwise([0, *starts, len(places)])]


class PieceTexts:
    """Prints the pieces of the programs of a graph: what a piece says depends on its own nodes alone."""

    def __init__(self, graph: FormulaGraph, outline: GraphOutline) -> None:
        """Print nodes of this graph, of which this is the outline."""
        self._graph, self._outline = graph, outline
        self._flags = deciding(AbsentFlags(graph), self._local)

    def _local(self, name: str) -> str:
        return local_name(self._outline.places[name])

    def text(self, own: Sequence[int], known: Mapping[int, str] = MappingProxyType({})) -> str:
        """The piece of the nodes at these places, of which the statements of some are `known`."""
        outline = self._outline
        read = {number for place in own for number in outline.parents[place] if number < own[0]} - outline.records
        loads = "; ".join(f"{local_name(number)} = values[{number}]" for number in sorted(read))
        values = ", ".join(f"{place}: {local_name(place)}" for place in own)
        nodes = (self._graph.nodes[outline.names[place]] for place in own if place not in known)
        made = _statements(self._graph, nodes, self._local, self._flags)
        statements = [known[place] if place in known else next(made) for place in own]
        lines = ("def piece(given, values):", f"    {loads or 'pass'}", *statements)
        return "\n".join((*lines, f"    values.update({{{values}}})", _FOOT))


def statements_of(text: str, own: Sequence[int], but: Collection[int]) -> dict[int, str]:
    """The statements of a piece by the places of its nodes, without those at some of these places."""
    lines = text.splitlines()[HEAD:]
    return {place: line for place, line in zip(own, lines, strict=False) if place not in but}


def _statements(graph: FormulaGraph, nodes: Iterable[Node], local: Names, flags: Names) -> Iterator[str]:
    texts = NodeTexts(graph, "statement", StatementPrinter, local, flags)
    for node in nodes:
        text = texts.text(node, guarded(node))
        if node.kind == "input":
            text = f"given[{node.name!r}] if {node.name!r} in given else {text}"
        yield f"    {local(node.name)} = {text}"


def values_seen(variables: Mapping[str, Any]) -> dict[int, float]:
    """The values that a piece read or computed until it stopped, by their places in the program; from its variables."""
    earlier: Mapping[int, float] = variables["values"]
    numbers = {int(name[1:]): value for name, value in variables.items() if re.fullmatch(r"n\d+", name)}
    order = [*earlier, *(number for number in numbers if number not in earlier)]
    return {place: numbers[number] for place, number in enumerate(order) if number in numbers}


def _table(name: str, rows: Iterable[str], brackets: str) -> list[str]:
    return [f"{name} = {brackets[0]}", *(f"    {row}," for row in rows), brackets[1], ""]
