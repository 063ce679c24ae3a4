"""Builds the block of the measured run nearest to a result: its figures, what is predicted for it, what differs."""

from formula_eval.analyse.nearest_run import RunDifference, nearest_run
from formula_eval.ask.layout import Section
from formula_eval.evaluate.display import plain_number, shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal import blocks


def measured_run(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    """Nothing where no run is near; else measured figures, each with our prediction for that same run."""
    found = nearest_run(section, result, evaluator.library)
    if found is None:
        return None
    titles = {each["name"]: each["title"] for each in section["entries"]}
    pairs = []
    for each in found.figures:
        quantity = evaluator.schema.quantity(each.name)
        off = 100 * (each.predicted / each.measured - 1)
        remark = f"{section['predicted']} {shown_value(each.predicted, quantity)}, {off:+.0f}%"
        pairs.append(blocks.Pair(titles[each.name], shown_value(each.measured, quantity), remark))
    differs = "; ".join(filter(None, map(_difference, found.differences)))
    told = (("run", f"{found.model}: {found.source}"), ("differs" if differs else "same", differs or section["alike"]))
    return blocks.Pairs(section["title"], tuple(pairs), messages=told)


def _difference(found: RunDifference) -> str:
    """`batch 2, not 1`; a ratio of what is large, and nothing where that rounds to 1."""
    title = found.by["title"]
    if isinstance(found.there, str) or isinstance(found.here, str):
        return f"{title} {found.there or 'none'}, not {found.here or 'the default'}"
    if "times" in found.by:
        ratio = f"{found.there / found.here:.2g}"
        return f"{ratio} times the {title}" if ratio != "1" else ""
    return f"{title} {plain_number(found.there)}, not {plain_number(found.here)}"
