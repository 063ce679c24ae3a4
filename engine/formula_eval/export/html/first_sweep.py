"""Chooses what the sweep of a library's page begins with: its first quantity, over its own input that moves it most."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.analyse.sensitivity import asked_sensitivity
from formula_eval.ask.layout import Section
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import Document

_TRIED = 4  # quantities


def with_first_sweep(
    document: Document, sections: list[dict[str, Any]], controls: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The sections; where a library of a user is asked, its sweeps say what they begin with."""
    is_ours, nodes = document.evaluator.library.is_ours, document.graph.nodes
    own = {name for each in controls if not is_ours(nodes[name := each["input"]].declaration.span.file)}
    cards = (entry for section in sections if section["kind"] == "cards" for entry in section["entries"])
    quantities = [str(each["name"]) for each in cards if "name" in each][:_TRIED]
    moved = ((name, _strongest(document, name, own)) for name in quantities if document.is_asked and own)
    name, along = next((each for each in moved if each[1]), ("", ""))
    if not name:
        return sections
    return [_begun(each, name, along) if _is_open(each, own) else each for each in sections]


def _is_open(section: Section, own: set[str]) -> bool:
    """Whether this is a sweep whose layout names no quantity, nor an input of the library."""
    return (
        section["kind"] == "sweep"
        and not section["quantities"]
        and own.isdisjoint(each["input"] for each in section["along"])
    )


def _begun(section: dict[str, Any], quantity: str, along: str) -> dict[str, Any]:
    return {**section, "quantities": [{"name": quantity}], "along": [{"input": along}, *section["along"]]}


def _strongest(document: Document, quantity: str, inputs: set[str]) -> str:
    """The one of these inputs that moves a quantity most; none where it is no number, or 0, or moved by none."""
    try:
        moved = asked_sensitivity(document.evaluator, document.question, quantity).influences
    except FormulaError:
        return ""
    return next((each.name for each in moved if each.name in inputs), "")
