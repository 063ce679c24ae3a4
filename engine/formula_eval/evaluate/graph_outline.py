"""Outlines a graph: names, what each node reads and which are inputs, so that who makes a program reads few nodes."""

import marshal
import sys
from abc import abstractmethod
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Self, overload

from formula_eval.core.closure import closure
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Choice, Flag, Record
from formula_eval.evaluate.codegen import AbsentFlags, written_of


class _Rows(Sequence[Sequence[int]]):
    """Rows of numbers, each looked up when it is asked for."""

    @abstractmethod
    def row(self, row: int) -> Sequence[int]:
        """The numbers of a row."""

    @overload
    def __getitem__(self, row: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, row: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        """The numbers of a row, or of several rows."""
        return [self.row(each) for each in range(len(self))[row]] if isinstance(row, slice) else self.row(row)


class PackedRows(_Rows):
    """Rows of numbers in one array, which is read from a file in no time; row `r` ends where `ends[r]` says."""

    def __init__(self, ends: "array[int]", numbers: "array[int]") -> None:
        """The rows of these arrays."""
        self.ends, self.numbers = ends, numbers

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]]) -> Self:
        """Pack these."""
        rows = list(rows)
        return cls(array("I", accumulate(map(len, rows))), array("I", [each for row in rows for each in row]))

    def row(self, row: int) -> Sequence[int]:
        """The numbers of a row."""
        return self.numbers[self.ends[row - 1] if row else 0 : self.ends[row]]

    @classmethod
    def from_parts(cls, parts: tuple[bytes, bytes]) -> Self:
        """The rows that `parts` gave; raises for what is none."""
        ends, numbers = parts
        return cls(_numbers(ends), _numbers(numbers))

    def parts(self) -> tuple[bytes, bytes]:
        """Both arrays as bytes, for a cache."""
        return _bytes(self.ends), _bytes(self.numbers)

    def __len__(self) -> int:
        """How many rows."""
        return len(self.ends)


class _OfGraph(_Rows):
    """The places of what each node of a graph reads."""

    def __init__(self, graph: FormulaGraph, names: Sequence[str]) -> None:
        self._graph, self._names = graph, names

    def row(self, row: int) -> tuple[int, ...]:
        """The places of what a node reads."""
        return tuple(map(self._graph.places.__getitem__, self._graph.parents[self._names[row]]))

    def __len__(self) -> int:
        """How many nodes."""
        return len(self._names)


class _Changed(_Rows):
    """Rows of which some are others than in the sequence beneath, and some stand behind it."""

    def __init__(self, beneath: Sequence[Sequence[int]], rows: Mapping[int, Sequence[int]], length: int) -> None:
        self._beneath, self._rows, self._length = beneath, rows, length

    def row(self, row: int) -> Sequence[int]:
        """The numbers of a row."""
        return self._rows[row] if row in self._rows else self._beneath[row]

    def __len__(self) -> int:
        """How many rows."""
        return self._length


@dataclass(frozen=True)
class GraphOutline:
    """All nodes of a graph by their places in its order.

    `parents` are the places of what each reads, `kinds` says of inputs whether they are a number, a flag, a choice or a
    record; those `without_default` may be absent. Other `records` have no value either.
    """

    names: tuple[str, ...]
    parents: Sequence[Sequence[int]]
    kinds: Mapping[int, str]
    without_default: frozenset[int]
    records: frozenset[int]

    @classmethod
    def of(cls, graph: FormulaGraph, wanted: Collection[str] | None = None) -> Self:
        """That of a graph; if only some are `wanted`, other nodes than they need are not looked at."""
        names = tuple(graph.nodes)
        rows = _OfGraph(graph, names)
        found = cls(names, rows if wanted is not None else tuple(rows), {}, frozenset(), frozenset())
        looked_at = range(len(names)) if wanted is None else found.needed(wanted)
        return found.telling_of({place: graph.nodes[names[place]] for place in looked_at})

    def read_by(self, place: int) -> str:
        """The places and names of what the node at a place reads, in order."""
        return " ".join(f"{each} {self.names[each]}" for each in self.parents[place])

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        """The outline that `payload` gave; raises for what is none."""
        names, parents, kinds, *others = marshal.loads(payload)  # noqa: S302 - a cache entry of the user's own
        without_default, records = map(frozenset[int], others)
        return cls(tuple(names.split("\n")), PackedRows.from_parts(parents), kinds, without_default, records)

    def payload(self) -> bytes:
        """The outline as bytes, for a cache."""
        held = "\n".join(self.names), PackedRows.of(self.parents).parts(), dict(self.kinds)
        return marshal.dumps((*held, sorted(self.without_default), sorted(self.records)))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each node stands."""
        return _places_of(self.names)

    def needed(self, wanted: Collection[str]) -> list[int]:
        """The places of these nodes and of all that they need, in order."""
        return sorted(closure((self.places[name] for name in wanted), self.parents.__getitem__))

    def computed(self, wanted: Collection[str]) -> list[int]:
        """The places of those of them that have a value."""
        return [place for place in self.needed(wanted) if place not in self.records]

    def extended(self, graph: FormulaGraph, changed: Collection[str]) -> Self | None:
        """That of a graph with more nodes behind the same ones, of which some `changed`; None if others have moved."""
        names = tuple(graph.nodes)
        if names[: len(self.names)] != self.names:
            return None
        places = graph.places
        anew = {places[name]: graph.nodes[name] for name in (*changed, *names[len(self.names) :]) if name in places}
        rows = {place: tuple(map(places.__getitem__, graph.parents[node.name])) for place, node in anew.items()}
        parents = _Changed(self.parents, rows, len(names))
        longer = type(self)(names, parents, self.kinds, self.without_default, self.records)
        return longer.telling_of(anew)

    def telling_of(self, nodes: Mapping[int, Node]) -> Self:
        """The same with what is told of these nodes."""
        kinds = {place: kind for place, kind in self.kinds.items() if place not in nodes}
        kinds |= {place: _kind(node) for place, node in nodes.items() if node.kind == "input"}
        absent = {place for place, node in nodes.items() if node.kind == "input" and written_of(node) is None}
        records = {place for place, node in nodes.items() if isinstance(node.type, Record)}
        rest = nodes.keys()
        return type(self)(
            self.names, self.parents, kinds, self.without_default - rest | absent, self.records - rest | records
        )


class Reads(_Rows):
    """What each of some nodes of a graph reads of them, by its turn among them; each looked up when it is asked for."""

    def __init__(self, outline: GraphOutline, names: Sequence[str]) -> None:
        """The nodes of these names."""
        self._parents = outline.parents
        self._places = [outline.places[name] for name in names]
        self._turns = {place: turn for turn, place in enumerate(self._places)}

    def row(self, row: int) -> tuple[int, ...]:
        """The turns of what a node reads."""
        turns = self._turns
        return tuple(turns[each] for each in self._parents[self._places[row]] if each in turns)

    def __len__(self) -> int:
        """How many nodes."""
        return len(self._places)


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


def _bytes(numbers: "array[int]") -> bytes:
    """The numbers in the byte order of most machines."""
    held = numbers[:]
    if sys.byteorder == "big":
        held.byteswap()
    return held.tobytes()


def _numbers(held: bytes) -> "array[int]":
    """The numbers that `_bytes` gave."""
    found = array("I", held)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _kind(node: Node) -> str:
    match node.type:
        case Flag():
            return "flag"
        case Choice():
            return "choice"
        case Record():
            return "record"
    return "number"
