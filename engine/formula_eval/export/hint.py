"""A result to the one line that says what to try next."""

from formula_eval.analyse.fitting import smallest
from formula_eval.analyse.fitting import tried
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.blocks import Hint
from formula_eval.export.layout import Section


def _ratio(value: float) -> str:
    """`45`, `1.3`."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"  # noqa: PLR2004 - two digits


def hint(section: Section, result: Result, evaluator: Evaluator) -> Hint | None:
    """The smallest value at which a configuration fits, or how much more the one at hand could carry."""
    checks = evaluator.checks()
    program = evaluator.checked_program(tuple(result.values), checks)
    raised = evaluator.schema.inputs[section["raise"]]
    if not result.numbers[section["holds"]]:
        value = smallest(program, result.givens, checks, raised, section["holds"])
        most = int(result.numbers[section["most"]])
        key = "found" if value is not None else "fewer" if most > 0 and "fewer" in section else "none"
        text = section[key].format(value=value, most=most)
        return Hint(section["title"], text, good=False)
    most, batch, gain = (float(result.numbers[section[key]]) for key in ("most", "grow", "gain"))
    numbers = tried(program, result.givens, checks, **{section["grow"]: most}) if most > batch else None
    if numbers is not None and numbers[section["holds"]] and numbers[section["gain"]] > gain:
        then = numbers[section["gain"]]
        shown = shown_value(then, evaluator.schema.quantity(section["gain"]))
        return Hint(section["title"], section["room"].format(most=int(most), gain=shown, times=_ratio(then / gain)))
    above = float(result.numbers[section["raise"]])
    value = smallest(program, result.givens, checks, raised, section["holds"], above)
    return None if value is None or "full" not in section else Hint(section["title"], section["full"].format(value=value))
