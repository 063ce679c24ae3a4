"""Analyses directed graphs of names: cycles, reachability, layers, and which arrows others imply."""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

Arrow = tuple[str, str]
Following = Mapping[str, Mapping[str, None]]


def following_of(names: Iterable[str], arrows: Iterable[Arrow]) -> dict[str, dict[str, None]]:
    """What directly follows each name, in the order of the arrows; names that only arrows know come last."""
    following: dict[str, dict[str, None]] = {name: {} for name in names}
    for before, after in arrows:
        following.setdefault(before, {})[after] = None
        following.setdefault(after, {})
    return following


def circle_in(following: Following) -> Sequence[str]:
    """The names of a cycle, of which the first comes last again; empty if there is none."""
    try:
        TopologicalSorter(following).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return ()


def layers_of(following: Following) -> list[list[str]]:
    """The names in layers by the longest path to them, each layer in their order. There may be no cycle."""
    depth = dict.fromkeys(following, 0)
    for name in _first_to_last(following):
        for after in following[name]:
            depth[after] = max(depth[after], depth[name] + 1)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name, number in depth.items():
        layers[number].append(name)
    return layers


def without_implied(following: Following) -> list[Arrow]:
    """The arrows in alphabetical order, without those that a longer path implies. There may be no cycle."""
    reached: dict[str, set[str]] = {}
    arrows = []
    for name in reversed(_first_to_last(following)):
        farther = set[str]().union(*(reached[after] for after in following[name]))
        arrows += [(name, after) for after in following[name] if after not in farther]
        reached[name] = farther.union(following[name])
    return sorted(arrows)


def _first_to_last(following: Following) -> list[str]:
    return [*TopologicalSorter(following).static_order()][::-1]
