"""Reads from `--answer` what a question is about: serving, training, or a namespace."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.library import Library
from formula_eval.records.scenario_file import read_scenario
from formula_eval.records.schema import Schema

SERVING, TRAINING = "serving", "training"
ANSWER = "answer"


class Purpose(NamedTuple):
    """The namespace that is asked, our own answer without one, and whether it is asked about a training run."""

    namespace: str = ""
    training: bool = False


def purpose_of(answer: str, library: Library, schema: Schema) -> Purpose:
    """What an answer is about, without one what the library says; raises FormulaError for an unknown one."""
    said = answer or library.answer
    if said in ("", SERVING, TRAINING):
        return Purpose(training=said == TRAINING)
    prefix, _, last = said.rpartition(".")
    if last == TRAINING and prefix and library.last(f"reports/answers/{said}.toml")[0]:
        return Purpose(prefix, training=True)
    if not _is_namespace(said, schema):
        raise _unknown(said, schema, "" if answer else "library.toml: `answer`: ")
    return Purpose(said)


def _is_namespace(name: str, schema: Schema) -> bool:
    return any(each.startswith(f"{name}.") for each in schema.formulas)


def refuse_unknown_namespace(namespace: str, schema: Schema) -> None:
    """Raise FormulaError for a folder that holds no formula."""
    if not _is_namespace(namespace, schema):
        raise _unknown(namespace, schema, "")


def _unknown(namespace: str, schema: Schema, where: str) -> FormulaError:
    folders = {each.namespace for each in schema.formulas.values() if each.kind == "formula" and each.is_listed}
    near = [each for each in sorted(folders) if each.rpartition(".")[2] == namespace]
    help_ = nearest(near[0] if near else namespace, folders) or "`formula-eval list namespaces` shows all."
    return refuse("unknown-namespace", f"{where}There is no namespace `{namespace}`", help=help_)


def stated_answer(scenario: str, stated: Mapping[str, Any] | None = None) -> str:
    """What a scenario file asks for by `answer = "training"`; nothing if it does not say."""
    if not scenario:
        return ""
    said = (read_scenario(scenario) if stated is None else stated).get(ANSWER, "")
    if not isinstance(said, str):
        help_ = f'Write `{ANSWER} = "{TRAINING}"`, "{SERVING}" or a namespace.'
        raise refuse("bad-value", f"{scenario}: `{ANSWER} = {said!r}` is not a name", help=help_)
    return said
