"""The graph of all formulas: static, typed, in the order of evaluation, frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from formula_eval.core.declaration import Declaration
from formula_eval.core.expression import Expression
from formula_eval.core.type import Type

Kind = Literal["input", "formula", "cell", "call", "argument", "check", "message"]


@dataclass(frozen=True, slots=True)
class Node:
    """One scalar of the graph.

    `name` is qualified (`params.total`, `operators.lm_head.flops`); a copy under other inputs bears them behind
    an `@` (`operators.lm_head.flops@prefill`). `expression` is lowered; for an input it is the default, or None.
    `guard` is the condition under which a call inside a branch is computed at all; otherwise it counts 0.
    """

    name: str
    kind: Kind
    type: Type
    unit: str
    expression: Expression | None
    declaration: Declaration
    author: Expression | None = None
    guard: Expression | None = None
    supplier: str = ""
    record: str = ""
    key: str = ""
    optional: bool = False
    binding: str = ""
    low: float | None = None
    high: float | None = None
    allowed: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on the inputs: the node that holds it, its level, and its message with the nodes it quotes."""

    node: str
    level: Literal["refuse", "warn", "note"]
    message: tuple[str | Expression, ...]


@dataclass(frozen=True, slots=True)
class TableShape:
    """The rows and columns of a table, whose cells are nodes `table.row.column`."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    supplier: str = ""


@dataclass(frozen=True)
class FormulaGraph:
    """All nodes, each after those that it reads; nobody checks them again."""

    nodes: Mapping[str, Node]
    parents: Mapping[str, tuple[str, ...]]
    children: Mapping[str, tuple[str, ...]]
    checks: tuple[Check, ...] = ()
    tables: Mapping[str, TableShape] = field(default_factory=dict)
    functions: Mapping[str, Declaration] = field(default_factory=dict)

    @cached_property
    def copies(self) -> Mapping[str, tuple[str, ...]]:
        """Each node that is no copy, with its copies under other inputs behind it."""
        found: dict[str, list[str]] = {}
        for name in self.nodes:
            found.setdefault(name.partition("@")[0], []).append(name)
        return {name: tuple(names) for name, names in found.items()}

    def ancestors(self, names: tuple[str, ...] | list[str]) -> list[str]:
        """These nodes and all that they need, in the order of evaluation."""
        needed, stack = set(), list(names)
        while stack:
            name = stack.pop()
            if name not in needed:
                needed.add(name)
                stack.extend(self.parents[name])
        return sorted(needed, key=self._places.__getitem__)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """Where each node stands in the order of evaluation."""
        return {name: place for place, name in enumerate(self.nodes)}
