"""Defines what a launch command says: the inputs that it states, and what became of each of its options."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.records.launch.program_table import Program
from formula_eval.records.launch.translation import Translation, Use

_TOLD = ("without_effect", "without_input", "unknown", "remarks")


class Launch(NamedTuple):
    """What a text asks for: a program, the inputs that it states, and what became of each of its options.

    `text` is what was given, `shown` how messages call it; `stated` is what a scenario file would say.
    """

    text: str
    shown: str
    program: Program
    version: str
    stated: Mapping[str, Any]
    used: tuple[Use, ...]
    assumed: tuple[Use, ...] = ()
    without_effect: tuple[tuple[str, str], ...] = ()
    without_input: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def written(self) -> dict[str, str]:
        """The options by the input that they set, as messages quote them."""
        return {each.input: each.quoted for each in self.used}

    @property
    def remaining(self) -> list[tuple[str, str]]:
        """What a reader must know beside the inputs, each with its level: what was read how, and what is not known."""
        named = [f"{option}: {advice}" for option, advice in self.without_input]
        own = ", ".join(each for each in self.unknown if " of " not in each)
        unknown = [f"Not known, so they count for nothing: {own} ({self.program.shown})."] if own else []
        return [*(("note", each) for each in (*self.remarks, *named)), *(("warn", each) for each in unknown)]

    def telling(self, *others: "Launch | Translation") -> "Launch":
        """Adds what is told of other launches that state the same, or of parts of this one."""
        all_of_them = (self, *others)
        told: dict[str, Any] = {
            name: tuple(dict.fromkeys(told for each in all_of_them for told in getattr(each, name))) for name in _TOLD
        }
        return self._replace(**told)

    def to_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "program": self.program.title,
            "version": self.version,
            "stated": dict(self.stated),
            "used": [_use_data(each) for each in self.used],
            "defaults": [_use_data(each) for each in self.assumed],
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
