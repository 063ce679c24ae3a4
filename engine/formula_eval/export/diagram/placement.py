"""Places the nodes and arrows of a graph on a grid of lanes and layers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from formula_eval.core.arithmetic import added
from formula_eval.export.diagram.arrows import Arrow, following_of, layers_of

GridPoint = tuple[float, int]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where names stand, as lane and layer, and the points that each arrow goes through; lanes begin at 0."""

    nodes: Mapping[str, GridPoint]
    arrows: tuple[tuple[GridPoint, ...], ...]
    lanes: float
    layers: int


def placed(names: Sequence[str], arrows: Sequence[Arrow]) -> Placement:
    """The places of names: layers by what they depend on, lanes near what goes before. There may be no cycle.

    An arrow over several layers takes a lane in each of them, so that it crosses no node.
    """
    layers = layers_of(following_of(names, arrows))
    before, paths = _with_bends(arrows, layers)
    lanes = _lanes(before, layers)
    left, right = min(lanes.values(), default=0.0), max(lanes.values(), default=0.0)
    place = {name: (lanes[name] - left, number) for number, layer in enumerate(layers) for name in layer}
    points = tuple(tuple(place[name] for name in path) for path in paths)
    return Placement({name: place[name] for name in names}, points, right - left + 1, len(layers))


def _with_bends(arrows: Sequence[Arrow], layers: list[list[str]]) -> tuple[dict[str, list[str]], list[list[str]]]:
    """What is directly before each name, and the path of each arrow, with a bend in every layer that it passes."""
    layer_of = {name: number for number, layer in enumerate(layers) for name in layer}
    preceding: dict[str, list[str]] = {name: [] for name in layer_of}
    paths = []
    for before, after in arrows:
        bends = {number: f"{before}>{after}>{number}" for number in range(layer_of[before] + 1, layer_of[after])}
        for number, bend in bends.items():
            layers[number].append(bend)
        paths.append([before, *bends.values(), after])
        for name, following in pairwise(paths[-1]):
            preceding.setdefault(following, []).append(name)
    return preceding, paths


def _lanes(preceding: Mapping[str, Sequence[str]], layers: list[list[str]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for layer in layers:
        wished = {name: _mean(found[each] for each in preceding[name]) for name in layer}
        layer.sort(key=wished.__getitem__)
        found.update(zip(layer, _apart([wished[name] for name in layer]), strict=True))
    return found


def _apart(wished: list[float]) -> list[float]:
    """The nearest lanes in this order that are at least one apart, about the same middle."""
    lanes: list[float] = []
    for number in wished:
        lanes.append(max(number, lanes[-1] + 1) if lanes else number)
    shift = _mean(iter(wished)) - _mean(iter(lanes))
    return [lane + shift for lane in lanes]


def _mean(values: Iterator[float]) -> float:
    listed = list(values)
    return added(listed) / len(listed) if listed else 0.0
