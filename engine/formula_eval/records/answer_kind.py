"""Reads from `--answer` what a question is about: one of the purposes of a library, or a namespace."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.library import Library
from formula_eval.records.roles import roles_of
from formula_eval.records.scenario_file import read_scenario
from formula_eval.records.schema import Schema

ANSWER = "answer"


class Purpose(NamedTuple):
    """The namespace that is asked, our own answer without one, and what about; nothing for what is usual."""

    namespace: str = ""
    purpose: str = ""


def purpose_of(answer: str, library: Library, schema: Schema) -> Purpose:
    """What an answer is about, without one what the library says; raises FormulaError for an unknown one."""
    said = answer_of_its_own(answer, library) or answer or library.answer
    usual, *others = roles_of(library).purposes
    if said in ("", usual, *others):
        return Purpose(purpose=said)
    prefix, _, last = said.rpartition(".")
    if last in others and prefix and library.last(f"reports/answers/{said}.toml")[0]:
        return Purpose(prefix, last)
    if not _is_namespace(said, schema):
        raise _unknown(said, schema, "" if answer else "library.toml: `answer`: ")
    return Purpose(said)


def answer_of_its_own(purpose: str, library: Library) -> str:
    """The answer about a purpose that a library has of its own: a report of its namespace; nothing without one."""
    own = f"{library.answer}.{purpose}"
    is_purpose = bool(library.answer) and purpose in roles_of(library).purposes
    return own if is_purpose and library.last(f"reports/answers/{own}.toml")[0] else ""


def usual_purpose(library: Library) -> str:
    """What a question is about that does not say it."""
    return roles_of(library).purposes[0]


def folders_of_others(purpose: str, library: Library) -> frozenset[str]:
    """The folders of what questions about other purposes are asked for; none for what is not a purpose."""
    folders = {name: quantity.partition(".")[0] for name, quantity in roles_of(library).job.items()}
    return (
        frozenset(folder for name, folder in folders.items() if name != purpose) if purpose in folders else frozenset()
    )


def _is_namespace(name: str, schema: Schema) -> bool:
    return any(formula.startswith(f"{name}.") for formula in schema.formulas)


def refuse_unknown_namespace(namespace: str, schema: Schema) -> None:
    """Raise FormulaError for a folder that holds no formula."""
    if not _is_namespace(namespace, schema):
        raise _unknown(namespace, schema, "")


def _unknown(namespace: str, schema: Schema, where: str) -> FormulaError:
    folders = {
        formula.namespace for formula in schema.formulas.values() if formula.kind == "formula" and formula.is_listed
    }
    near = [folder for folder in sorted(folders) if folder.rpartition(".")[2] == namespace]
    help_ = nearest(near[0] if near else namespace, folders) or "`formula-eval list namespaces` shows all."
    return refuse("unknown-namespace", f"{where}There is no namespace `{namespace}`", help=help_)


def stated_answer(scenario: str, stated: Mapping[str, Any] | None = None) -> str:
    """What a scenario file asks for by `answer = "training"`; nothing if it does not say."""
    if not scenario:
        return ""
    said = (read_scenario(scenario) if stated is None else stated).get(ANSWER, "")
    if not isinstance(said, str):
        help_ = f'Write `{ANSWER} = "NAME"`, as --answer takes one.'
        raise refuse("bad-value", f"{scenario}: `{ANSWER} = {said!r}` is not a name", help=help_)
    return said
