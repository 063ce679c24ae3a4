"""Generates the Python of a program for one configuration: a module, and its statements in pieces of a few hundred.

A piece is compiled by itself, so that after an edit only those are compiled anew that hold a formula which changed.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
from formula_eval.printing.python import PRELUDE, StatementPrinter

PIECE = 400  # statements
HEAD = 2  # lines of a piece before its statements
_MODULE = """
PIECES = []


def scalar(given):
    values = []
    for piece in PIECES:
        piece(given, values)
    return tuple(values)
"""
_FOOT = "PIECES.append(piece)\n"


def program_texts(graph: FormulaGraph, wanted: Sequence[str]) -> list[str]:
    """The module for one configuration (`scalar`, the names, what each node reads, inputs), then each of its pieces."""
    needed, nodes, locals_ = needed_nodes(graph, wanted)
    module = (
        '"""Generated from the formulas; one statement for each of them, in order."""\n',
        PRELUDE,
        *_table("WANTED", [repr(name) for name in wanted if name in locals_], "()"),
        "NAMES = " + repr("\n".join(locals_)),  # one text each, which Python compiles in no time
        "READS = " + repr(json.dumps(list(_parents(graph, nodes)))),
        *_table("ABSENT", [f"{node.name!r}" for node in nodes if _is_without_default(node)], "()"),
        *_table("INPUTS", [f"{node.name!r}: {_kind(node)!r}" for node in needed if node.kind == "input"], "{}"),
        _MODULE,
    )
    statements = _statements(nodes, locals_.__getitem__, deciding_flags(nodes, locals_))
    return ["\n".join(module), *_pieces(graph, list(locals_), list(statements))]


def patched_texts(
    texts: Sequence[str], names: Sequence[str], before: FormulaGraph, graph: FormulaGraph, changed: Mapping[str, Node]
) -> list[str] | None:
    """The texts of a program of these names, given those of the graph before some nodes changed; None if no help.

    They are no help where a node reads others than before, or is read in another way.
    """
    places = {name: place for place, name in enumerate(names)}
    now, old = AbsentFlags(graph), AbsentFlags(before)
    for name, node in changed.items():
        if name in before.nodes and not _is_read_as_before(node, before.nodes[name]):
            return None
        if name in places and (before.parents[name] != graph.parents[name] or (name in now) != (name in old)):
            return None
    nodes = [node for name, node in changed.items() if name in places]

    def local(name: str) -> str:
        return local_name(places[name])

    pieces = [each.split("\n") for each in texts[1:]]
    for node, statement in zip(nodes, _statements(nodes, local, deciding(now, local, "== True")), strict=True):
        piece, line = divmod(places[node.name], PIECE)
        pieces[piece][HEAD + line] = statement
    return [texts[0], *map("\n".join, pieces)]


def _is_read_as_before(node: Node, old: Node) -> bool:
    """Whether what stands of a node outside its statement is the same."""
    same = isinstance(node.type, Record) == isinstance(old.type, Record)
    as_input = node.kind, _kind(node), _is_without_default(node)
    return same and (node.kind != "input" or as_input == (old.kind, _kind(old), _is_without_default(old)))


def _pieces(graph: FormulaGraph, names: Sequence[str], statements: Sequence[str]) -> Iterator[str]:
    places = {name: place for place, name in enumerate(names)}
    for start in range(0, len(names), PIECE):
        own = range(start, min(start + PIECE, len(names)))
        read = {places[each] for place in own for each in graph.parents[names[place]] if each in places}
        loads = "; ".join(f"{local_name(each)} = values[{each}]" for each in sorted(read) if each < start)
        values = "".join(f"{local_name(each)}, " for each in own)
        lines = ("def piece(given, values):", f"    {loads or 'pass'}", *statements[start : start + PIECE])
        yield "\n".join((*lines, f"    values += ({values})", _FOOT))


def _statements(nodes: Iterable[Node], local: Callable[[str], str], flags: Callable[[str], str]) -> Iterator[str]:
    printer = StatementPrinter(local, flags)
    for node in nodes:
        text = printer.text(guarded(node))
        if node.kind == "input":
            text = f"given[{node.name!r}] if {node.name!r} in given else {text}"
        yield f"    {local(node.name)} = {text}"


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
