"""Renders a closed form as text: the equation, the names that stand in it, and what they are."""

import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from formula_eval.analyse.closed_form import ClosedForm, ClosedFormLine
from formula_eval.export.terminal.screen import Screen

_HELD = "\xa0"  # holds a number and its unit on one line
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=[^\W\d_])(?!(?:if|else|and|or)(?: |$))")
_MOST_DIGITS = "Numbers are rounded to six digits; --python and --format json have all of them."


def closed_form_text(form: ClosedForm, on: Screen) -> str:
    """The equation of the quantity, then those of the names in it."""
    first, *others = form.lines
    lines = [*_equation(first._replace(name=form.name), "", on)]
    slope = f"Slope by {' and '.join(form.by)}: " if form.by else ""
    lines += on.hanging("  ", slope + _said_of(first), 2, "dim")
    if others:
        lines += ["", on.paint("where", "title")]
        for line in others:
            lines += _equation(line, "  ", on)
            lines += on.hanging("    ", _said_of(line), 4, "dim")
    if form.free:
        lines += ["", on.paint("free", "title"), *_free(form, on)]
    lines += ["", *_remarks(form, on)]
    return "\n".join(lines).rstrip() + "\n"


def _equation(line: ClosedFormLine, margin: str, on: Screen) -> Iterator[str]:
    text = _BEFORE_UNIT.sub(_HELD, line.text)
    for number, name in enumerate(wrap(f"{line.name} = {text}", on.width - len(margin) - 4, break_on_hyphens=False)):
        shown = name.replace(_HELD, " ")
        if number == 0 and name.startswith(line.name):
            shown = on.paint(line.name, "title") + shown.removeprefix(line.name)
        yield f"{margin}{'    ' if number else ''}{shown}"


def _said_of(line: ClosedFormLine) -> str:
    return f"{line.sentence.rstrip('.')}{f', in {line.unit}' if line.unit else ''}"


def _free(form: ClosedForm, on: Screen) -> Iterator[str]:
    inputs = form.evaluator.schema.inputs
    width = max(len(form.names[name]) for name in form.free)
    for name in form.free:
        schema = inputs[name]
        unit = schema.quantity.dimension or " | ".join(schema.quantity.words)
        said = f"{schema.sentence.rstrip('.')}{f', in {unit}' if unit else ''}"
        yield from on.hanging(f"  {form.names[name]:{width}}  ", said, width + 4, "dim")


def _remarks(form: ClosedForm, on: Screen) -> Iterator[str]:
    unread = [name for name in form.specialised.free if name not in form.free]
    if unread:
        yield from on.hanging("", f"It does not depend on {' or '.join(unread)}.", 0, "dim")
    if form.by and form.has_steps:
        yield from on.hanging("", "Holds between the steps of ceil, floor and round, which have no slope.", 0, "dim")
    if form.is_rounded:
        yield from on.hanging("", _MOST_DIGITS, 0, "dim")


def closed_form_data(form: ClosedForm) -> dict[str, Any]:
    """The same as plain data, with the function in Python and the equations in LaTeX."""
    return {
        "name": form.name,
        "unit": form.unit,
        "free": list(form.free),
        "equations": [line._asdict() for line in form.lines],
        "latex": form.latex.splitlines(),
        "python": form.python,
    }
