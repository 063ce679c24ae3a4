"""Counts the configurations of a sweep that have an answer, and why the others have none, by check."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True)
class Tally:
    """Counts of configurations: those tried, those kept, those that miss a condition, and why the rest failed.

    `refused` counts by the check that refuses, of which a configuration may have several; `failed` by why it could not
    be computed; `warned` counts those kept of which a check warns.
    """

    tried: int = 0
    kept: int = 0
    unanswered: int = 0  # how many were refused or could not be computed
    unmet: Counter[str] = field(default_factory=Counter)  # answered configurations by the condition that they miss
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    warned: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add the counts of another part."""
        self.tried += other.tried
        self.kept += other.kept
        self.add_reasons(other)

    def add_reasons(self, other: "Tally") -> None:
        """Add the failures of another part, and why, where its configurations are counted already."""
        self.unanswered += other.unanswered
        self.unmet += other.unmet
        self.refused += other.refused
        self.failed += other.failed
        self.warned += other.warned

    def times(self, count: int) -> "Tally":
        """The counts multiplied, where each configuration stands for `count` of them."""
        reasons = (
            Counter({why: count * number for why, number in counter.items()})
            for counter in (self.unmet, self.refused, self.failed, self.warned)
        )
        return Tally(count * self.tried, count * self.kept, count * self.unanswered, *reasons)

    def to_data(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Tally":
        """The counts that `to_data` gave."""
        counts: dict[str, Any] = {
            name: number if isinstance(number, int) else Counter(number) for name, number in data.items()
        }
        return cls(**counts)
