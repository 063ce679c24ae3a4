"""Keeps the nodes of a graph in parts, each read from its pickle when somebody asks for one of its nodes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pickle import PickleBuffer
from typing import Any, SupportsIndex

from formula_eval.core.graph import Node
from formula_eval.core.named_mapping import NamedMapping
from formula_eval.frozen_pickle import pickled, unpickled

_WITH_BUFFERS = 5  # the first protocol of pickle that has them


class KeptPart:
    """An object that is kept in a pickle of its own, and made when it is first read."""

    __slots__ = ("_held", "_made")

    def __init__(self, held: bytes | memoryview | None, made: object = None) -> None:
        """Hold the pickle, or the object itself."""
        self._held, self._made = held, made

    def read(self) -> Any:  # noqa: ANN401 - whatever was put there
        """The object, the same one each time."""
        if self._made is None and self._held is not None:
            self._made = unpickled(self._held)
        return self._made

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type["KeptPart"], tuple[bytes | PickleBuffer]]:
        """Keep the pickle alone; where that can be said, as a buffer, which is not copied when it is read back."""
        held = pickled(self._made) if self._held is None else self._held
        return KeptPart, (PickleBuffer(held) if protocol.__index__() >= _WITH_BUFFERS else bytes(held),)


class KeptNodes(NamedMapping[Node]):
    """Nodes by name; `places` says in which part each is, `which` under which key there."""

    __slots__ = ("_parts", "_places", "_seen", "_which")

    def __init__(self, places: Mapping[str, int], parts: Sequence[KeptPart], which: str) -> None:
        """Read these parts."""
        super().__init__(places)
        self._places, self._parts, self._which = places, parts, which
        self._seen: dict[str, Node] = {}

    def __getitem__(self, name: str) -> Node:
        """The node of this name; raises KeyError."""
        found = self._seen.get(name)
        if found is None:
            found = self._seen[name] = self._parts[self._places[name]].read()[self._which][name]
        return found

    def __reduce__(self) -> tuple[type["KeptNodes"], tuple[Mapping[str, int], Sequence[KeptPart], str]]:
        """Keep the parts as they are."""
        return KeptNodes, (self._places, self._parts, self._which)


class LayeredNodes(NamedMapping[Node]):
    """Nodes of which some stand in place of others, or beside them; `names` are all there are, in order."""

    __slots__ = ("over", "under")

    def __init__(self, over: Mapping[str, Node], under: Mapping[str, Node], names: Iterable[str]) -> None:
        """The nodes of `over`, and those of `under` that it does not hold."""
        super().__init__(dict.fromkeys(names))
        self.over, self.under = over, under

    def __getitem__(self, name: str) -> Node:
        """The node of this name; raises KeyError."""
        if name not in self._names:
            raise KeyError(name)
        return self.over[name] if name in self.over else self.under[name]


def in_parts(
    graph: Mapping[str, Node], written: Mapping[str, Node], group_of: Callable[[Node], str]
) -> tuple[KeptNodes, KeptNodes]:
    """The nodes of a graph, and those that they were made of, kept in a part for each group."""
    groups: dict[str, int] = {}
    parts: list[dict[str, dict[str, Node]]] = []
    places: dict[str, dict[str, int]] = {"graph": {}, "written": {}}
    for which, nodes in (("graph", graph), ("written", written)):
        for name, node in nodes.items():
            number = groups.setdefault(group_of(node), len(groups))
            if number == len(parts):
                parts.append({"graph": {}, "written": {}})
            parts[number][which][name] = node
            places[which][name] = number
    kept = [KeptPart(None, part) for part in parts]
    return KeptNodes(places["graph"], kept, "graph"), KeptNodes(places["written"], kept, "written")
