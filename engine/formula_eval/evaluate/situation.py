"""Reads reports/situations.toml: which quantities head an answer in the situation that a question states.

A question about serving states a load, or pools of workers apart, or neither; one about training is a situation of its
own. Every verb takes from here what it shows first and what a short name such as `tpot` means.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.library import Library
from formula_eval.records.givens import Question, scenario_data
from formula_eval.records.schema import Schema
from formula_eval.records.synonyms import plain_name
from formula_eval.toml_table import check_table, table

FILE = "reports/situations.toml"
_HEAD = table("title name:formula called?:[text] with?:[input] without?:[input]")
_SITUATION = table(
    "title purpose stated?:[input] where?:where head:[head] names?:names",
    where=table("*input:any"),
    head=_HEAD,
    names=table("*formula:[text]"),
)
SITUATIONS = table("situation?:[situation]", situation=_SITUATION)


class Head(NamedTuple):
    """A quantity that is read first: its title, its name, and the short names that mean it in this situation."""

    title: str
    name: str
    called: Sequence[str] = ()


class AnswerSituation(NamedTuple):
    """One situation: the quantities that head its answer, in order, and the short names of others."""

    title: str
    heads: Sequence[Head]
    others: Mapping[str, Sequence[str]] = {}  # short names by quantity

    @property
    def names(self) -> list[str]:
        """The quantities of the heads, in order."""
        return [head.name for head in self.heads]

    @property
    def short(self) -> dict[str, str]:
        """The quantities by the short names that mean them here."""
        others = {called: name for name, short in self.others.items() for called in short}
        return others | {called: head.name for head in self.heads for called in head.called}

    def meant(self, name: str) -> str:
        """The quantity that a short name means here; nothing where it means none."""
        return self.short.get(plain_name(name), "")


def situation_of(
    library: Library, schema: Schema, question: Question, values: Mapping[str, Any] | None = None
) -> AnswerSituation | None:
    """The first situation of the question's purpose whose conditions hold; None for a purpose that has none.

    `values` are those of the inputs that the question and its records set, by name: what a record states counts for the
    heads, and for situations that depend on a model.
    """
    shown, found = library.last(FILE)
    check_table(SITUATIONS, found, shown, schema.vocabulary)
    stated, purpose = _stated(question, schema), question.about(library)
    for each in found.get("situation", ()):
        if each["purpose"] == purpose and _holds(each, stated, values or {}):
            there = (head for head in each["head"] if is_there(head, {*stated, *(values or ())}))
            heads = [Head(head["title"], head["name"], head.get("called", ())) for head in there]
            return AnswerSituation(each["title"], heads, each.get("names", {}))
    return None


def titles(library: Library, purpose: str = "") -> Mapping[str, str]:
    """The title of each quantity that heads an answer in any situation, or in any of one purpose."""
    _, found = library.last(FILE)
    asked = [each for each in found.get("situation", ()) if purpose in ("", each["purpose"])]
    plainest_last = sorted(asked, key=lambda each: "where" not in each)
    heads = (head for each in plainest_last for head in each["head"])
    return {head["name"]: head["title"] for head in heads}


def is_there(part: Mapping[str, Any], stated: Collection[str]) -> bool:
    """Whether a part of a report applies: one of its `with` inputs is set, and none of its `without` inputs."""
    wanted = "with" not in part or any(name in stated for name in part["with"])
    return wanted and not any(name in stated for name in part.get("without", ()))


def _holds(said: Mapping[str, Any], stated: Collection[str], values: Mapping[str, Any]) -> bool:
    """Whether one of its inputs is stated, if it names any, and all its inputs have the values that it names."""
    if "stated" in said and not any(name in stated for name in said["stated"]):
        return False
    return has_values(values, said.get("where", {}))


def has_values(values: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether all these inputs have the values that are wanted."""
    return all(name in values and values[name] == value for name, value in wanted.items())


def _stated(question: Question, schema: Schema) -> Collection[str]:
    """The inputs that a question and its scenario set."""
    names = (*scenario_data(question), *question.values)
    return {schema.input_name(name, question.namespace) or "" for name in names}
