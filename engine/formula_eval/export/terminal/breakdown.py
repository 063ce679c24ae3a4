"""Computes where time goes from a table of kernels: rows, groups side by side, shares, and what bounds each."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.ask import answer_layout
from formula_eval.ask.layout import Section, row_title
from formula_eval.core.arithmetic import added
from formula_eval.evaluate.display import scale_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.palette import palette_of
from formula_eval.export.terminal.blocks import Breakdown, TimeCell
from formula_eval.records.schema import Schema

_Times = dict[str, tuple[float, str]]
_NOTHING = (0.0, "")
_DIGITS = 4
_LITTLE = 1e-3  # of a total: a correction that says nothing
_ROUNDING = 1e-12  # of a total: what is left of it may be no more than what its rows were rounded by


def breakdown(section: Section, result: Result, evaluator: Evaluator) -> Breakdown:
    """The breakdown of all groups; rows that take no time in any of them are left out."""
    groups = [group for group in section["groups"] if answer_layout.holds(group, result)]
    times = [_times(section, group, result, evaluator.schema) for group in groups]
    totals = [result.numbers[group["total"]] for group in groups]
    scales = [scale_of(result.numbers[group["total"]], result[group["total"]].quantity.dimension) for group in groups]
    titles = [
        title
        for title in dict.fromkeys(title for time in times for title in time)
        if any(time.get(title, _NOTHING)[0] > 0 for time in times)
    ]
    words = dict.fromkeys(bound for time in times for _, bound in time.values() if bound)
    colours = {"": "", **palette_of(evaluator.library).of_waits(list(words))}
    rows = tuple(
        (
            title,
            tuple(
                _cell(*time.get(title, _NOTHING), total, scale, colours)
                for time, total, (scale, _) in zip(times, totals, scales, strict=True)
            ),
        )
        for title in titles
    )
    texts = tuple(_text(total, total, scale) for total, (scale, _) in zip(totals, scales, strict=True))
    units = tuple(unit for _, unit in scales)
    after = _after(groups, result, totals, [scale for scale, _ in scales])
    return Breakdown(section["title"], tuple(group["title"] for group in groups), units, rows, texts, after)


def _after(
    groups: Sequence[Mapping[str, Any]], result: Result, totals: Sequence[float], scales: Sequence[float]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The lines that lead from the totals to the figures of the answer, each with its text in each group."""
    numbers = [_lines_after(group, result, total) for group, total in zip(groups, totals, strict=True)]
    texts = [
        {title: _text(number, total, scale) for title, number in each.items()}
        for each, total, scale in zip(numbers, totals, scales, strict=True)
    ]
    titles = dict.fromkeys(title for each in texts for title, text in each.items() if _is_something(text))
    return tuple((title, tuple(text.get(title, "") for text in texts)) for title in titles)


def _lines_after(group: Mapping[str, Any], result: Result, total: float) -> dict[str, float]:
    """The times behind a total: those of the answer, and the differences between them that are more than little."""
    found = {}
    for each in group.get("after", ()):
        time = result.numbers[each["name"]] - (result.numbers[each["less"]] if "less" in each else 0.0)
        is_little = "less" in each and abs(time) < _LITTLE * total
        if answer_layout.holds(each, result) and not is_little:
            found[each["title"]] = time
    return found


def _times(section: Section, group: Mapping[str, Any], result: Result, schema: Schema) -> _Times:
    """For each row the time of all its runs and what binds it, then the group's own rows, then what is left."""
    found: _Times = {}
    for row in answer_layout.rows_of(section, schema):
        found[row_title(row, section)] = _row({**section, **group}, row, group.get("at", ""), result, schema)
    for each in group.get("rows", ()):
        found[each["title"]] = result.numbers[each["name"]], each.get("bound", "")
    total = result.numbers[group["total"]]
    rest = total - added(time for time, _ in found.values())
    if "rest" in group and rest > total * _ROUNDING:
        found[group["rest"]] = rest, section.get("rest_word", "")
    return found


def _row(section: Section, row: str, at: str, result: Result, schema: Schema) -> tuple[float, str]:
    names = {
        key: answer_layout.cell_name(section, row, section[key], at, schema)
        for key in ("times", "time", "bound", "fixed")
    }
    times, time, bound, fixed = (result.numbers[name] for name in names.values())
    words = schema.quantity(names["bound"]).words
    return times * time, section["fixed_word"] if fixed > time / 2 else words[int(bound)]


def _cell(time: float, bound: str, total: float, scale: float, colours: Mapping[str, str]) -> TimeCell:
    share = time / total if total else 0.0
    return TimeCell(_text(time, total, scale), share, bound, colours[bound]) if time > 0 else TimeCell()


def _text(time: float, total: float, scale: float) -> str:
    """A time in the unit of the total, with as many decimals as give the total four digits."""
    size = total / scale
    places = max(0, _DIGITS - 1 - math.floor(math.log10(size))) if size > 0 else 0
    text = f"{time / scale:,.{places}f}"
    return f"<{10.0**-places:.{places}f}" if time > 0 and float(text.replace(",", "")) == 0 else text


def _is_something(text: str) -> bool:
    return not text.startswith("<") and float(text.replace(",", "")) != 0
