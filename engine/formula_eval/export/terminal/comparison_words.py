"""What of a comparison reads the same in every form: values, ratios, equations and notes as text."""

from collections.abc import Iterator, Sequence

from formula_eval.analyse import comparison
from formula_eval.analyse.correspondence import Column
from formula_eval.evaluate.display import digits, plain_number

_LARGE = ((1e12, "T"), (1e9, "G"), (1e6, "M"))
WHY = f"Where they differ by more than {comparison.SAME_WITHIN:.0%}"
OPEN = "Not answered"
OWN = "What they assume by themselves"


def shown(reading: comparison.Reading | None) -> str:
    """A value for people, without the unit of what is counted; `-` where the namespace lacks it."""
    if reading is None:
        return "-"
    if reading.value is None:
        return "refused"
    number, quantity = reading.value.value, reading.value.quantity
    if quantity.dimension or not isinstance(number, int | float) or isinstance(number, bool):
        return str(reading.value)
    scale, prefix = next((each for each in _LARGE if abs(number) >= each[0]), (1.0, ""))
    return f"{digits(number / scale)} {prefix}" if prefix else plain_number(number)


def times(reading: comparison.Reading | None) -> str:
    """How many times ours it is: `x1.13`."""
    return "" if reading is None or reading.ratio is None else f"x{reading.ratio:.3g}"


def equation(reading: comparison.Reading, formula: str, column: Column) -> str:
    """A formula as written, behind its name, and by what it was multiplied."""
    name = short(reading.name, column)
    text = f"{name} = {formula}" if formula else name
    return f"{text}, times {short(reading.times, column)}" if reading.times else text


def said(notes: Sequence[tuple[str, str]], column: Column) -> Iterator[str]:
    """Notes, those of one formula together behind its name."""
    for name in dict.fromkeys(name for name, _ in notes):
        yield f"{short(name, column)}: {' '.join(text for each, text in notes if each == name)}"


def short(name: str, column: Column) -> str:
    """A name as seen from the namespace."""
    return name.removeprefix(f"{column.namespace}.") if column.namespace else name


def assumed(assumptions: Sequence[comparison.Assumption], column: Column) -> str:
    """`link_efficiency 0.9 (ours 0.7), minimum_message_time 8 us`."""
    return ", ".join(
        f"{short(each.name, column)} {each.value}{f' (ours {each.ours})' if each.ours is not None else ''}"
        for each in assumptions
    )


def readings_of(row: comparison.Row, columns: Sequence[Column]) -> list[comparison.Reading | None]:
    """What each namespace says of a quantity, in the order of the columns."""
    return [row.readings.get(each.key) for each in columns]
