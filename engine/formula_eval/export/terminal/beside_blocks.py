"""Builds the blocks that set other figures beside an answer: limits, other values of an input, the nearest run."""

import math
from collections.abc import Iterator, Mapping, Sequence

from formula_eval.analyse.alternatives import Neighbours
from formula_eval.analyse.nearest_run import RunDifference, nearest_run
from formula_eval.ask.answer_layout import holds, titled
from formula_eval.ask.layout import Section
from formula_eval.evaluate.display import plain_number, shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal import blocks

_WELL_BELOW = 0.75


def targets(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block:
    """The limits, the figures of each row beside them, and the largest load that keeps them."""
    limits = [column.get("limit") for column in section["columns"]]
    accepted = (str(result[name]) if name and math.isfinite(result.numbers[name]) else "" for name in limits)
    rows = [
        (section["limit"], *accepted),
        *(
            (titled(row, result), *_figures(row["values"], section, result, result.numbers))
            for row in section["rows"]
            if holds(row, result)
        ),
        *_largest(section, result, evaluator),
    ]
    return blocks.TextTable(section["title"], tuple(column["title"] for column in section["columns"]), tuple(rows))


def _figures(
    names: Sequence[str], section: Section, result: Result, numbers: Mapping[str, float], *, judged: bool = True
) -> Iterator[str]:
    """The figures, each with a word for whether it keeps its limit where it has one."""
    for name, column in zip(names, section["columns"], strict=True):
        text = shown_value(numbers[name], result[name].quantity)
        limit = result.numbers[column["limit"]] if "limit" in column else math.inf
        word = section["met"] if numbers[name] <= limit else section["missed"]
        yield f"{text} {word}" if judged and math.isfinite(limit) else text


def _largest(section: Section, result: Result, evaluator: Evaluator) -> Iterator[tuple[str, ...]]:
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


def data_table(section: Section, result: Result, evaluator: Evaluator) -> blocks.TextTable | None:
    """A row for each value at which the flag `holds` does, without columns that have no value; None without rows."""
    found = dict(_rows(section, result, evaluator))
    columns = [
        column
        for column in section["columns"]
        if any(not math.isnan(numbers[column["name"]]) for numbers in found.values())
    ]
    rows = [
        (
            f"{plain_number(value)} {section['unit']}",
            *(shown_value(numbers[column["name"]], result[column["name"]].quantity) for column in columns),
        )
        for value, numbers in found.items()
    ]
    return (
        blocks.TextTable(section["title"], tuple(column["title"] for column in columns), tuple(rows)) if rows else None
    )


def _rows(section: Section, result: Result, evaluator: Evaluator) -> Iterator[tuple[float, Mapping[str, float]]]:
    """Values and all numbers there: those of the section well below the most that there may be, and that itself."""
    near = Neighbours.around(result, evaluator)
    most = min(result.numbers[name] for name in section["up_to"])
    for value in (*(each for each in section["at"] if each < _WELL_BELOW * most), most):
        numbers = near.at(section["vary"], value)
        if numbers is not None and numbers[section["holds"]]:
            yield value, numbers


def measured_run(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    """Nothing where no run is near; else measured figures, each with our prediction for that same run."""
    found = nearest_run(section, result, evaluator)
    if found is None:
        return None
    titles = {entry["name"]: entry["title"] for entry in section["entries"]}
    pairs = []
    for figure in found.figures:
        quantity = evaluator.schema.quantity(figure.name)
        off = 100 * (figure.predicted / figure.measured - 1)
        remark = f"{section['predicted']} {shown_value(figure.predicted, quantity)}, {off:+.0f}%"
        pairs.append(blocks.Pair(titles[figure.name], shown_value(figure.measured, quantity), remark))
    differs = "; ".join(filter(None, map(_difference, found.differences)))
    told = (("run", f"{found.model}: {found.source}"), ("differs" if differs else "same", differs or section["alike"]))
    title = section["far_title" if found.is_far else "title"]
    return blocks.Pairs(title, tuple(pairs), messages=told)


def _difference(found: RunDifference) -> str:
    """`batch 2, not 1`; a ratio of what is large, and nothing where that rounds to 1."""
    title = found.by["title"]
    if isinstance(found.there, str) or isinstance(found.here, str):
        return f"{title} {found.there or 'none'}, not {found.here or 'the default'}"
    if "times" in found.by:
        ratio = f"{found.there / found.here:.2g}"
        return f"{ratio} times the {title}" if ratio != "1" else ""
    return f"{title} {plain_number(found.there)}, not {plain_number(found.here)}"
