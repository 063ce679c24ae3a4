"""What the everyday command must know of the formulas, as plain data that a cache can hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Quantified(NamedTuple):
    """What a value is: its unit, its dimension (`byte/s`, empty for a plain number), its words if it is a choice."""

    kind: str
    unit: str = ""
    dimension: str = ""
    words: tuple[str, ...] = ()


class InputSchema(NamedTuple):
    """One input: what it is, who supplies it, what it may be."""

    name: str
    quantity: Quantified
    sentence: str
    place: str
    supplier: str = ""
    record: str = ""
    key: str = ""
    default: str = ""
    optional: bool = False
    low: float | None = None
    high: float | None = None
    allowed: tuple[float, ...] = ()


class FormulaSchema(NamedTuple):
    """One quantity that can be asked for, and the folders with checks of all that it needs."""

    name: str
    quantity: Quantified
    sentence: str
    place: str
    kind: str
    folders: tuple[str, ...] = ()


class CheckSchema(NamedTuple):
    """One check, its message as texts and the names of nodes between them (those stand in braces)."""

    name: str
    level: str
    message: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Schema:
    """All inputs, quantities, checks and tables by name."""

    inputs: Mapping[str, InputSchema] = field(default_factory=dict)
    formulas: Mapping[str, FormulaSchema] = field(default_factory=dict)
    checks: Mapping[str, CheckSchema] = field(default_factory=dict)
    tables: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], str]] = field(default_factory=dict)

    def quantity(self, name: str) -> Quantified:
        """What the value of an input or formula is."""
        found = self.inputs.get(name) or self.formulas[name]
        return found.quantity

    def input_name(self, name: str, namespace: str = "") -> str | None:
        """The input of this name, or the only one of a folder that ends so; None if there is none.

        Where several end so, those of the namespace go first, then those of the folders around it.
        """
        if name in self.inputs:
            return name
        inner = [each.name for each in self.inputs.values() if each.name.endswith(f".{name}") and not each.record]
        while namespace and len(inner) > 1:
            inner = [each for each in inner if each.startswith(f"{namespace}.")] or inner
            namespace = namespace.rpartition(".")[0]
        return inner[0] if len(inner) == 1 else None

    def table_name(self, name: str, supplier: str) -> str | None:
        """The table of this name, or the only one of a folder that ends so, whose rows this supplier's records give."""
        found = [each for each, table in self.tables.items() if table[2] == supplier and supplier]
        if name in found:
            return name
        inner = [each for each in found if each.endswith(f".{name}")]
        return inner[0] if len(inner) == 1 else None

    def _is_copy(self, formula: FormulaSchema) -> bool:
        """Whether it is a formula under other inputs, which is kept by its name alone."""
        return formula.name.partition("@")[0] != formula.name and formula.name.partition("@")[0] in self.formulas

    def to_data(self) -> dict[str, Any]:
        """Plain data for a cache."""
        return {
            "inputs": list(self.inputs.values()),
            "formulas": [each for each in self.formulas.values() if not self._is_copy(each)],
            "copies": [[each.name, each.folders] for each in self.formulas.values() if self._is_copy(each)],
            "checks": list(self.checks.values()),
            "tables": dict(self.tables),
        }


def schema_from(data: Mapping[str, Any]) -> Schema:
    """The schema whose data were kept: each of its tuples as a list, and copies by what they copy."""
    formulas = {name: FormulaSchema(name, Quantified(*kind), *rest) for name, kind, *rest in data["formulas"]}
    for name, folders in data["copies"]:
        _, quantity, sentence, place, kind, _ = formulas[name.partition("@")[0]]
        formulas[name] = FormulaSchema(name, quantity, sentence, place, kind, folders)
    return Schema(
        {name: InputSchema(name, Quantified(*kind), *rest) for name, kind, *rest in data["inputs"]},
        formulas,
        {name: CheckSchema(name, *rest) for name, *rest in data["checks"]},
        data["tables"],
    )
