"""The quantities that documents hold when nobody names any: reports/export.toml of the last folder that has one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.library import Library
from formula_eval.records.givens import Givens, Question, spoken


def quantities_of(library: Library, name: str, question: Question, givens: Givens) -> list[str]:
    """The quantities of a format, and those that inputs bring which the question itself sets, not a record."""
    shown, lists = _lists(library, question.purpose)
    where = f"{shown}: `{name}` of [{question.purpose}]"
    more = lists.get("with", {})
    added = [more[each] for each in _set_by(question, givens) if each in more]
    found = [lists.get(name, lists.get("others", ["*"])), *added]
    return list(dict.fromkeys(each for names in found for each in _names(names, where)))


def brought_by(library: Library, purpose: str, name: str) -> Sequence[str]:
    """The quantities that an input brings when a question sets it."""
    found: Sequence[str] = _lists(library, purpose)[1].get("with", {}).get(name, ())
    return found


def _lists(library: Library, purpose: str) -> tuple[str, Mapping[str, Any]]:
    """What messages call the file, and its lists for a purpose."""
    shown, data = library.last("reports/export.toml")
    lists = data.get(purpose, {})
    return shown, lists if isinstance(lists, Mapping) else {"others": lists}


def _set_by(question: Question, givens: Givens) -> Iterator[str]:
    """The inputs whose value the question states: by an option or in a scenario file."""
    for name, who in givens.origins.items():
        if who in (question.scenario, spoken(name, question.origin)):
            yield name


def _names(names: object, where: str) -> list[str]:
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise refuse("bad-report", f"{where} is no list of names")
    return names
