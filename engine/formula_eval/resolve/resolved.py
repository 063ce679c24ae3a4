"""Holds what chapters were resolved to: the graph or the findings, and what chapters on top of them need."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.unit import UnitTable
from formula_eval.resolve.bindings import CopyNames
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.scope import Scope


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Resolved:
    """The graph, or None and why there is none; the scope tells what was declared.

    What the passes made on the way is there for chapters that are resolved on top of these:

    - `functions` are the checked `def`s;
    - `written` are the nodes before copies were made of them;
    - `names` are what these copies are called.
    """

    graph: FormulaGraph | None
    scope: Scope
    findings: tuple[Diagnostic, ...]  # what is wrong, by file and line
    functions: Mapping[str, Function] = field(default_factory=dict)
    written: Mapping[str, Node] = field(default_factory=dict)
    names: CopyNames = field(default_factory=CopyNames)


NOTHING = Resolved(FormulaGraph({}, {}, {}), Scope(UnitTable({})), ())
