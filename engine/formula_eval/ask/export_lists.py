"""Reads reports/export.toml: the quantities of a document when nobody names any, and what inputs add to them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.library import Library
from formula_eval.records.givens import Givens, Question
from formula_eval.records.input_names import spoken
from formula_eval.toml_table import check_table, table

_LISTS = table(
    "with?:added besides?:besides instead?:instead *format:[glob]",
    added=table("*input:[glob]"),
    besides=table("*format:[glob]"),
    instead=table("*option:text"),
)
EXPORT_LISTS = table("*:lists|[glob]", lists=_LISTS)


def quantities_of(library: Library, name: str, question: Question, givens: Givens) -> list[str]:
    """The quantities of a format, and those added by inputs that the question itself sets, not a record."""
    lists = _lists(library, question.about(library))
    more = lists.get("with", {})
    added = [more[each] for each in _set_by(question, givens) if each in more]
    found = [lists.get(name, lists.get("others", ["*"])), lists.get("besides", {}).get(name, []), *added]
    return list(dict.fromkeys(each for names in found for each in names))


def brought_by(library: Library, purpose: str, name: str) -> Sequence[str]:
    """The quantities that an input adds when a question sets it."""
    found: Sequence[str] = _lists(library, purpose).get("with", {}).get(name, ())
    return found


def instead_of(library: Library, purpose: str, name: str) -> str:
    """The option to give in place of one that has no effect; empty where that is no reason to refuse it."""
    return str(_lists(library, purpose).get("instead", {}).get(name, ""))


def _lists(library: Library, purpose: str) -> Mapping[str, Any]:
    """The lists of the file for a purpose; raises FormulaError for a file that is wrong."""
    shown, data = library.last("reports/export.toml")
    check_table(EXPORT_LISTS, data, shown, {})
    lists = data.get(purpose, {})
    return lists if isinstance(lists, Mapping) else {"others": lists}


def _set_by(question: Question, givens: Givens) -> Iterator[str]:
    """The inputs whose value the question states: by an option or in a scenario file."""
    for name, who in givens.origins.items():
        if who in (question.scenario, spoken(name, question.origin)):
            yield name
