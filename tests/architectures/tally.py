"""What the comparisons of a run found, counted for its summary."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts of a whole run."""

    source: str = ""
    entries: int = 0
    types: set[str] = field(default_factory=set)
    compared: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(default_factory=Counter)
    worst: float = 0.0
    worst_at: str = ""
    apart: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, what: str, ours: float, expected: float, *, exact: bool) -> float:
        """Count one comparison; the relative difference."""
        difference = abs(ours - expected) / max(abs(expected), 1)
        self.compared[what] += 1
        self.equal[what] += round(ours) == round(expected)
        if not exact and difference > self.worst:
            self.worst, self.worst_at = difference, f"{name}, {what}"
        return difference

    def lines(self) -> Iterator[str]:
        """The summary, a line each."""
        yield f"{self.entries} models of {len(self.types)} types, from {self.source}"
        for what, count in self.compared.items():
            yield f"  {what}: {self.equal[what]} of {count} equal to the unit"
        yield f"  largest difference in FLOP: {self.worst:.2g}" + (f" ({self.worst_at})" if self.worst_at else "")
        for name, why in self.apart.items():
            yield f"  {name}: {why}"
