"""Renders the values of an input at which conditions hold, as text and plain data."""

from textwrap import wrap
from typing import Any

from formula_eval.analyse.solver import Solved, ValueRange
from formula_eval.evaluate.value import Value
from formula_eval.export.terminal.screen import Screen

_PARTS = 3  # that are listed


def solutions_text(found: Solved, on: Screen) -> str:
    """Each span of values on a line, and how they were found."""
    conditions = " and ".join(found.conditions)
    lines = [*wrap(f"where {conditions}", on.width), ""]
    told = [f"\n    {span.low.name} = {_span(span)}" for span in found.told] or [""] * len(found.spans)
    spans = zip(found.spans, told, strict=True)
    lines += [f"  {on.paint(_shown(found, span), 'title')}{beside}" for span, beside in spans] or [_none(found)]
    several = ["It holds in several places: it does not go one way as the input grows."] if len(found.spans) > 1 else []
    return "".join(f"{line}\n" for line in (*lines, "")) + on.dimmed([*several, _how(found)])


def _shown(found: Solved, span: ValueRange) -> str:
    if span.low.plain == span.high.plain:
        times = _times(found, span.low)
        return f"{found.name} = {span.low}{times}"
    return f"{found.name} = {_span(span)}"


def _span(span: ValueRange) -> str:
    return f"{span.low}" if span.low.plain == span.high.plain else f"{span.low} .. {span.high}"


def _times(found: Solved, value: Value) -> str:
    here = found.here
    if here is None or not float(here) or float(value) == float(here):
        return ""
    return f", {float(value) / float(here):.4g} times the {here} that it is"


def _none(found: Solved) -> str:
    near = f"; nearest at {found.nearest}" if found.nearest is not None else ""
    return f"  no {found.name}{near}"


def _how(found: Solved) -> str:
    """How sure it is that these are all."""
    ends = f"{found.ends.low} to {found.ends.high}"
    if found.every:
        return f"Every value from {ends} was tried."
    if found.is_proven and found.domain is not None:
        where = "nowhere" if not found.spans else "nowhere else"
        return f"Proven by bounds: it holds {where} from {found.domain.low} to {found.domain.high}."
    looked = f"Looked at {found.tried:,} values from {ends}"
    told = [f"{each.low} to {each.high}" for each in found.open if f"{each.low}" != f"{each.high}"]
    if not told:
        return f"{looked}; what holds only between two of them is not seen."
    more = f" and {len(told) - _PARTS:,} more parts" if len(told) > _PARTS else ""
    return f"{looked}; bounds rule out all others, but not those from {' and '.join(told[:_PARTS])}{more}."


def solutions_data(found: Solved) -> dict[str, Any]:
    """The same as plain data, in base units."""
    told = [{"name": span.low.name, "low": span.low.plain, "high": span.high.plain} for span in found.told]
    return {
        "input": found.name,
        "unit": found.ends.low.unit,
        "where": list(found.conditions),
        "solutions": [{"low": span.low.plain, "high": span.high.plain} for span in found.spans],
        **({"told": told} if told else {}),
        "tried": found.tried,
        "every": found.every,
        "proven": found.is_proven,
        "open": [{"low": each.low.plain, "high": each.high.plain} for each in found.open],
        "range": {"low": found.ends.low.plain, "high": found.ends.high.plain},
        "nearest": None if found.nearest is None else found.nearest.plain,
    }
