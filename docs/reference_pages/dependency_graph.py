"""Draws what reads what as SVG: names in columns from left to right, each linked to its place in the reference."""

from collections.abc import Mapping, Sequence
from html import escape

from formula_eval.core.arithmetic import added
from formula_eval.core.closure import closure
from formula_eval.export.diagram.arrows import following_of, without_implied
from formula_eval.export.diagram.placement import GridPoint, placed

_LETTER, _HEIGHT, _LANE, _GAP, _EDGE = 7.3, 24, 36, 44, 4
_LEAST = 900  # narrower than this, it scrolls

Links = Mapping[str, str]


def dependency_graph(title: str, links: Links, reads: Mapping[str, Sequence[str]]) -> str:
    """The picture as SVG text on one line; names that neither read nor are read are left out.

    `links` gives the address of each name, in order, `reads` what each reads. Of what would close a circle and of
    arrows that others imply, nothing is drawn. Empty if there is no arrow at all.
    """
    following = following_of(links, ())
    for reader, names in reads.items():
        for name in names:
            if name in following and reader in following and name not in closure([reader], following.__getitem__):
                following[name][reader] = None
    arrows = without_implied(following)
    names = [name for name in links if any(name in arrow for arrow in arrows)]
    return _svg(title, {name: links[name] for name in names}, arrows) if names else ""


def _svg(title: str, links: Links, arrows: Sequence[tuple[str, str]]) -> str:
    places = placed(tuple(links), arrows)
    widths = [0.0] * places.layers
    for name, (_, layer) in places.nodes.items():
        widths[layer] = max(widths[layer], _LETTER * len(_short(name)) + 16)
    left = [_EDGE + added(widths[:number]) + _GAP * number for number in range(places.layers)]
    width = left[-1] + widths[-1] + _EDGE
    height = (places.lanes - 1) * _LANE + _HEIGHT + 2 * _EDGE
    lines = "".join(_line(points, left, widths) for points in places.arrows)
    nodes = "".join(
        _node(name, links[name], (left[layer], _y(lane), widths[layer])) for name, (lane, layer) in places.nodes.items()
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dependencies" role="img" aria-label="{escape(title)}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="min-width:{min(width, _LEAST):.0f}px">'
    )
    return f"{head}{lines}{nodes}</svg>"


def _y(lane: float) -> float:
    return _EDGE + lane * _LANE


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _node(name: str, link: str, place: tuple[float, float, float]) -> str:
    x, y, width = place
    return (
        f'<a href="{escape(link)}"><title>{escape(name)} </title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_HEIGHT}" rx="5"/>'
        f'<text x="{x + 8:.1f}" y="{y + 16:.1f}">{escape(_short(name))} </text></a>'
    )


def _line(points: Sequence[GridPoint], left: Sequence[float], widths: Sequence[float]) -> str:
    """From the right end of one column to the left end of the next; straight past the columns between."""
    (lane, layer), *rest = points
    x, y = left[layer] + widths[layer], _y(lane) + _HEIGHT / 2
    parts = [f"M{x:.1f} {y:.1f}"]
    for number, (lane, layer) in enumerate(rest):
        end, down = left[layer], _y(lane) + _HEIGHT / 2
        bend = (x + end) / 2
        parts.append(f"C{bend:.1f} {y:.1f} {bend:.1f} {down:.1f} {end:.1f} {down:.1f}")
        x, y = left[layer] + widths[layer], down
        if number < len(rest) - 1:
            parts.append(f"H{x:.1f}")
    return f'<path d="{"".join(parts)}"/>'
