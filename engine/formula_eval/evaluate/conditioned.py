"""An evaluator and conditions in the formula language to an evaluator whose graph holds them too.

`Conditioned(evaluator, ["inference.tpot <= 10 ms"])` has the conditions as quantities: their nodes are wanted from a
program as any other, `program((*wanted, *(each.node for each in conditioned.conditions)))`, one value for each
configuration. Programs are kept in the cache under the conditions' own text.
"""

from collections import ChainMap
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.schema import FormulaSchema, Schema
from formula_eval.resolve.condition import with_conditions

if TYPE_CHECKING:
    from formula_eval.resolve.passes import Resolved


class Conditioned(Evaluator):
    """An evaluator whose graph holds conditions that somebody asked for."""

    def __init__(
        self, evaluator: Evaluator, texts: Sequence[str], namespace: str = "", first: Collection[str] = ()
    ) -> None:
        """Read, type and add the conditions.

        Args:
            evaluator: whose formulas they speak of.
            texts: the conditions, such as `memory.fits` or `inference.tpot == 10 ms`.
            namespace: where bare names are looked up first.
            first: the quantities that a bare name means where several end so.

        Raises:
            FormulaError: for a text that is no condition, names nothing, or compares different units.

        """
        super().__init__(evaluator.library, evaluator.cache)
        self._own = evaluator
        self.shown_in = evaluator.shown_in
        self._graph, self.conditions = with_conditions(
            evaluator.resolved, texts, evaluator.library.units, namespace, first
        )

    @cached_property
    def fingerprint(self) -> str:
        """That of the library: a condition's name is what it says."""
        return self._own.fingerprint

    @cached_property
    def schema(self) -> Schema:
        """The schema with the conditions among the quantities."""
        own = self._own.schema
        found = {name: self._described(name) for each in self.conditions for name in (each.node, each.gap) if name}
        return replace(own, formulas=ChainMap(found, own.formulas))  # type: ignore[arg-type]

    def _described(self, name: str) -> FormulaSchema:
        node = self._graph.nodes[name]
        known = self._own.schema.formulas
        folders = {each for read in self._graph.reads(name) if read in known for each in known[read].folders}
        sentence = node.declaration.notes.sentence
        return FormulaSchema(name, node.quantity, sentence, "", "condition", "", tuple(sorted(folders)), "", node.needs)

    @cached_property
    def resolved(self) -> "Resolved":
        """The graph with the conditions."""
        return replace(self._own.resolved, graph=self._graph)
