"""What the everyday command must know of the formulas, as plain data that a cache can hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from formula_eval.core.quantity import Quantified
from formula_eval.core.table import Cell, TableShape


class InputSchema(NamedTuple):
    """One input: what it is, who supplies it, what it may be; `cell` says where it stands if it is one of a table."""

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
    cell: Cell | None = None


class FormulaSchema(NamedTuple):
    """One quantity that can be asked for, the folders with checks of all that it needs, and what it is a copy of."""

    name: str
    quantity: Quantified
    sentence: str
    place: str
    kind: str
    namespace: str = ""
    folders: tuple[str, ...] = ()
    original: str = ""

    @property
    def is_listed(self) -> bool:
        """Whether a list or a pattern shows it: copies under other inputs, and what messages quote, only by name."""
        return self.kind in ("formula", "cell") and not self.original


class CheckSchema(NamedTuple):
    """One check, its message as texts and the names of nodes between them (those stand in braces)."""

    name: str
    level: str
    message: tuple[str, ...]
    place: str
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Schema:
    """All inputs, quantities, checks and tables by name."""

    inputs: Mapping[str, InputSchema] = field(default_factory=dict)
    formulas: Mapping[str, FormulaSchema] = field(default_factory=dict)
    checks: Mapping[str, CheckSchema] = field(default_factory=dict)
    tables: Mapping[str, TableShape] = field(default_factory=dict)

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
        found = [each for each, table in self.tables.items() if table.supplier == supplier and supplier]
        if name in found:
            return name
        inner = [each for each in found if each.endswith(f".{name}")]
        return inner[0] if len(inner) == 1 else None

    def to_data(self) -> dict[str, Any]:
        """Plain data for a cache; a copy is kept with the formula that it copies, as what it adds to its name."""
        copies: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        own = []
        for each in self.formulas.values():
            if each.original in self.formulas:
                added = each.name.removeprefix(each.original)
                copies.setdefault(each.original, []).append((added, each.folders))
            else:
                own.append(each)
        return {
            "inputs": list(self.inputs.values()),
            "formulas": own,
            "copies": copies,
            "checks": list(self.checks.values()),
            "tables": list(self.tables.values()),
        }


def schema_from(data: Mapping[str, Any]) -> Schema:
    """The schema whose data were kept: each of its tuples as a list, and copies by what they copy."""
    formulas = {name: FormulaSchema(name, Quantified(*kind), *rest) for name, kind, *rest in data["formulas"]}
    for original, copies in data["copies"].items():
        _, quantity, sentence, place, kind, namespace, _, _ = formulas[original]
        for added, folders in copies:
            name = original + added
            formulas[name] = FormulaSchema(name, quantity, sentence, place, kind, namespace, folders, original)
    inputs = {
        name: InputSchema._make((name, Quantified(*kind), *rest, Cell(*cell) if cell else None))
        for name, kind, *rest, cell in data["inputs"]
    }
    return Schema(
        inputs,
        formulas,
        {name: CheckSchema(name, *rest) for name, *rest in data["checks"]},
        {name: TableShape(name, *rest) for name, *rest in data["tables"]},
    )
