"""Views of an evaluator: with other units of display, as in `battery in kWh`, and with conditions among its quantities.

`View(evaluator, ["inference.tpot <= 10 ms"])` has the conditions as quantities: their nodes are wanted from a
program as any other, `program((*wanted, *(each.node for each in view.conditions)))`, one value for each configuration.
Conditions that were read are kept in the cache, and programs under the conditions' own text, so that neither parser
nor graph is loaded to ask the same again.
"""

import re
from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from formula_eval.core.condition import Condition
from formula_eval.core.unit import Unit
from formula_eval.evaluate.display_unit import unit_for
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program_store import ProgramStore
from formula_eval.evaluate.required_choices import refusal
from formula_eval.evaluate.selection import is_glob
from formula_eval.file_hash import text_hash
from formula_eval.records.answer_kind import folders_of_others
from formula_eval.records.givens import ANY_QUESTION, Givens, Question
from formula_eval.records.schema import FormulaSchema, Schema

if TYPE_CHECKING:
    from formula_eval.core.graph import FormulaGraph
    from formula_eval.resolve.resolved import Resolved

_IN = r"(.*\S)\s+in\s+(\S.*)"
_NO_UNITS: Mapping[str, Unit] = MappingProxyType({})


def selected(
    evaluator: Evaluator, patterns: Sequence[str], question: Question = ANY_QUESTION
) -> tuple[Evaluator, list[str]]:
    """The quantities that the patterns name, and an evaluator that shows those in the units asked for.

    Globs but `*` mean what questions about another purpose are asked for only where they begin with its folder, or mean
    nothing else.
    """
    units: dict[str, Unit] = {}
    found: dict[str, None] = {}
    for pattern in patterns:
        written = re.fullmatch(_IN, pattern)
        names = evaluator.select([written[1] if written else pattern], question)
        if is_glob(pattern) and pattern != "*":
            folders = folders_of_others(question.about(evaluator.library), evaluator.library)
            others = tuple(f"{folder}." for folder in folders if not pattern.startswith(folder))
            names = [name for name in names if not name.startswith(others)] or names
        found.update(dict.fromkeys(names))
        if written:
            schema = evaluator.schema
            units |= {name: unit_for(schema.quantity(name), written[2], schema.units, f"`{name}`") for name in names}
    return (View(evaluator, units=units) if units else evaluator), list(found)


def refuse_unchosen(
    evaluator: Evaluator, patterns: Sequence[str], givens: Givens, question: Question = ANY_QUESTION
) -> None:
    """Refuse what was named by itself, no glob or folder, and lacks a choice that nobody made."""
    for pattern in patterns:
        written = re.fullmatch(_IN, pattern)
        name, *others = evaluator.select([written[1] if written else pattern], question)
        if not others and not is_glob(pattern) and evaluator.schema.unchosen(name, givens.values):
            raise refusal(name, givens.values, evaluator.schema)


class View(Evaluator):
    """An evaluator that shows some quantities in other units than declared, and whose graph also holds conditions."""

    def __init__(
        self,
        evaluator: Evaluator,
        texts: Sequence[str] = (),
        question: Question = ANY_QUESTION,
        first: Collection[str] = (),
        units: Mapping[str, Unit] = _NO_UNITS,
    ) -> None:
        """Read, type and add the conditions.

        Args:
            evaluator: whose formulas they speak of.
            texts: the conditions, such as `memory.fits` or `inference.tpot == 10 ms`.
            question: in whose situation short names have their meaning, and whose namespace is looked up first.
            first: the quantities that a bare name means where several end so.
            units: the units in which quantities are shown, all others as before.

        Raises:
            FormulaError: for a text that is not a condition, names nothing, or compares different units.

        """
        super().__init__(evaluator.library, evaluator.cache)
        self._own = evaluator
        self._units = units
        self.shown_in = {**evaluator.shown_in, **units}
        situation = evaluator.situation(question) if texts else None
        self._asked = tuple(texts), question.namespace, tuple(first), situation.short if situation else {}
        self.conditions, self._described = self._kept()

    def _kept(self) -> tuple[list[Condition], dict[str, FormulaSchema]]:
        """The conditions and their descriptions, from the cache if they are there."""
        if not self._asked[0]:
            return [], {}
        key = f"{self.fingerprint}-conditions-{text_hash(repr(self._asked))}"
        held: tuple[list[Condition], dict[str, FormulaSchema]] | None = self.cache.get_object(key, tuple)
        if held is None:
            graph, conditions = self._joined
            names = [name for condition in conditions for name in (condition.node, condition.gap) if name]
            held = conditions, {name: self._description(graph, name) for name in names}
            self.cache.put_object(key, held)
        return held

    @cached_property
    def _joined(self) -> "tuple[FormulaGraph, list[Condition]]":
        """The graph with the conditions added, and the conditions."""
        if not self._asked[0]:
            return self._own.graph, []
        from formula_eval.resolve.condition import Names, with_conditions  # noqa: PLC0415 - the parser is heavy, the cache makes it rare

        names = Names(*self._asked[1:], self._own.schema.units)
        return with_conditions(self._own.resolved, self._asked[0], self._own.library, names)

    @cached_property
    def fingerprint(self) -> str:
        """The library's fingerprint, unchanged: a condition is named by its own text."""
        return self._own.fingerprint

    @cached_property
    def store(self) -> ProgramStore:
        """The programs of the conditions beside those of the formulas."""
        return ProgramStore(self.cache, self.fingerprint, lambda: self.resolved, lambda: self._own.store)

    @cached_property
    def schema(self) -> Schema:
        """The schema with these units, and the conditions among the quantities."""
        own = self._own.schema
        shown = {name: unit.quantity(own.quantity(name).kind) for name, unit in self._units.items()}
        inputs = {
            name: own.inputs[name]._replace(quantity=quantified)
            for name, quantified in shown.items()
            if name in own.inputs
        }
        formulas = {
            name: own.formulas[name]._replace(quantity=quantified)
            for name, quantified in shown.items()
            if name not in own.inputs
        }
        joined = ChainMap({**self._described, **formulas}, own.formulas)  # type: ignore[arg-type]
        return own._replace(inputs={**own.inputs, **inputs}, formulas=joined)

    def _description(self, graph: "FormulaGraph", name: str) -> FormulaSchema:
        node = graph.nodes[name]
        known = self._own.schema.formulas
        folders = {folder for read in graph.reads(name) if read in known for folder in known[read].folders}
        sentence = node.sentence
        return FormulaSchema(name, node.quantity, sentence, "", "condition", "", tuple(sorted(folders)), "", node.needs)

    @cached_property
    def resolved(self) -> "Resolved":
        """The graph with these units and the conditions."""
        from dataclasses import replace  # noqa: PLC0415 - the everyday command needs no graph

        from formula_eval.core.graph import overlaid  # noqa: PLC0415 - as above

        own = self._own.resolved
        if own.graph is None:
            return own
        graph, _ = self._joined
        nodes = {name: replace(graph.nodes[name], shown_in=unit) for name, unit in self._units.items()}
        whole = replace(graph, nodes=overlaid(graph.nodes, nodes)) if nodes else graph
        return own if whole is own.graph else replace(own, graph=whole, patch_of=None)
