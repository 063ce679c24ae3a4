"""Which quantities a document holds when nobody names any (reports/export.toml), and which of them head it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formula_eval.core.diagnostic import refuse
from formula_eval.export.terminal.answer_layout import read_answer_layout
from formula_eval.library import Library
from formula_eval.records.givens import Givens, Question, spoken

if TYPE_CHECKING:
    from formula_eval.core.graph import Node
    from formula_eval.export.document import Document


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


def headline_nodes(document: "Document", most: int) -> list["Node"]:
    """What heads a document whose layout names nothing of it: at most so many of the quantities that it was asked for.

    Those that no other one is computed from come first. Of a namespace only what its answer shows.
    """
    nodes = [document.graph.nodes[name] for name in document.wanted]
    formulas = {node.name: node for node in nodes if node.kind == "formula" and not node.original}
    chosen = [name for name in dict.fromkeys(_in_answer(document)) if name in formulas] or list(formulas)
    read = set(document.graph.ancestors([parent for name in chosen for parent in document.graph.parents[name]]))
    return [formulas[name] for name in sorted(chosen, key=lambda name: name in read)[:most]]


def headline_title(node: "Node") -> str:
    """The name of a quantity in words, without its folders."""
    words = node.declaration.name.replace("_", " ")
    return words[:1].upper() + words[1:]


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


def _in_answer(document: "Document") -> Iterator[str]:
    """The values in the answer of the one namespace that all the quantities are of."""
    library = document.evaluator.library
    training = ".training" if document.question.training else ""
    for _, path in library.files("reports/answers/*.toml"):
        namespace = path.stem.removesuffix(".training")
        if path.stem == namespace + training and all(name.startswith(f"{namespace}.") for name in document.wanted):
            for section in read_answer_layout(library, path.stem).sections:
                if section["kind"] == "values":
                    yield from (entry["name"] for entry in section["entries"] if "name" in entry)
