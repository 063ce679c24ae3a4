"""Adds conditions, written in the formula language, to the graph of an evaluator.

`Conditioned(evaluator, ["inference.tpot <= 10 ms"])` has the conditions as quantities: their nodes are wanted from a
program as any other, `program((*wanted, *(each.node for each in conditioned.conditions)))`, one value for each
configuration. Conditions that were read are kept in the cache, and programs under the conditions' own text, so that
neither parser nor graph is loaded to ask the same again.
"""

from collections import ChainMap
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from formula_eval.core.condition import Condition
from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.file_hash import sha256
from formula_eval.records.givens import ANY_QUESTION, Question
from formula_eval.records.schema import FormulaSchema, Schema

if TYPE_CHECKING:
    from formula_eval.resolve.passes import Resolved


class Conditioned(Evaluator):
    """An evaluator whose graph also holds the conditions asked for."""

    def __init__(
        self,
        evaluator: Evaluator,
        texts: Sequence[str],
        question: Question = ANY_QUESTION,
        first: Collection[str] = (),
    ) -> None:
        """Read, type and add the conditions.

        Args:
            evaluator: whose formulas they speak of.
            texts: the conditions, such as `memory.fits` or `inference.tpot == 10 ms`.
            question: in whose situation short names have their meaning, and whose namespace is looked up first.
            first: the quantities that a bare name means where several end so.

        Raises:
            FormulaError: for a text that is not a condition, names nothing, or compares different units.

        """
        super().__init__(evaluator.library, evaluator.cache)
        self._own = evaluator
        situation = evaluator.situation(question) if texts else None
        self._asked = tuple(texts), question.namespace, tuple(first), situation.short if situation else {}
        self.shown_in = evaluator.shown_in
        self.conditions, self._described = self._kept()

    def _kept(self) -> tuple[list[Condition], dict[str, FormulaSchema]]:
        """The conditions and their descriptions, from the cache if they are there."""
        if not self._asked[0]:
            return [], {}
        key = f"{self.fingerprint}-conditions-{sha256(repr(self._asked).encode()).hexdigest()}"
        held: tuple[list[Condition], dict[str, FormulaSchema]] | None = self.cache.get_object(key)
        if held is None:
            graph, conditions = self._joined
            names = [name for each in conditions for name in (each.node, each.gap) if name]
            held = conditions, {name: self._description(graph, name) for name in names}
            self.cache.put_object(key, held)
        return held

    @cached_property
    def _joined(self) -> tuple[FormulaGraph, list[Condition]]:
        """The graph with the conditions added, and the conditions."""
        from formula_eval.resolve.condition import Names, with_conditions  # noqa: PLC0415 - the parser is heavy, the cache makes it rare

        names = Names(*self._asked[1:], self._own.schema.units)
        return with_conditions(self._own.resolved, self._asked[0], self._own.library, names)

    @cached_property
    def fingerprint(self) -> str:
        """The library's fingerprint, unchanged: a condition is named by its own text."""
        return self._own.fingerprint

    @cached_property
    def schema(self) -> Schema:
        """The schema with the conditions among the quantities."""
        own = self._own.schema
        return own._replace(formulas=ChainMap(self._described, own.formulas))  # type: ignore[arg-type]

    def _description(self, graph: FormulaGraph, name: str) -> FormulaSchema:
        node = graph.nodes[name]
        known = self._own.schema.formulas
        folders = {each for read in graph.reads(name) if read in known for each in known[read].folders}
        sentence = node.declaration.notes.sentence
        return FormulaSchema(name, node.quantity, sentence, "", "condition", "", tuple(sorted(folders)), "", node.needs)

    @cached_property
    def resolved(self) -> "Resolved":
        """The graph with the conditions."""
        return replace(self._own.resolved, graph=self._joined[0])
