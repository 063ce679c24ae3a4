"""What was asked for, in the order a reader wants it: heads documents whose layouts name none of it."""

from collections.abc import Iterator

from formula_eval.core.graph import Node
from formula_eval.export.document import Document
from formula_eval.export.terminal.answer_layout import read_layout

_ANSWERS = "reports/answers"


def asked_first(document: Document, most: int) -> list[Node]:
    """At most so many of the quantities asked for, those first that no other one is computed from.

    Of a namespace only what its answer shows.
    """
    nodes = [document.graph.nodes[name] for name in document.wanted]
    formulas = {node.name: node for node in nodes if node.kind == "formula" and not node.original}
    chosen = [name for name in dict.fromkeys(_answered(document)) if name in formulas] or list(formulas)
    read = set(document.graph.ancestors([each for name in chosen for each in document.graph.parents[name]]))
    return [formulas[name] for name in sorted(chosen, key=lambda name: name in read)[:most]]


def asked_title(node: Node) -> str:
    """The name of a quantity in words, without its folders."""
    words = node.declaration.name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _answered(document: Document) -> Iterator[str]:
    """The values in the answer of the one namespace that all the quantities are of."""
    library = document.evaluator.library
    training = ".training" if document.question.training else ""
    for _, path in library.files(f"{_ANSWERS}/*.toml"):
        namespace = path.stem.removesuffix(".training")
        if path.stem == namespace + training and all(each.startswith(f"{namespace}.") for each in document.wanted):
            for section in read_layout(library, path.stem).sections:
                if section["kind"] == "values":
                    yield from (each["name"] for each in section["entries"] if "name" in each)
