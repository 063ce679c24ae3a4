"""Holds what chapters were resolved to: the graph or the findings, and what chapters on top of them need."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.graph import FormulaGraph, Node, meaning_of
from formula_eval.core.unit import UnitTable
from formula_eval.resolve.bindings import CopyNames
from formula_eval.resolve.kept_nodes import KeptPart, LayeredNodes
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.scope import Scope


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Resolved:
    """The graph, or None and why there is none; the scope tells what was declared.

    What the passes made on the way is there for chapters that are resolved on top of these, or in place of some:

    - `functions` are the checked `def`s;
    - `written` are the nodes before copies were made of them;
    - `reads` says of each of those what it reads;
    - `inputs` are the names of those that are inputs;
    - `names` are the `CopyNames` of these copies;
    - `patch_of` is what this one was made of by making few nodes anew, if it was, and the key of that in the cache.
    """

    graph: FormulaGraph | None
    scope: Scope
    findings: tuple[Diagnostic, ...]  # what is wrong, by file and line
    functions: Mapping[str, Function] = field(default_factory=dict)
    written: Mapping[str, Node] = field(default_factory=dict)
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    names: KeptPart = field(default_factory=lambda: KeptPart(None, CopyNames()))
    patch_of: "tuple[str, Resolved] | None" = None

    @property
    def whole(self) -> FormulaGraph:
        """The graph; raises FormulaError with everything that is wrong where there is none."""
        if self.graph is None:
            raise FormulaError(*self.findings)
        return self.graph

    @property
    def made_anew(self) -> Mapping[str, Node]:
        """The nodes of the graph that are others than in the one that this is a patch of; none if it is no patch."""
        nodes = None if self.graph is None or self.patch_of is None else self.graph.nodes
        return nodes.over if isinstance(nodes, LayeredNodes) else {}

    @property
    def means_anew(self) -> Mapping[str, Node]:
        """Those of them that mean something else than there, or are not there at all."""
        before = {} if self.patch_of is None else self.patch_of[1].whole.nodes
        return {
            name: node
            for name, node in self.made_anew.items()
            if name not in before or meaning_of(before[name]) != meaning_of(node)
        }


NOTHING = Resolved(FormulaGraph({}, {}), Scope(UnitTable({})), ())
