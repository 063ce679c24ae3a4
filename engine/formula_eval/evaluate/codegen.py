"""Generates the source of a Python module from a graph: one statement per formula, scalar and vectorised."""

import json
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.quantity import Quantified
from formula_eval.core.span import NOWHERE
from formula_eval.core.type import Choice, Flag, Record, Type
from formula_eval.evaluate.node_texts import NodeTexts
from formula_eval.printing.numpy import OPERATIONS, NumpyPrinter
from formula_eval.printing.text import expression_text

_NOTHING = e.Number("0")
_GIVEN = ("supplied", "supplied_flag")


def vector_source(graph: FormulaGraph, wanted: Sequence[str]) -> str:
    """The function `vector` for many configurations of the same module; longer than all the rest, and seldom wanted."""
    return _vector(graph, _valued(graph, wanted))


def rows_text(graph: FormulaGraph, wanted: Sequence[str]) -> str:
    """Describes each value of the same module, by its name, as JSON: its place, the author's text and what it is."""
    nodes = _valued(graph, wanted)
    quantities = {quantity: number for number, quantity in enumerate(dict.fromkeys(node.quantity for node in nodes))}
    return json.dumps([list(quantities), dict(_rows(nodes, quantities))], ensure_ascii=False)


def _valued(graph: FormulaGraph, wanted: Sequence[str]) -> list[Node]:
    """All nodes that these need and that have a value, each behind those that it reads."""
    needed = (graph.nodes[name] for name in graph.ancestors(list(wanted)))
    return [node for node in needed if not isinstance(node.type, Record)]


def local_name(number: int) -> str:
    """The local name of a value in every program of its graph, so that they share what they have in common.

    Kept short: thousands of longer names would dominate the time to load a program.
    """
    return f"n{number}"


def _rows(nodes: list[Node], quantities: Mapping[Quantified, int]) -> Iterator[tuple[str, tuple[object, ...]]]:
    for node in nodes:
        written = written_of(node)
        span = written.span if written is not None and written.span != NOWHERE else node.declaration.span
        text = expression_text(written) if written is not None else ""
        place = (span.file, span.line, span.column, span.end_line, span.end_column)
        yield node.name, (place, text, quantities[node.quantity])


def written_of(node: Node) -> e.Expression | None:
    """What its author wrote for a node, if anything; else what it computes."""
    return node.author or node.expression


def _vector(graph: FormulaGraph, nodes: list[Node]) -> str:
    places = _places(node.name for node in nodes)
    conditions = deciding_flags(nodes, places)
    statements = []
    texts = NodeTexts(graph, "lanes", NumpyPrinter, places.__getitem__, conditions)
    for node in nodes:
        text = texts.text(node, guarded(node))
        if node.guard is not None and node.is_part_of_another:  # nobody reads it where the guard does not hold
            text = f"within{text.removeprefix('where')}"
        if node.kind == "input":
            text = f"supplied{'_flag' if isinstance(node.type, Flag) else ''}({node.name!r}, lambda: {text})"
        statements.append((node.name, text, graph.parents[node.name]))
    return _lane_function(statements, places)


def lane_source(formulas: Mapping[str, e.Expression], read: Sequence[str], absent: Collection[str]) -> str:
    """The function `vector` of formulas that are a graph by themselves, each behind those that it reads.

    It reads these givens, which no lane lacks; `absent` are the flags that may be nan.
    """
    places = _places((*read, *formulas))
    printer = NumpyPrinter(places.__getitem__, deciding(absent, places.__getitem__))
    statements: list[tuple[str, str, Sequence[str]]] = [(name, f"lanes.given[{name!r}]", ()) for name in read]
    for name, x in formulas.items():
        statements.append((name, printer.text(x), e.references(x)))
    return _lane_function(statements, places)


def _places(names: Iterable[str]) -> dict[str, str]:
    """Maps names to the list elements that hold their values in a lane function.

    Thousands of local names that lambdas read take Python a time to compile that grows with their square.
    """
    return {name: f"v[{number}]" for number, name in enumerate(names)}


def _lane_function(statements: Sequence[tuple[str, str, Sequence[str]]], places: Mapping[str, str]) -> str:
    """Builds `vector`, and frees each array after its last use so that blocks stay within the processor's cache."""
    last = {each: name for name, _, read in statements for each in (*read, name)}
    body = [f"    v = [None] * {len(places)}"]
    for name, text, read in statements:
        done = [places[each] for each in dict.fromkeys((*read, name)) if each in places and last[each] == name]
        freed = f"; {' = '.join(done)} = None" if done else ""
        body.append(f"    kept[{name!r}] = {places[name]} = {text}{freed}")
    whole = "\n".join(body)
    operations = (name for name in (*OPERATIONS, *_GIVEN, "within") if f"{name}(" in whole)
    return "\n".join(("def vector(lanes, kept):", *(f"    {name} = lanes.{name}" for name in operations), whole, ""))


def tested_inputs(nodes: Iterable[Node]) -> frozenset[str]:
    """The inputs for which the formulas of some nodes test whether they are given."""
    parts = (x for node in nodes for x in (node.expression, node.guard) if x is not None)
    return frozenset(node.node for x in parts for node in e.walk(x) if isinstance(node, e.Given))


def guarded(node: Node) -> e.Expression:
    """The expression that a node computes: its neutral value where its guard fails, nan where it has no default."""
    if node.expression is None:
        return e.Match(_NOTHING, ())
    if node.guard is None:
        return node.expression
    return e.Conditional(node.expression, node.guard, _nothing(node.type))


def _nothing(of: Type) -> e.Expression:
    """The neutral value of a node whose guard does not hold: 0, false, or the first word."""
    match of:
        case Flag():
            return e.FlagValue(value=False)
        case Choice(values=(first, *_)):
            return e.ChoiceValue(first, 0)
    return _NOTHING


def deciding_flags(nodes: list[Node], locals_: Mapping[str, str]) -> Callable[[str], str]:
    """How to print a flag used as a condition: one that may be absent counts as false where it is."""
    return deciding(absent_flags(nodes), locals_.__getitem__)


def deciding(absent: Container[str], local: Callable[[str], str]) -> Callable[[str], str]:
    """The same, given the flags that may be absent."""
    return lambda name: f"({local(name)} == True)" if name in absent else local(name)


class AbsentFlags(Container[str]):
    """The flags of a graph that may be nan, each looked at when it is asked about."""

    def __init__(self, graph: FormulaGraph) -> None:
        """Look at this graph."""
        self._graph = graph
        self._known: dict[object, bool] = {}

    def __contains__(self, name: object) -> bool:
        """Whether a node is a flag that may be nan."""
        if name not in self._known:
            node = self._graph.nodes.get(str(name))
            if node is None or not isinstance(node.type, Flag):
                self._known[name] = False
            else:
                self._known[name] = node.expression is None or _may_be_absent(node.expression, self)
        return self._known[name]


def absent_flags(nodes: Iterable[Node]) -> set[str]:
    """The flags that may be nan."""
    return absent_among((node.name, node.expression) for node in nodes if isinstance(node.type, Flag))


def absent_among(flags: Iterable[tuple[str, e.Expression | None]]) -> set[str]:
    """Of flags with their expressions, each after those that it reads, the names that may be nan."""
    absent: set[str] = set()
    for name, x in flags:
        if x is None or _may_be_absent(x, absent):
            absent.add(name)
    return absent


def _may_be_absent(flag: e.Expression, absent: Container[str]) -> bool:
    match flag:
        case e.Reference(node):
            return node in absent
        case e.Match():
            return True
        case e.Conditional(then, _, otherwise):
            return _may_be_absent(then, absent) or _may_be_absent(otherwise, absent)
    return False
