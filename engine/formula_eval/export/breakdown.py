"""A table of kernels to a breakdown of time: rows, groups side by side, shares and what binds each."""

from collections.abc import Mapping

from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.schema import Schema
from formula_eval.export.blocks import Breakdown
from formula_eval.export.blocks import Cell
from formula_eval.export.layout import Section
from formula_eval.export.layout import cell_name
from formula_eval.export.layout import rows_of

_Times = dict[str, tuple[float, str]]


def breakdown(section: Section, result: Result, evaluator: Evaluator) -> Breakdown:
    """The breakdown of all groups; rows that take no time in any of them are left out."""
    groups = section["groups"]
    times = [_times(section, group, result, evaluator.schema) for group in groups]
    totals = [float(result.numbers[group["total"]]) for group in groups]
    titles = list(dict.fromkeys(title for each in times for title in each))
    shown = [title for title in titles if any(each.get(title, (0.0, ""))[0] > 0 for each in times)]
    quantities = [result[group["total"]].quantity for group in groups]
    rows = tuple(
        (
            title,
            tuple(
                _cell(*each.get(title, (0.0, "")), total, shown_value(each.get(title, (0.0, ""))[0], quantity))
                for each, total, quantity in zip(times, totals, quantities, strict=True)
            ),
        )
        for title in shown
    )
    texts = tuple(str(result[group["total"]]) for group in groups)
    return Breakdown(section["title"], tuple(group["title"] for group in groups), rows, texts)


def _times(section: Section, group: Mapping[str, str], result: Result, schema: Schema) -> _Times:
    """For each row the time of all its runs and what binds it, then the group's own rows, then what is left."""
    found: _Times = {}
    for row in rows_of(section, schema):
        number = {
            key: float(result.numbers[cell_name(section, row, section[key], group["at"], schema)])
            for key in ("times", "time", "bound", "fixed")
            if key in section
        }
        words = schema.quantity(cell_name(section, row, section["bound"], group["at"], schema)).words
        bound = words[int(number["bound"])] if words else ""
        if number.get("fixed", 0.0) > number["time"] / 2:
            bound = section.get("fixed_word", bound)
        found[row.replace("_", " ")] = number["times"] * number["time"], bound
    for each in group.get("rows", ()):
        found[each["title"]] = float(result.numbers[each["name"]]), each.get("bound", "")  # type: ignore[attr-defined]
    rest = float(result.numbers[group["total"]]) - sum(time for time, _ in found.values())
    if "rest" in group and rest > 0:
        found[group["rest"]] = rest, section.get("rest_word", "")
    return found


def _cell(time: float, bound: str, total: float, text: str) -> Cell:
    return Cell(text, time / total if total else 0.0, bound) if time > 0 else Cell()
