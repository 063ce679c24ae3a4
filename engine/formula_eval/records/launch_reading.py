"""Defines what a launch command says: the inputs that it states, and what became of each of its options."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import shortened
from formula_eval.records.open_text import as_written


class Use(NamedTuple):
    """An option that set an input: how it was written, what it said, the input and its value here.

    It is `implied` where the option sets it along with others, or in passing: an option of that input alone wins.
    """

    written: str
    said: Any
    input: str
    value: Any
    implied: bool = False

    @property
    def quoted(self) -> str:
        """The option, or the several that it follows from, as a message quotes them."""
        said = "" if self.said is True else said_of(self.said)
        names, values = self.written.split(), said.split(", ")
        pairs = zip(names, values, strict=True) if len(names) == len(values) else [(self.written, said)]
        return ", ".join(f"`{f'{name} {shortened(value)}'.rstrip()}`" for name, value in pairs)


def said_of(value: object) -> str:
    """A value as a text says it."""
    return str(value).lower() if isinstance(value, bool) else as_written(str(value))


class Launch(NamedTuple):
    """What a text asks for: a program, the inputs that it states, and what became of each of its options.

    `text` is what was given, `shown` how messages call it; `stated` is what a scenario file would say. The program has
    a `title`, a `purpose`, and a `table` that says what its options mean.
    """

    text: str
    shown: str
    program: str
    title: str
    purpose: str
    table: str
    version: str  # of the program, empty where nothing tells it
    stated: Mapping[str, Any]
    used: tuple[Use, ...]  # options that set an input
    assumed: tuple[Use, ...] = ()  # the program's defaults for what it leaves unsaid
    without_effect: tuple[tuple[str, str], ...] = ()  # options that change no number, with the reason
    without_input: tuple[tuple[str, str], ...] = ()  # options that lack an input, with advice
    unknown: tuple[str, ...] = ()  # options that the table does not have
    remarks: tuple[str, ...] = ()  # what a reader should know beside these

    @property
    def written(self) -> dict[str, str]:
        """The options by the input that they set, as messages quote them."""
        return {use.input: use.quoted for use in self.used}

    @property
    def remaining(self) -> list[tuple[str, str]]:
        """What a reader must know beside the inputs, each with its level: what was read how, and what is not known."""
        named = [f"{option}: {advice}" for option, advice in self.without_input]
        own = ", ".join(name for name in self.unknown if " of " not in name)
        unknown = [f"Not known, so they count for nothing: {own} ({self.table})."] if own else []
        return [*(("note", remark) for remark in (*self.remarks, *named)), *(("warn", name) for name in unknown)]

    def to_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "program": self.title,
            "version": self.version,
            "stated": dict(self.stated),
            "used": [_use_data(use) for use in self.used],
            "defaults": [_use_data(use) for use in self.assumed],
            "without_effect": dict(self.without_effect),
            "without_input": dict(self.without_input),
            "unknown": list(self.unknown),
            "remarks": list(self.remarks),
        }


def _use_data(use: Use) -> dict[str, Any]:
    return {"option": use.written, "said": use.said, "input": use.input, "value": use.value}


class Beside(NamedTuple):
    """What was said beside the text, which wins: ids of records by kind, and input values by name as typed."""

    records: Mapping[str, str] = {}
    values: Mapping[str, Any] = {}
