"""Renders a derivation as a tree of text, whose branches are what each value was computed from."""

from collections.abc import Iterator
from textwrap import wrap

from formula_eval.analyse.explain import Step
from formula_eval.export.terminal.bars import UNICODE
from formula_eval.export.terminal.screen import Screen
from formula_eval.records.origin import Origin

_UNICODE = ("├─ ", "└─ ", "│  ", "   ")
_NARROWEST = 30
_ASCII = ("|- ", "`- ", "|  ", "   ")


def derivation_text(step: Step, on: Screen) -> str:
    """The tree, root first."""
    return "".join(f"{line}\n" for line in _lines(step, "", "", on))


def _lines(step: Step, head: str, margin: str, on: Screen) -> Iterator[str]:
    branch, last, bar, blank = _UNICODE if on.glyphs is UNICODE else _ASCII
    inner = margin + (bar if step.steps else blank)
    yield from _first(step, head, inner, on)
    if step.formula and not step.repeated:
        if step.sentence:
            yield from _wrapped(step.sentence, "", inner, "dim", on)
        yield from _wrapped(step.formula, "= ", inner, "", on)
        if step.filled != step.formula:
            yield from _wrapped(step.filled, "= ", inner, "", on)
        source = " ".join(text for text in (step.place, "(default)" if step.origin == Origin.DEFAULT else "") if text)
        if source:
            yield f"{inner}{on.paint(source, 'dim')}".rstrip()
        for change in step.changes:
            yield from _wrapped(change, "", inner, "dim", on)
    elif not head and step.sentence:
        yield from _wrapped(step.sentence, "", inner, "dim", on)
    for number, each in enumerate(step.steps):
        final = number == len(step.steps) - 1
        yield from _lines(each, margin + (last if final else branch), margin + (blank if final else bar), on)


def _first(step: Step, head: str, margin: str, on: Screen) -> Iterator[str]:
    remark = step.origin if not step.formula else ""
    fitted = ", fitted" if step.fitted else ""
    if remark == Origin.DEFAULT and step.place:
        remark = f"default{fitted}, {step.place}"
    elif remark:
        remark += fitted
    if step.repeated:
        remark = "see above"
    elif step.deeper:
        remark = "--depth shows more"
    remark = f"  ({remark})" if remark else ""
    if len(f"{head}{step.name} = {step.value}{remark}") <= on.width:
        yield f"{head}{on.paint(step.name, 'title')} = {step.value}{on.paint(remark, 'dim')}"
        return
    width = max(on.width - len(margin), _NARROWEST)
    for number, line in enumerate(wrap(f"{step.name} = {step.value}{remark}", width, break_on_hyphens=False)):
        yield f"{head if number == 0 else margin}{on.paint(line, 'title')}"


def _wrapped(text: str, sign: str, margin: str, style: str, on: Screen) -> Iterator[str]:
    width = max(on.width - len(margin) - len(sign), _NARROWEST)
    for number, line in enumerate(wrap(text, width, break_on_hyphens=False)):
        start = sign if number == 0 else " " * len(sign)
        yield f"{margin}{start}{on.paint(line, style) if style else line}"
