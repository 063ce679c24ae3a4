"""Generates the Python of a program for one configuration: a module, and its statements in pieces of a few hundred.

A piece holds the statements of a stretch of the graph, so that programs share most of theirs: each text is compiled but
once, and after an edit only what holds a formula that changed.
"""

import json
import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Choice, Flag, Record
from formula_eval.evaluate.codegen import (
    AbsentFlags,
    deciding,
    deciding_flags,
    guarded,
    local_name,
    needed_nodes,
    written_of,
)
from formula_eval.evaluate.node_texts import NodeTexts
from formula_eval.printing.printer import Names
from formula_eval.printing.python import PRELUDE, StatementPrinter

_STRETCH = 200  # nodes of a graph whose statements stand in one piece, and
_FEW = 400  # so few statements of a program, wherever their nodes are
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


def program_texts(graph: FormulaGraph, wanted: Sequence[str]) -> list[str]:
    """The module for one configuration (`scalar`, the names, what each node reads, inputs), then each of its pieces."""
    needed, nodes, locals_ = needed_nodes(graph, wanted)
    starts = _starts([graph.places[name] for name in locals_])
    module = (
        '"""Generated from the formulas; one statement for each of them, in order."""\n',
        PRELUDE,
        *_table("WANTED", [repr(name) for name in wanted if name in locals_], "()"),
        "NAMES = " + repr("\n".join(locals_)),  # one text each, which Python compiles in no time
        "READS = " + repr(json.dumps(list(_parents(graph, nodes)))),
        *_table("ABSENT", [f"{node.name!r}" for node in nodes if _is_without_default(node)], "()"),
        *_table("INPUTS", [f"{node.name!r}: {_kind(node)!r}" for node in needed if node.kind == "input"], "{}"),
        f"STARTS = {starts}",
        _MODULE,
    )
    statements = _statements(graph, nodes, locals_.__getitem__, deciding_flags(nodes, locals_))
    return ["\n".join(module), *_pieces(graph, list(locals_), list(statements), starts)]


def patched_texts(
    texts: Sequence[str], names: Sequence[str], before: FormulaGraph, graph: FormulaGraph, changed: Mapping[str, Node]
) -> list[str] | None:
    """The texts of a program of these names, given those of the graph before some nodes changed; None if no help.

    They are no help where a node reads others than before, or is read in another way.
    """
    places = {name: place for place, name in enumerate(names)}
    starts = _starts([before.places[name] for name in names])
    now, old = AbsentFlags(graph), AbsentFlags(before)
    for name, node in changed.items():
        if name in before.nodes and not _is_read_as_before(node, before.nodes[name]):
            return None
        if name in places and (before.parents[name] != graph.parents[name] or (name in now) != (name in old)):
            return None
    nodes = [node for name, node in changed.items() if name in places]

    def local(name: str) -> str:
        return local_name(before.places[name])

    pieces = [each.split("\n") for each in texts[1:]]
    for node, statement in zip(nodes, _statements(graph, nodes, local, deciding(now, local, "== True")), strict=True):
        piece = bisect(starts, places[node.name]) - 1
        pieces[piece][HEAD + places[node.name] - starts[piece]] = statement
    return [texts[0], *map("\n".join, pieces)]


def _is_read_as_before(node: Node, old: Node) -> bool:
    """Whether what stands of a node outside its statement is the same."""
    same = isinstance(node.type, Record) == isinstance(old.type, Record)
    as_input = node.kind, _kind(node), _is_without_default(node)
    return same and (node.kind != "input" or as_input == (old.kind, _kind(old), _is_without_default(old)))


def _starts(numbers: Sequence[int]) -> list[int]:
    """Where each piece of a program begins, given where its nodes stand in the graph."""
    if len(numbers) <= _FEW:
        return [0] if numbers else []
    stretches = [number // _STRETCH for number in numbers]
    return [0, *(place for place, (one, next_) in enumerate(pairwise(stretches), 1) if one != next_)]


def _pieces(
    graph: FormulaGraph, names: Sequence[str], statements: Sequence[str], starts: Sequence[int]
) -> Iterator[str]:
    places = {name: graph.places[name] for name in names}
    for start, end in pairwise([*starts, len(names)]):
        own = names[start:end]
        read = {places[each] for name in own for each in graph.parents[name] if each in places}
        first = places[own[0]]
        loads = "; ".join(f"{local_name(each)} = values[{each}]" for each in sorted(read) if each < first)
        values = ", ".join(f"{places[name]}: {local_name(places[name])}" for name in own)
        lines = ("def piece(given, values):", f"    {loads or 'pass'}", *statements[start:end])
        yield "\n".join((*lines, f"    values.update({{{values}}})", _FOOT))


def _statements(graph: FormulaGraph, nodes: Iterable[Node], local: Names, flags: Names) -> Iterator[str]:
    texts = NodeTexts(graph, "statement", _printed, local, flags)
    for node in nodes:
        text = texts.text(node, guarded(node))
        if node.kind == "input":
            text = f"given[{node.name!r}] if {node.name!r} in given else {text}"
        yield f"    {local(node.name)} = {text}"


def _printed(x: e.Expression, local: Names, flags: Names) -> str:
    return StatementPrinter(local, flags).text(x)


def values_seen(variables: Mapping[str, Any]) -> dict[int, float]:
    """The values that a piece read or computed until it stopped, by their places in the program; from its variables."""
    earlier: Mapping[int, float] = variables["values"]
    numbers = {int(name[1:]): value for name, value in variables.items() if re.fullmatch(r"n\d+", name)}
    order = [*earlier, *(number for number in numbers if number not in earlier)]
    return {place: numbers[number] for place, number in enumerate(order) if number in numbers}


def _kind(node: Node) -> str:
    match node.type:
        case Flag():
            return "flag"
        case Choice():
            return "choice"
        case Record():
            return "record"
    return "number"


def _table(name: str, rows: Iterable[str], brackets: str) -> list[str]:
    return [f"{name} = {brackets[0]}", *(f"    {row}," for row in rows), brackets[1], ""]


def _parents(graph: FormulaGraph, nodes: Sequence[Node]) -> Iterator[tuple[int, ...]]:
    number = {node.name: index for index, node in enumerate(nodes)}
    for node in nodes:
        yield tuple(number[parent] for parent in graph.parents[node.name] if parent in number)


def _is_without_default(node: Node) -> bool:
    return node.kind == "input" and written_of(node) is None
