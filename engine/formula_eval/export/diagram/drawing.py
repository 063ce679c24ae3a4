"""Lays out a structure as cards, frames, arrows and bars with their coordinates, for a template."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.export.diagram.operators import Operator, Phase
from formula_eval.export.diagram.placement import GridPoint, Placement, placed
from formula_eval.export.diagram.structure import Chart, ShareBar, Structure
from formula_eval.records.schema import last_part

CARD_WIDTH, CARD_HEIGHT = 256, 72
_LANE, _LAYER = CARD_WIDTH + 22, CARD_HEIGHT + 30
_MARGIN, _FRAME, _HEAD, _BETWEEN = 28, 34, 64, 44
_PANEL, _LINE, _BAR, _CELL, _PERCENT = 480, 20, 38, 160, 58
_LONGEST = 300
_TIMES = "\N{MULTIPLICATION SIGN}"
_FULL = 1 + 1e-9  # more than rounding adds
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

Shape = dict[str, Any]


def drawing(structure: Structure) -> Shape:
    """Everything that the template needs; all lengths in pixels."""
    layout = structure.layout
    titles = {word: plain(str(bound.get("title", word))) for word, bound in layout.bounds.items()}
    words = dict.fromkeys(operator.bound for phase in structure.phases for operator in phase.operators.values())
    colours = layout.palette.of_waits([*dict.fromkeys((*layout.bounds, *words))])
    settings = _wrapped([f"{last_part(name).replace('_', ' ')} {text}" for name, text in structure.settings])
    top = _MARGIN + 40 + 18 * len(settings) + 34
    phases, right, bottom = [], float(_MARGIN), float(top)
    for phase in structure.phases:
        shape = _phase(phase, structure, right, top, colours)
        phases.append(shape)
        right, bottom = right + shape["width"] + _BETWEEN, max(bottom, top + shape["height"])
    panels, end = _panels(structure.charts, right, top)
    width = right + (_PANEL if panels else -_BETWEEN) + _MARGIN
    waits = any(phase.total.text for phase in structure.phases)
    return {
        "title": fitted(structure.title, width - 2 * _MARGIN, 22),
        "settings": settings,
        "summary": _summary(structure, titles),
        "bounds": list(_legend([word for word in layout.bounds if word in words], titles, colours, waits=waits)),
        "bounds_title": "Waits for" if waits else "",
        "bounds_y": top - 22,
        "beyond": layout.palette.state("bad"),
        "phases": phases,
        "panels": panels,
        "width": round(width),
        "height": round(max(bottom, end) + _MARGIN),
        "margin": _MARGIN,
        "card": (CARD_WIDTH, CARD_HEIGHT),
        "panel": {"width": _PANEL, "line": _LINE, "percent": _PERCENT},
    }


def harmless(text: str) -> str:
    """Text without characters that XML forbids or that turn its direction."""
    return _CONTROL.sub("\ufffd", text)


def plain(text: str) -> str:
    """One line of harmless text, and not endless."""
    cleaned = harmless(" ".join(text.split()))
    return cleaned if len(cleaned) <= _LONGEST else f"{cleaned[: _LONGEST - 1]}…"


def fitted(text: str, width: float, size: float) -> str:
    """Text cut to about this width, at this size of letters."""
    cleaned, room = plain(text), width / size
    for number, letter in enumerate(cleaned):
        room -= 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.68 if letter.isupper() else 0.54
        if room < 0:
            return f"{cleaned[: max(number - 1, 1)].rstrip()}…"
    return cleaned


def _wrapped(settings: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for name in map(plain, settings):
        if lines and len(lines[-1]) + len(name) < 110:  # noqa: PLR2004 - what fits beneath the title
            lines[-1] += f" · {name}"
        else:
            lines.append(name)
    return lines


def _legend(
    words: Sequence[str], titles: Mapping[str, str], colours: Mapping[str, str], *, waits: bool
) -> Iterator[Shape]:
    x = float(_MARGIN + 76 * waits)
    for word in words:
        yield {"x": x, "title": titles[word], "colour": colours[word]}
        x += 42 + 7.4 * len(titles[word])


def _phase(phase: Phase, structure: Structure, left: float, top: float, colours: Mapping[str, str]) -> Shape:
    places: Placement = placed(tuple(phase.operators), phase.arrows)
    x, y = left + _FRAME + 14, top + _HEAD
    corners = {name: (x + lane * _LANE, y + layer * _LAYER) for name, (lane, layer) in places.nodes.items()}
    width = 2 * (_FRAME + 14) + (places.lanes - 1) * _LANE + CARD_WIDTH
    boxes = [shape for box in structure.layout.boxes if (shape := _box(box, phase, corners, structure))]
    return {
        "title": plain(phase.title),
        "sentence": plain(phase.sentence),
        "total": phase.total.text,
        "x": left,
        "y": top,
        "width": width,
        "height": _HEAD + places.layers * _LAYER - 30 + 16,
        "cards": [
            _card(operator, *corners[name], colours, shares=bool(phase.total.text))
            for name, operator in phase.operators.items()
        ],
        "boxes": boxes,
        "arrows": [_path(points, x, y) for points in places.arrows],
    }


def _card(operator: Operator, x: float, y: float, colours: Mapping[str, str], *, shares: bool) -> Shape:
    amounts = " · ".join(amount.text for amount in (operator.flops, operator.bytes) if amount.text and amount.value > 0)
    count = f"{_TIMES} {operator.count:,.0f}" if operator.count != 1 else ""
    once = f"One run: {operator.each}" if operator.each and count else ""
    room = CARD_WIDTH - 24 - 8 * len(count)
    return {
        "x": x,
        "y": y,
        "title": fitted(operator.title, room, 16),
        "count": count,
        "amounts": amounts or fitted(operator.sentence, CARD_WIDTH - 24, 13),
        "time": operator.time.text,
        "percent": percent(operator.share) if shares else "",
        "share": min(max(operator.share, 0.0), 1.0),
        "bound": plain(operator.bound),
        "colour": colours[operator.bound],
        "tip": [plain(line) for line in (operator.title, operator.sentence, once) if line],
    }


def _box(
    box: Mapping[str, Any], phase: Phase, corners: Mapping[str, tuple[float, float]], of: Structure
) -> Shape | None:
    inside = [corners[name] for name in phase.operators if name not in box["outside"]]
    if not inside:
        return None
    left, top = min(x for x, _ in inside) - _FRAME, min(y for _, y in inside) - 15
    right, bottom = max(x for x, _ in inside) + CARD_WIDTH + _FRAME, max(y for _, y in inside) + CARD_HEIGHT + 15
    text = f"{plain(box['title'])} {_TIMES} {of.times[box['times']]}"
    return {"x": left, "y": top, "width": right - left, "height": bottom - top, "text": text}


def _path(points: Sequence[GridPoint], x: float, y: float) -> str:
    """From the foot of one card to the head of the next, past the cards of the layers between."""
    middles = [(x + lane * _LANE + CARD_WIDTH / 2, y + layer * _LAYER) for lane, layer in points]
    (start, head), *rest = middles
    parts = [f"M{start:.1f} {head + CARD_HEIGHT:.1f}"]
    above = (start, head + CARD_HEIGHT)
    for number, (across, down) in enumerate(rest):
        last = number == len(rest) - 1
        down -= 5 if last else 0  # noqa: PLW2901 - room for the arrow's head
        bend = (above[1] + down) / 2
        parts.append(f"C{above[0]:.1f} {bend:.1f} {across:.1f} {bend:.1f} {across:.1f} {down:.1f}")
        if not last:
            parts.append(f"V{down + CARD_HEIGHT:.1f}")
        above = (across, down + CARD_HEIGHT)
    return "".join(parts)


def _panels(charts: Sequence[Chart], x: float, y: float) -> tuple[list[Shape], float]:
    panels: list[Shape] = []
    for chart in charts:
        panels.append(_panel(chart, x, y + 26))
        y += panels[-1]["height"]
    return panels, y - 16 if panels else y


def _panel(chart: Chart, x: float, y: float) -> Shape:
    parts = {part.title: part.colour for bar in chart.bars for part in bar.rows}
    ends = [_PANEL - _CELL * (len(chart.bars) - 1 - number) for number in range(len(chart.bars))]
    top = y + 12 + _BAR * len(chart.bars) + 20
    named = len(chart.bars) > 1
    by_title = [{part.title: part for part in bar.rows} for bar in chart.bars]
    rows = []
    for number, (title, colour) in enumerate(parts.items()):
        found = [each.get(title) for each in by_title]
        cells = [(end, part.amount.text, percent(part.share)) for end, part in zip(ends, found, strict=True) if part]
        line = top + _LINE * (number + named)
        rows.append({"y": line, "title": fitted(title, ends[0] - _CELL - 12, 13), "colour": colour, "cells": cells})
    return {
        "x": x,
        "y": y,
        "title": plain(chart.title),
        "sentence": plain(chart.sentence),
        "bars": [_bar(bar, y + 12 + _BAR * number) for number, bar in enumerate(chart.bars)],
        "columns": [(end, plain(bar.title)) for end, bar in zip(ends, chart.bars, strict=True)] if named else [],
        "columns_y": top,
        "rows": rows,
        "height": 12 + _BAR * len(chart.bars) + 20 + _LINE * (len(rows) + named) + 26,
    }


def _bar(bar: ShareBar, y: float) -> Shape:
    scale, x, parts = _PANEL / bar.length, 0.0, []
    for part in bar.parts:
        tip = f"{part.title}: {part.amount.text} ({percent(part.share)})"
        parts.append({"x": x, "width": part.share * scale, "colour": part.colour, "tip": plain(tip)})
        x += part.share * scale
    end = scale if bar.length > _FULL else 0
    return {"y": y, "title": plain(bar.title), "total": bar.whole.text, "parts": parts, "end": end}


def percent(share: float) -> str:
    """A share as `27 %`, with a digit after the point below ten."""
    if share >= 0.0995:  # noqa: PLR2004 - what rounds to ten per cent
        return f"{100 * share:.0f} %"
    return f"{100 * share:.1f} %" if share >= 0.0005 else "<0.1 %"  # noqa: PLR2004 - what one digit can show


def _summary(structure: Structure, titles: Mapping[str, str]) -> str:
    """The picture in words, for those who cannot see it."""
    texts = []
    for phase in structure.phases:
        most = sorted(phase.operators.values(), key=lambda operator: -operator.share)[:4]
        listed = ", ".join(
            f"{operator.title} {percent(operator.share)} ({titles.get(operator.bound, operator.bound)})"
            for operator in most
        )
        values = ", ".join(f"{operator.title} {operator.time.text}".strip() for operator in phase.operators.values())
        whole = f"{phase.total.text}, most of it {listed}" if phase.total.text else values
        texts.append(f"{phase.title}: {whole}.")
    for chart in structure.charts:
        for bar in chart.bars:
            listed = ", ".join(f"{part.title} {percent(part.share)}" for part in bar.parts)
            texts.append(" ".join(f"{chart.title} {bar.title}: {bar.whole.text}, {listed}.".split()))
    return " ".join(texts)
