"""Outlines a graph: names, what each node reads and which are inputs, so that who makes a program reads few nodes."""

import marshal
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import compress, count
from typing import Self

from formula_eval.core.closure import closure
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Choice, Flag, Record
from formula_eval.evaluate.codegen import AbsentFlags, written_of


@dataclass(frozen=True)
class GraphOutline:
    """All nodes of a graph by their places in its order.

    `parents` are the places of what each reads, of nodes that were looked at; `kinds` says of inputs whether they are a
    number, a flag, a choice or a record; those `without_default` may be absent. Other `records` have no value either.
    """

    names: tuple[str, ...]
    parents: Mapping[int, Sequence[int]]
    kinds: Mapping[int, str]
    without_default: frozenset[int]
    records: frozenset[int]

    @classmethod
    def of(cls, graph: FormulaGraph, wanted: Collection[str] | None = None) -> Self:
        """That of a graph; if only some are `wanted`, other nodes than they need are not looked at."""
        names, places = tuple(graph.nodes), graph.places
        looked_at = names if wanted is None else closure(wanted, graph.parents.__getitem__)
        parents = {places[name]: tuple(map(places.__getitem__, graph.parents[name])) for name in looked_at}
        found = cls(names, parents, {}, frozenset(), frozenset())
        return found.telling_of({place: graph.nodes[names[place]] for place in parents})

    def read_by(self, place: int) -> str:
        """The places and names of what the node at a place reads, in order."""
        return " ".join(f"{number} {self.names[number]}" for number in self.parents[place])

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        """The outline that `payload` gave; raises for what is none."""
        names, parents, kinds, *others = marshal.loads(payload)  # noqa: S302 - a cache entry of the user's own
        without_default, records = map(frozenset[int], others)
        return cls(tuple(names.split("\n")), dict(enumerate(parents)), kinds, without_default, records)

    def payload(self) -> bytes:
        """The outline as bytes, for a cache."""
        parents = [tuple(self.parents[place]) for place in range(len(self.names))]
        held = "\n".join(self.names), parents, dict(self.kinds)
        return marshal.dumps((*held, sorted(self.without_default), sorted(self.records)))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each node stands."""
        return _places_of(self.names)

    def needed(self, wanted: Collection[str]) -> list[int]:
        """The places of these nodes and of all that they need, which stands before them, in order."""
        places = [self.places[name] for name in wanted]
        marks = bytearray(max(places, default=-1) + 1)
        for place in places:
            marks[place] = True
        for place in reversed(range(len(marks))):
            if marks[place]:
                for read in self.parents[place]:
                    marks[read] = True
        return list(compress(count(), marks))

    def computed(self, needed: Sequence[int]) -> list[int]:
        """Those of the places at which a node has a value."""
        return [place for place in needed if place not in self.records]

    def extended(self, graph: FormulaGraph, changed: Collection[str]) -> Self | None:
        """That of a graph with more nodes behind the same ones, of which some `changed`; None if others have moved."""
        names = tuple(graph.nodes)
        if names[: len(self.names)] != self.names:
            return None
        places = graph.places
        anew = {places[name]: graph.nodes[name] for name in (*changed, *names[len(self.names) :]) if name in places}
        rows = {place: tuple(map(places.__getitem__, graph.parents[node.name])) for place, node in anew.items()}
        return replace(self, names=names, parents={**self.parents, **rows}).telling_of(anew)

    def telling_of(self, nodes: Mapping[int, Node]) -> Self:
        """The same with what is told of these nodes."""
        kinds = {place: kind for place, kind in self.kinds.items() if place not in nodes}
        kinds |= {place: _kind(node) for place, node in nodes.items() if node.kind == "input"}
        absent = {place for place, node in nodes.items() if node.kind == "input" and written_of(node) is None}
        records = {place for place, node in nodes.items() if isinstance(node.type, Record)}
        rest = nodes.keys()
        return replace(
            self,
            kinds=kinds,
            without_default=self.without_default - rest | absent,
            records=self.records - rest | records,
        )


class Reads:
    """What each of some nodes of a graph reads of them, by its turn among them; each looked up when it is asked for."""

    def __init__(self, outline: GraphOutline, names: Sequence[str]) -> None:
        """The nodes of these names."""
        self._parents = outline.parents
        self._places = [outline.places[name] for name in names]
        self._turns = {place: turn for turn, place in enumerate(self._places)}

    def __getitem__(self, row: int) -> tuple[int, ...]:
        """The turns of what a node reads."""
        turns = self._turns
        return tuple(turns[number] for number in self._parents[self._places[row]] if number in turns)


@lru_cache(maxsize=4)
def _places_of(names: tuple[str, ...]) -> Mapping[str, int]:
    return {name: place for place, name in enumerate(names)}


def read_as_before(graph: FormulaGraph, before: FormulaGraph, changed: Mapping[str, Node]) -> bool:
    """Whether others read the nodes that changed as they did: as values or as records, and flags as surely there."""
    now, old = AbsentFlags(graph), AbsentFlags(before)
    both = ((node, before.nodes[name]) for name, node in changed.items() if name in before.nodes)
    return all(
        isinstance(node.type, Record) == isinstance(was.type, Record) and (node.name in now) == (node.name in old)
        for node, was in both
    )


def _kind(node: Node) -> str:
    match node.type:
        case Flag():
            return "flag"
        case Choice():
            return "choice"
        case Record():
            return "record"
    return "number"
