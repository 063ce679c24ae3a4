"""Describes a column of a sweep, an input that varies or a quantity, and how its numbers are written."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.namespace import in_words
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.value import base_unit, typed_value
from formula_eval.evaluate.vector import Array


class Column(NamedTuple):
    """A name, what its values are, and the words that its numbers stand for, if they are not numbers.

    Files write numbers in the declared unit and name it; `in_base` leaves them in base units, under the name alone.
    """

    name: str
    quantity: Quantified
    words: tuple[str, ...] = ()
    is_axis: bool = False
    in_base: bool = False

    @property
    def unit(self) -> str:
        """The unit in which it is written."""
        return self.quantity.unit if self.quantity.is_multiple and not self.in_base else base_unit(self.quantity)

    @property
    def header(self) -> str:
        """Its name, in files with its unit if it has one: `inference.ttft (s)`."""
        return f"{self.name} ({self.unit})" if self.unit and self.is_number and not self.in_base else self.name

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, rather than words, flags or days."""
        return not self.words and self.quantity.kind in ("number", "whole")

    @property
    def is_count(self) -> bool:
        """Whether it is an input that counts what its name says."""
        return self.is_axis and self.quantity.style == "counted" and not self.quantity.is_multiple

    @property
    def shown_as(self) -> Quantified:
        """How its values are shown: those of an input that counts what its name says without the word."""
        return self.quantity.plain() if self.is_count else self.quantity

    def title(self, titles: Mapping[str, str]) -> str:
        """Its title among these, which are by name; else the last part of its name in words."""
        return titles.get(self.name, in_words(self.name))

    def plain(self, values: Array) -> list[Any]:
        """Values as Python objects of their type, numbers in base units; None where there is none."""
        typed = _number if self.is_number else self._typed
        return [None if math.isnan(each) else typed(each) for each in values.tolist()]

    def in_unit(self, values: Array) -> Array:
        """Numbers converted from base units to the written unit."""
        if self.in_base or not self.quantity.is_multiple:
            return values
        above, below = self.quantity.scale
        return values * below / above

    def written(self, values: Array) -> list[Any]:
        """Values as Python objects of their type, in the written unit; None where there is none."""
        return self.plain(self.in_unit(values))

    def _typed(self, value: float) -> Any:  # noqa: ANN401 - a flag or a word
        return self.words[int(value)] if self.words else typed_value(value, self.quantity)


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
