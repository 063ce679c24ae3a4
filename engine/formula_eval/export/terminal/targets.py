"""Builds the table of targets: which figures keep their limits, and up to what value of an input they do."""

import math
from collections.abc import Iterator, Mapping, Sequence

from formula_eval.analyse.alternatives import Neighbours
from formula_eval.ask.answer_layout import holds, titled
from formula_eval.ask.layout import Section
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal import blocks

_Row = tuple[str, ...]


def targets(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block:
    """The limits, the figures of each row beside them, and the largest load that keeps them."""
    limits = [each.get("limit") for each in section["columns"]]
    accepted = (str(result[name]) if name and math.isfinite(result.numbers[name]) else "" for name in limits)
    rows = [
        (section["limit"], *accepted),
        *(
            (titled(each, result), *_figures(each["values"], section, result, result.numbers))
            for each in section["rows"]
            if holds(each, result)
        ),
        *_largest(section, result, evaluator),
    ]
    return blocks.TextTable(section["title"], tuple(each["title"] for each in section["columns"]), tuple(rows))


def _figures(
    names: Sequence[str], section: Section, result: Result, numbers: Mapping[str, float], *, judged: bool = True
) -> Iterator[str]:
    """The figures, each with a word for whether it keeps its limit where it has one."""
    for name, column in zip(names, section["columns"], strict=True):
        text = shown_value(numbers[name], result[name].quantity)
        limit = result.numbers[column["limit"]] if "limit" in column else math.inf
        word = section["met"] if numbers[name] <= limit else section["missed"]
        yield f"{text} {word}" if judged and math.isfinite(limit) else text


def _largest(section: Section, result: Result, evaluator: Evaluator) -> Iterator[_Row]:
    """For each input that may grow, its largest value that keeps all limits, and the figures there."""
    for each in section["largest"]:
        if not holds(each, result):
            continue
        near = Neighbours.around(result, evaluator).unset(each.get("unset", ()))
        changed = evaluator.schema.inputs[each["vary"]]
        value = near.largest(changed, each["holds"])
        option = f"--{changed.name.replace('_', '-')}"
        if value is None:
            yield (section["none_title"].format(option=option), *("" for _ in section["columns"]))
        elif math.isinf(value):
            yield (section["largest_title"].format(option=option), *("any" for _ in section["columns"]))
        else:
            numbers = near.at(changed.name, value) or {}
            title = section["largest_title"].format(option=f"{option} {_typed(value, changed.quantity.unit)}")
            yield (title, *_figures(each["values"], section, result, numbers, judged=False))


def _typed(value: float, unit: str) -> str:
    """The value as an option takes it."""
    _, slash, per = unit.partition("/")
    return f"{value:,.10g}{slash}{per}"
