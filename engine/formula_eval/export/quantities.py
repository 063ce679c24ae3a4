"""Selects the quantities that head a document whose layout names none of it, and makes its title."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.record_kind import subjects
from formula_eval.export.document import Document


def heads_of(document: Document) -> list[str]:
    """The quantities that head the answer in the situation that the question states; empty where no report says so."""
    situation = document.evaluator.situation(document.question, document.result.givens.values)
    return situation.names if situation else []


def headline_nodes(document: Document, most: int) -> list[Node]:
    """The headlines of a document whose layout names none of it: at most so many of the quantities asked for.

    Those that no other one is computed from come first, what is only a number or an input last; of a namespace only
    what its answer shows, in its order.
    """
    nodes = [document.graph.nodes[name] for name in document.wanted]
    plain = [node for node in nodes if node.kind == "formula" and (document.is_named or not node.original)]
    formulas = {node.name: node for node in plain or (nodes if document.is_named else [])}
    shown = [] if document.is_named else [name for name in dict.fromkeys(_in_answer(document)) if name in formulas]
    if shown:
        return [formulas[name] for name in shown[:most]]
    read = set(document.graph.ancestors([parent for name in formulas for parent in document.graph.parents[name]]))
    return [
        formulas[name]
        for name in sorted(formulas, key=lambda name: (_is_given(formulas[name], document), name in read))[:most]
    ]


def _is_given(node: Node, document: Document) -> bool:
    """Whether a formula only says what an input is, as a quantity of a part can."""
    value = node.expression
    if isinstance(value, e.Reference):
        other = document.graph.nodes[value.node]
        return other.kind == "input" or other.is_replaced_input
    return isinstance(value, e.Number | e.FlagValue | e.ChoiceValue)


def headlines(document: Document, most: int, entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The headlines of a document as entries of a layout; an entry that the layout has of its own is taken over."""
    own = {each["name"]: each for each in entries}
    nodes = headline_nodes(document, most)
    titles = [own.get(node.name, {}).get("title", headline_title(node)) for node in nodes]
    found = []
    for node, title in zip(nodes, titles, strict=True):
        entry = {"name": node.name, "title": title, **own.get(node.name, {})}
        alike = titles.count(title) > 1 and node.name not in own
        found.append({**entry, "title": _with_folder(node)} if alike else entry)
    return found


def is_written_for(document: Document, parts: Iterable[Mapping[str, Any]]) -> bool:
    """Whether parts of a layout name only inputs and wanted quantities, of which the user named none."""
    names = {str(entry["name"]) for part in parts for entry in (part, *part.get("entries", ())) if "name" in entry}
    formulas = {name for name in names if name not in document.evaluator.schema.inputs}
    return not document.is_named and bool(formulas) and formulas <= set(document.wanted)


def _with_folder(node: Node) -> str:
    """The name in words with its folder or row, and its binding, for a title that other headlines share."""
    words = node.base.split(".")[-2:]
    return f"{' '.join(words).replace('_', ' ')}{f', {node.binding}' if node.binding else ''}".capitalize()


def is_about(section: object, document: Document) -> bool:
    """Whether a part of a layout names a wanted quantity, or a table with a wanted cell."""
    wanted = set(document.wanted)
    tables = [name.rsplit(".", 2)[0] for name in wanted if document.graph.nodes[name].cell]
    return any(text in wanted or text in tables for text in _texts(section))


def _texts(part: object) -> Iterator[str]:
    """Every text in a part of a layout."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _texts(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _texts(each)


def headline_title(node: Node) -> str:
    """The name of a quantity in words, without its folders."""
    words = node.declaration.name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _in_answer(document: Document) -> Iterator[str]:
    """The values in the answer of the one namespace that all the quantities are of."""
    library = document.evaluator.library
    purpose = f".{document.question.purpose}" if document.question.purpose else ""
    for _, path in library.files("reports/answers/*.toml"):
        namespace = path.stem.removesuffix(purpose)
        if path.stem == namespace + purpose and all(name.startswith(f"{namespace}.") for name in document.wanted):
            for section in read_answer_layout(library, path.stem).sections:
                if section["kind"] == "values":
                    yield from (entry["name"] for entry in section["entries"] if "name" in entry)


def title_of(document: Document) -> str:
    """One line of plain text."""
    own, chosen = document.evaluator.library.title, subject_of(document)
    if own or chosen:
        return f"{own}: {chosen}" if own and chosen else own or chosen
    nodes = headline_nodes(document, len(document.wanted))
    if len(nodes) == 1:
        return headline_title(nodes[0])
    folders = {node.namespace for node in nodes}
    words = folders.pop().replace("_", " ").replace(".", ": ").capitalize() if len(folders) == 1 else ""
    return words or "Formulas"


def subject_of(document: Document) -> str:
    """The records that it is about, as `Llama 2 70B on NVIDIA L4 24GB`; a list in a library that stands alone."""
    files, records = document.givens.files, document.givens.records
    about = [kind for kind in subjects(document.evaluator.schema.kinds) if kind in document.kinds]
    return joint_of(document).join(files[kind].called if kind in files else records[kind] for kind in about)


def joint_of(document: Document) -> str:
    """The text between the records that a document is about."""
    return ", " if document.evaluator.library.is_alone else " on "
