"""Parses requested units, as in `battery in kWh`, and makes an evaluator that shows those quantities in them."""

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from formula_eval.core.unit import Unit
from formula_eval.evaluate.display_unit import unit_for
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.required_choices import refusal
from formula_eval.evaluate.selection import is_glob
from formula_eval.records.givens import ANY_QUESTION, Givens, Question
from formula_eval.records.schema import Schema

if TYPE_CHECKING:
    from formula_eval.resolve.passes import Resolved

_IN = r"(.*\S)\s+in\s+(\S.*)"


def selected(
    evaluator: Evaluator, patterns: Sequence[str], question: Question = ANY_QUESTION
) -> tuple[Evaluator, list[str]]:
    """The quantities that the patterns name, and an evaluator that shows those in the units asked for."""
    units: dict[str, Unit] = {}
    found: dict[str, None] = {}
    for pattern in patterns:
        written = re.fullmatch(_IN, pattern)
        names = evaluator.select([written[1] if written else pattern], question)
        found.update(dict.fromkeys(names))
        if written:
            schema = evaluator.schema
            units |= {name: unit_for(schema.quantity(name), written[2], schema.units, f"`{name}`") for name in names}
    return (Converted(evaluator, units) if units else evaluator), list(found)


def refuse_unchosen(
    evaluator: Evaluator, patterns: Sequence[str], givens: Givens, question: Question = ANY_QUESTION
) -> None:
    """Refuse what was named by itself, no glob or folder, and lacks a choice that nobody made."""
    for pattern in patterns:
        written = re.fullmatch(_IN, pattern)
        name, *others = evaluator.select([written[1] if written else pattern], question)
        if not others and not is_glob(pattern) and evaluator.schema.unchosen(name, givens.values):
            raise refusal(name, givens.values, evaluator.schema)


class Converted(Evaluator):
    """An evaluator that shows some quantities in other units than their authors declared."""

    def __init__(self, evaluator: Evaluator, units: Mapping[str, Unit]) -> None:
        """Show these quantities in these units, all others as before."""
        super().__init__(evaluator.library, evaluator.cache)
        self._own = evaluator
        self.shown_in = units

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the library."""
        return self._own.fingerprint

    @cached_property
    def schema(self) -> Schema:
        """The schema with these units."""
        own = self._own.schema
        shown = {name: unit.quantity(own.quantity(name).kind) for name, unit in self.shown_in.items()}
        inputs = {name: own.inputs[name]._replace(quantity=each) for name, each in shown.items() if name in own.inputs}
        formulas = {
            name: own.formulas[name]._replace(quantity=each) for name, each in shown.items() if name not in own.inputs
        }
        return own._replace(inputs={**own.inputs, **inputs}, formulas=ChainMap(formulas, own.formulas))  # type: ignore[arg-type]

    @cached_property
    def resolved(self) -> "Resolved":
        """The graph with these units."""
        from dataclasses import replace  # noqa: PLC0415 - the everyday command needs no graph

        own = self._own.resolved
        if own.graph is None:
            return own
        nodes = {name: replace(own.graph.nodes[name], shown_in=unit) for name, unit in self.shown_in.items()}
        return replace(own, graph=replace(own.graph, nodes={**own.graph.nodes, **nodes}))
