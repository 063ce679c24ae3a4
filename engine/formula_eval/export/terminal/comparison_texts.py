"""Writes the texts that all forms of a comparison share: values, ratios, equations, notes, and causes."""

from collections.abc import Iterator, Sequence

from formula_eval.analyse.compare.comparison import (
    SAME_WITHIN,
    Assumption,
    Cause,
    ComparedColumn,
    ComparedQuantity,
    ComparedValue,
)
from formula_eval.evaluate.display import digits, plain_number

_LARGE = ((1e12, "T"), (1e9, "G"), (1e6, "M"))
DIFFERENCES = f"Where they differ by more than {SAME_WITHIN:.0%}"
UNANSWERED = "Not answered"
ASSUMPTIONS = "What they assume by themselves"
WARNINGS = "To be aware of"


def value_text(answer: ComparedValue | None) -> str:
    """A value for people, without the unit of what is counted; `-` where the namespace lacks it."""
    if answer is None or not answer.runs:
        return "-"
    if answer.value is None:
        return "refused"
    number, quantity = answer.value.value, answer.value.quantity
    if quantity.dimension or quantity.is_multiple or not isinstance(number, int | float) or isinstance(number, bool):
        return str(answer.value)
    scale, prefix = next((pair for pair in _LARGE if abs(number) >= pair[0]), (1.0, ""))
    return f"{digits(number / scale)} {prefix}" if prefix else plain_number(number)


def ratio_text(answer: ComparedValue | None) -> str:
    """The ratio of an answer to ours, as `x1.13`."""
    return "" if answer is None or answer.ratio is None else f"x{answer.ratio:.3g}"


def equation_text(answer: ComparedValue, formula: str, column: ComparedColumn) -> str:
    """A formula as written, after its name, and the factor of the answer."""
    name = local_name(answer.name, column)
    text = f"{name} = {formula}" if formula else name
    return f"{text}, times {local_name(answer.factor, column)}" if answer.factor else text


def notes_text(notes: Sequence[tuple[str, str]], column: ComparedColumn) -> Iterator[str]:
    """Notes, those of one formula together behind its name."""
    for name in dict.fromkeys(name for name, _ in notes):
        yield f"{local_name(name, column)}: {' '.join(text for each, text in notes if each == name)}"


def local_name(name: str, column: ComparedColumn) -> str:
    """A name as seen from the namespace."""
    return name.removeprefix(f"{column.namespace}.") if column.namespace else name


def assumptions_text(assumptions: Sequence[Assumption], column: ComparedColumn) -> str:
    """`link_efficiency 0.9 (ours 0.7), minimum_message_time 8 us`."""
    ours = ["" if assumption.ours is None else f" (ours {assumption.ours})" for assumption in assumptions]
    names = [local_name(assumption.name, column) for assumption in assumptions]
    return ", ".join(f"{name} {each.value}{own}" for name, each, own in zip(names, assumptions, ours, strict=True))


def answers_of(row: ComparedQuantity, columns: Sequence[ComparedColumn]) -> list[ComparedValue | None]:
    """The answer of each namespace for a quantity, in the order of the columns."""
    return [row.answers.get(column.key) for column in columns]


def cause_text(cause: Cause) -> str:
    """`memory_bandwidth 4.8 TB/s (3.35 TB/s)`: the value of the other configuration, in brackets that of the first."""
    return f"{cause.name} {cause.there} ({cause.here})"


def alone_text(cause: Cause) -> str:
    """The factor of the quantity if this input alone changes."""
    return "no answer" if cause.alone is None else f"x{cause.alone:.3g}"


def shortened(text: str, width: int) -> str:
    """The text, or as many of its words as fit, with three points after them."""
    return text if len(text) <= width else f"{text[: max(width - 3, 1)].rpartition(' ')[0]}..."
