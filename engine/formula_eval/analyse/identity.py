"""Identifies the work of many configurations by its formulas, what is asked, and the values of its records.

Interrupted work resumes, and workers take part, only where all of this matches; a difference is reported.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import shortened
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.file_hash import text_hash
from formula_eval.records.givens import Question
from formula_eval.records.reached import values_reached
from formula_eval.records.schema import Schema


class Identity(NamedTuple):
    """A hash of engine and formulas, what is asked by option, and the values of each record that may be read."""

    formulas: str
    asked: Mapping[str, str]
    records: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, evaluator: Evaluator, question: Question, what: object, **asked: object) -> "Identity":
        """The identity of a question and of what else is asked, named by option; `what` is all that is computed."""
        records = values_reached(question, evaluator.schema, evaluator.library)
        said = {**question.records, **question.values, "answer": question.about(evaluator.library), **asked}
        asked_of = {name: str(each) for name, each in said.items()}
        asked_of["what"] = text_hash(repr(what))
        formulas, *rest = json.loads(json.dumps([evaluator.contents, asked_of, records]))  # as read back from a file
        return cls(formulas, *rest)

    @classmethod
    def from_data(cls, data: Any) -> "Identity | None":  # noqa: ANN401 - whatever JSON holds
        """Restores an identity from the data of `to_data`; None for anything else."""
        match data:
            case [str() as formulas, dict() as asked, dict() as records]:
                if all(isinstance(record, dict) for record in records.values()):
                    return cls(formulas, asked, records)
        return None

    @property
    def digest(self) -> str:
        """A short hash of the identity."""
        return text_hash(json.dumps(self, sort_keys=True))

    def difference(self, other: "Identity", schema: Schema, here: str, there: str) -> str:
        """Describes the first difference from another identity, called `here` and `there`; empty without one."""
        if self.formulas != other.formulas:
            return f"the formulas, or the version of formula-eval, are others {there}"
        for called in {**self.records, **other.records}:
            mine, theirs = self.records.get(called, {}), other.records.get(called, {})
            for name in {**mine, **theirs}:
                if mine.get(name) != theirs.get(name):
                    one, two = (_shown(name, each.get(name), schema) for each in (mine, theirs))
                    if one == two:  # in the digits that are shown
                        one, two = repr(mine.get(name)), repr(theirs.get(name))
                    return f"{called} has `{name}` = {one} {here}, {two} {there}"
        for name in {**self.asked, **other.asked}:
            mine_said, theirs_said = self.asked.get(name, ""), other.asked.get(name, "")
            if mine_said != theirs_said and name == "what":
                return f"the values that it computes are others {there}"
            if mine_said != theirs_said:
                one, two = (f"`{shortened(text)}`" if text else "nothing" for text in (mine_said, theirs_said))
                return f"{name.replace('_', ' ')} is {one} {here}, {two} {there}"
        return ""


def _shown(name: str, value: Any, schema: Schema) -> str:  # noqa: ANN401 - whatever a record says
    """A value as people read it."""
    if value is None or isinstance(value, str) or name not in schema.inputs:
        return "nothing" if value is None else f"`{value}`"
    quantity = schema.inputs[name].quantity
    return str(Value(name, quantity.words[int(value)] if quantity.words else value, quantity, schema.units))
