"""Where a value of a case is found among ours: a quantity, perhaps divided, a word, or what never varies."""

from collections.abc import Iterator, Mapping
from typing import Any

from published.comparison import table_of

TOOL = "genz"
NAMESPACE = f"published.{TOOL}"
INPUTS = table_of(TOOL, "inputs")
OUTPUTS = table_of(TOOL, "outputs")
OPERATORS = table_of(TOOL, "operators")

Values = Mapping[str, float]
Place = Mapping[str, Any]


class NotCoveredError(Exception):
    """A case that our formulas do not answer; its text says why."""


def placed(place: str | Place, row: str = "") -> Place:
    """A place in full: `is` names a quantity of ours, a column of a row, or an input; `says` what never varies."""
    place = {"is": place} if isinstance(place, str) else place
    return place if "says" in place else {**place, "is": quantity(place["is"].replace("row.", f"{row}."))}


def quantity(place: str) -> str:
    """The name of a quantity of this namespace, or of an input."""
    return place.removeprefix("input.") if place.startswith("input.") else f"{NAMESPACE}.{place}"


def spoken(place: Place, values: Values) -> Any:
    """What a place holds, as the case writes it."""
    if "says" in place:
        return place["says"]
    value = values[place["is"]]
    return place["words"][int(value)] if "words" in place else value / place.get("per", 1)


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested outputs, each under its path."""
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from flat(part, f"{path}.{key}" if path else str(key))
    if not isinstance(value, Mapping | list):
        yield path, value


def is_label(path: str) -> bool:
    """Whether an output says nothing of a cost."""
    return any(path == each or path.endswith(f".{each}") for each in OUTPUTS["labels"])
