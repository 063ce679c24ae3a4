"""A result to the one line that says what to try next."""

from formula_eval.analyse.what_if import Neighbours
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal.answer_layout import Section
from formula_eval.export.terminal.blocks import Hint

_ONE_DIGIT = 10


def hint(section: Section, result: Result, evaluator: Evaluator) -> Hint | None:
    """The smallest value at which a configuration fits, or how much more the one at hand could carry."""
    wanted = tuple(result.values)
    checks = evaluator.checks(wanted)
    near = Neighbours(evaluator.checked_program(wanted, checks), result.givens, checks)
    raised = evaluator.schema.inputs[section["raise"]]
    most = int(result.numbers[section["most"]])
    if not result.numbers[section["holds"]]:
        value = near.smallest(raised, section["holds"])
        key = "found" if value is not None else "fewer" if most > 0 and "fewer" in section else "none"
        return Hint(section["title"], section[key].format(value=value, most=most), good=False)
    if most > result.numbers[section["grow"]]:
        return _more(section, result, evaluator, near, most)
    value = near.smallest(raised, section["holds"], result.numbers[section["raise"]])
    return (
        None if value is None or "full" not in section else Hint(section["title"], section["full"].format(value=value))
    )


def _more(section: Section, result: Result, evaluator: Evaluator, near: Neighbours, most: int) -> Hint | None:
    numbers = near.tried(section["grow"], most)
    before = result.numbers[section["gain"]]
    if numbers is None or not numbers[section["holds"]] or numbers[section["gain"]] <= before:
        return None
    gain = numbers[section["gain"]]
    shown = shown_value(gain, evaluator.schema.quantity(section["gain"]))
    return Hint(section["title"], section["room"].format(most=most, gain=shown, times=_ratio(gain / before)))


def _ratio(value: float) -> str:
    """`45`, `1.3`."""
    return f"{value:,.0f}" if value >= _ONE_DIGIT else f"{value:.1f}"
