"""Renders which inputs move a quantity, and by how much, as text, CSV and plain data."""

import math
from collections.abc import Iterator
from typing import Any

from formula_eval.analyse.influences import Influence, Sensitivity
from formula_eval.evaluate.display import digits
from formula_eval.export.terminal.blocks import TextTable
from formula_eval.export.terminal.json_csv import csv_text, json_text
from formula_eval.export.terminal.screen import Screen, screen_text

FORMATS = ("table", "json", "csv")


def sensitivity_text(found: Sensitivity, form: str, top: int, on: Screen) -> str:
    """A ranked table of so many inputs, or all of them for other programs."""
    if form == "json":
        return json_text({"quantity": found.quantity.name, **found.quantity.to_data(), "inputs": [*_data(found)]})
    if form == "csv":
        return _csv(found)
    shown = found.influences[:top]
    has_goal = math.isfinite(found.goal)
    columns = ("value", "elasticity", *((f"for {found.goal:g}x",) if has_goal else ("step", "changes it by")))
    rows = tuple((influence.name, *_row(influence, has_goal=has_goal)) for influence in shown)
    head = f"{on.paint(found.quantity.name, 'title')} = {found.quantity}\n\n"
    text = screen_text([TextTable("input", columns, rows)], on) if rows else "No input that it reads changes it.\n"
    return f"{head}{text}\n{on.dimmed(_remarks(found, len(shown)))}"


def _row(influence: Influence, *, has_goal: bool) -> Iterator[str]:
    yield str(influence.value)
    yield f"{influence.elasticity:+.2f}{'' if influence.smooth else ' *'}"
    if has_goal:
        times = (
            digits(float(f"{influence.needed / float(influence.value):.3g}"))
            if not math.isnan(influence.needed)
            else ""
        )
        yield f"{influence.value.with_number(influence.needed)} (x{times})" if times else "-"
        return
    yield "+10%" if _is_tenth(influence) else f"to {influence.other}"
    yield "none" if math.isnan(influence.factor) else f"{100 * (influence.factor - 1):+.1f}%"


def _is_tenth(influence: Influence) -> bool:
    return math.isclose(float(influence.other) / float(influence.value), 1.1, rel_tol=1e-9)


def _remarks(found: Sensitivity, shown: int) -> Iterator[str]:
    """The meaning of the columns, and what was left out."""
    yield "elasticity: by how many percent it changes where the input grows by 1 %."
    if any(not influence.smooth for influence in found.influences[:shown]):
        yield "* of a whole step, as the input is a whole number or stands at a kink."
    if math.isfinite(found.goal):
        yield f"for {found.goal:g}x: the value that this input alone would need; - if none does."
    rest = len(found.influences) - shown
    idle = f"{found.idle} that it reads change nothing here"
    yield f"{rest} more inputs matter (--top {len(found.influences)}), {idle}." if rest > 0 else f"{idle}."
    if found.left_out:
        yield f"{found.left_out} that describe the model, set others or bring warnings are left out (--all)."


def _data(found: Sensitivity) -> Iterator[dict[str, Any]]:
    for influence in found.influences:
        yield {
            "input": influence.name,
            "value": influence.value.plain,
            "unit": influence.value.unit,
            "elasticity": influence.elasticity,
            "smooth": influence.smooth,
            "step_to": influence.other.plain,
            "factor": None if math.isnan(influence.factor) else influence.factor,
            "needed": None if math.isnan(influence.needed) else influence.needed,
            "origin": influence.origin,
        }


def _csv(found: Sensitivity) -> str:
    rows = list(_data(found))
    if not rows:
        return "input\n"
    return csv_text(list(rows[0]), (row.values() for row in rows))
