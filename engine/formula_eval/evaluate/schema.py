"""Graph to schema: what the everyday command must know of the formulas, as plain data that a cache can hold."""

from collections.abc import Mapping
from dataclasses import asdict
from dataclasses import dataclass
from dataclasses import field
from typing import Any

from formula_eval.core.expression import Reference
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice
from formula_eval.core.type import Flag
from formula_eval.core.type import Quantity
from formula_eval.core.type import Record
from formula_eval.core.type import Type
from formula_eval.language.expression_text import expression_text


@dataclass(frozen=True, slots=True)
class Quantified:
    """What a value is: its unit, its dimension (`byte/s`, empty for a plain number), its words if it is a choice."""

    kind: str
    unit: str = ""
    dimension: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InputSchema:
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


@dataclass(frozen=True, slots=True)
class FormulaSchema:
    """One quantity that can be asked for."""

    name: str
    quantity: Quantified
    sentence: str
    place: str
    kind: str


@dataclass(frozen=True, slots=True)
class CheckSchema:
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

    def input_name(self, name: str) -> str | None:
        """The input of this name, or the only one of a folder that ends so; None if there is none."""
        if name in self.inputs:
            return name
        inner = [each.name for each in self.inputs.values() if each.name.endswith(f".{name}") and not each.record]
        return inner[0] if len(inner) == 1 else None

    def to_data(self) -> dict[str, Any]:
        """Plain data for a cache."""
        return asdict(self)


def schema_from(data: Mapping[str, Any]) -> Schema:
    """The schema that `to_data` gave."""

    def made(kind: type[Any], each: dict[str, Any]) -> Any:  # noqa: ANN401 - one of three dataclasses
        return kind(**{**each, "quantity": Quantified(**each["quantity"])} if "quantity" in each else each)

    return Schema(
        {name: made(InputSchema, each) for name, each in data["inputs"].items()},
        {name: made(FormulaSchema, each) for name, each in data["formulas"].items()},
        {name: made(CheckSchema, each) for name, each in data["checks"].items()},
        data["tables"],
    )


def schema_of(graph: FormulaGraph) -> Schema:
    """The schema of a graph."""
    inputs, formulas = {}, {}
    for name, node in graph.nodes.items():
        if node.kind == "input":
            inputs[name] = _input(node)
        elif node.kind != "check":
            formulas[name] = FormulaSchema(
                name, quantified(node.type, node.unit), _sentence(node), _place(node), node.kind
            )
    checks = {
        check.node: CheckSchema(
            check.node,
            check.level,
            tuple(f"{{{part.node}}}" if isinstance(part, Reference) else str(part) for part in check.message),
            _place(graph.nodes[check.node]),
        )
        for check in graph.checks
    }
    tables = {name: (each.rows, each.columns, each.supplier) for name, each in graph.tables.items()}
    return Schema(inputs, formulas, checks, tables)


def _input(node: Node) -> InputSchema:
    return InputSchema(
        name=node.name,
        quantity=quantified(node.type, node.unit),
        sentence=_sentence(node),
        place=_place(node),
        supplier=node.supplier,
        record=node.record,
        key=node.key,
        default=expression_text(node.author) if node.author is not None else "",
        optional=node.optional or (node.expression is not None and node.author is None),
        low=node.low,
        high=node.high,
        allowed=node.allowed,
    )


def _sentence(node: Node) -> str:
    return node.declaration.notes.sentence


def _place(node: Node) -> str:
    return f"{node.declaration.span.file}:{node.declaration.span.line}"


def quantified(type_: Type, unit: str) -> Quantified:
    """A type and its unit as plain data."""
    match type_:
        case Quantity(dimension, whole):
            kind = "whole" if whole else "number"
            return Quantified(kind, unit, str(dimension) if dimension.exponents else "")
        case Flag():
            return Quantified("flag")
        case Choice(values):
            return Quantified("choice", words=values)
        case Record(supplier):
            return Quantified("record", supplier)
    return Quantified("number", unit)
