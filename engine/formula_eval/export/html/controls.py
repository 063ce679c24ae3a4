"""Chooses the controls of a page, and what the sweep of a library's page begins with."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf, isfinite
from typing import Any

from formula_eval.analyse.influences import asked_sensitivity
from formula_eval.ask.layout import Section
from formula_eval.core import expression as e
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Date, Flag, Quantity, Record
from formula_eval.export.document import Document
from formula_eval.export.quantities import headline_title

_MOST = 16
_FACTORS = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)
_SHARES = 10
_TRIED = 4  # quantities, for a sweep
_LOW_END, _HIGH_END = 1 / 64, 16  # of the value: within these an end of its range is a stop


def page_controls(document: Document, written: list[Section], held: Collection[str]) -> list[dict[str, Any]]:
    """The controls of the inputs that the page holds: those of the layout, and a library's own where it names none.

    Those of a library's own come first where it alone is asked.
    """
    nodes = document.graph.nodes
    found = [{"title": headline_title(nodes[each["input"]]), **each} for each in written if each["input"] in held]
    known = {each["input"] for each in found}
    own = list(_own_inputs(document))
    chosen = {node.namespace for node in own if node.name in known}
    others = (node for node in own if node.name in held and node.namespace not in chosen)
    more = [_control(node, document) for _, node in zip(range(_MOST), others, strict=False)]
    own_first = document.is_asked and not chosen and not document.evaluator.library.is_alone
    return [*more, *found] if own_first else [*found, *more]


def _own_inputs(document: Document) -> Iterator[Node]:
    """The inputs of a library of the user that no record gives and no runs were fitted to, as their files have them."""
    library = document.evaluator.library
    own = (
        node
        for node in document.nodes
        if node.kind == "input"
        and not (
            node.supplier or node.record or node.cell or node.declaration.notes.fitted or isinstance(node.type, Record)
        )
        and not library.is_ours(node.declaration.span.file)
    )
    yield from sorted(own, key=lambda node: (node.declaration.span.file, node.declaration.span.line))


def _control(node: Node, document: Document) -> dict[str, Any]:
    control: dict[str, Any] = {"input": node.name, "title": headline_title(node)}
    stops = [] if isinstance(node.type, Choice | Date | Flag) else _stops(node, document)
    return {**control, "stops": stops} if len(stops) > 1 else control


def _stops(node: Node, document: Document) -> list[float | str]:
    """The stops of a control within its range, in the unit of its default; plain numbers are in base units."""
    if node.allowed:
        return [_plain(float(number)) for number in node.allowed]
    unit, scale = _unit(node, document)
    whole = isinstance(node.type, Quantity) and node.type.whole
    low, high = float(node.low or 0), inf if node.high is None else float(node.high)
    if high <= 1 and not unit:
        numbers, ends = [low + (high - low) * place / _SHARES for place in range(_SHARES + 1)], []
    else:
        value = document.numbers[node.name]
        middle = value if isfinite(value) and value > 0 else max(low, scale)
        numbers = [number for number in (middle * factor for factor in _FACTORS) if low < number < high]
        ends = [number for number in (low, high) if middle * _LOW_END <= number <= middle * _HIGH_END]
    inner = (float(f"{number / scale:.3g}") for number in numbers)
    shown = sorted(
        {_plain(number, whole=whole) for number in (*inner, *(float(f"{end / scale:.12g}") for end in ends))}
    )
    return [f"{each} {unit}" for each in shown] if unit else list(shown)


def _unit(node: Node, document: Document) -> tuple[str, float]:
    """The unit in which a value is typed, and how many base units it is; none for a plain number."""
    dimension = node.quantity.dimension
    default = node.author
    if not dimension:
        return "", 1.0
    if isinstance(default, e.Number) and default.unit:
        return default.unit, float(document.evaluator.library.units.parse(default.unit).scale)
    return dimension, 1.0


def _plain(number: float, *, whole: bool = False) -> float | int:
    return round(number) if whole or number == round(number) else number


def with_first_sweep(
    document: Document, sections: list[dict[str, Any]], controls: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The sections; where a library of a user is asked, its sweeps say what they begin with."""
    is_ours, nodes = document.evaluator.library.is_ours, document.graph.nodes
    own = {name for control in controls if not is_ours(nodes[name := control["input"]].declaration.span.file)}
    cards = (entry for section in sections if section["kind"] == "cards" for entry in section["entries"])
    quantities = [str(card["name"]) for card in cards if "name" in card][:_TRIED]
    moved = ((name, _strongest(document, name, own)) for name in quantities if document.is_asked and own)
    name, along = next((pair for pair in moved if pair[1]), ("", ""))
    if not name:
        return sections
    return [
        {**section, "quantities": [{"name": name}], "along": [{"input": along}, *section["along"]]}
        if _is_open(section, own)
        else section
        for section in sections
    ]


def _is_open(section: Section, own: set[str]) -> bool:
    """Whether this is a sweep whose layout names no quantity, nor an input of the library."""
    return (
        section["kind"] == "sweep"
        and not section["quantities"]
        and own.isdisjoint(each["input"] for each in section["along"])
    )


def _strongest(document: Document, quantity: str, inputs: set[str]) -> str:
    """The one of these inputs that moves a quantity most; none where it is no number, or 0, or moved by none."""
    try:
        moved = asked_sensitivity(document.evaluator, document.question, quantity).influences
    except FormulaError:
        return ""
    return next((influence.name for influence in moved if influence.name in inputs), "")
