"""Builds the graph of one phase: operators with their work, traffic and time, and what bounds them."""

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from formula_eval.ask.layout import Section, row_title
from formula_eval.core.arithmetic import added
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.result import Result
from formula_eval.export.diagram.arrows import Arrow, circle_in, following_of, without_implied
from formula_eval.export.diagram.diagram_layout import DIAGRAM_COLUMNS, DiagramLayout
from formula_eval.records.schema import Schema

_NOTHING = 1e-9  # a rest smaller than this share of the whole is rounding


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in base units with its text."""

    value: float = 0.0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Operator:
    """One node: all its runs in the phase together. `each` says the same of one run; empty amounts are unknown."""

    id: str  # the row or node, as arrows name it
    title: str  # heading of its card
    sentence: str  # what it is, empty where nobody says
    count: float  # runs in the phase
    flops: Amount  # work of all runs
    bytes: Amount  # memory traffic of all runs
    time: Amount  # of all runs; in graphs of quantities the value
    bound: str  # the word for what limits it
    share: float  # its part of the phase's time, 0 to 1
    each: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """The operators of one phase by id, the arrows between them, and the time of all of it."""

    title: str  # heading above the graph
    sentence: str  # the line beneath the title, or empty
    at: str  # name of the table's copy, empty for itself
    total: Amount  # in seconds; without a text where unknown
    operators: Mapping[str, Operator]
    arrows: tuple[Arrow, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a layout names, evaluated, with the sentences of the table's rows."""

    layout: DiagramLayout
    result: Result
    schema: Schema
    sentences: Mapping[str, str]

    def amount(self, name: str) -> Amount:
        """A quantity with its text."""
        return Amount(self.result.numbers[name], str(self.result[name]))

    def shown(self, value: float, name: str) -> Amount:
        """A number of the same kind as a quantity."""
        return Amount(value, shown_value(value, self.schema.quantity(name)))


def phase_graph(phase: Section, numbers: Numbers) -> Phase:
    """The graph of a phase without what does not run in it."""
    total = numbers.amount(phase["total"])
    operators = {
        operator.id: operator for operator in _operators(phase, total.value, numbers) if operator.time.value > 0
    }
    flags = {name for name in numbers.layout.flags if numbers.result.numbers[name]}
    arrows = arrows_between(set(operators), numbers.layout, numbers.layout.rows(numbers.schema), flags)
    return Phase(phase["title"], phase.get("says", ""), phase["at"], total, operators, arrows)


def _operators(phase: Section, total: float, numbers: Numbers) -> Iterator[Operator]:
    layout, schema = numbers.layout, numbers.schema
    found = [_from_row(row, phase["at"], total, numbers) for row in layout.rows(schema)]
    timed = [(node, layout.time_of(node, phase["at"], schema)) for node in layout.nodes]
    found += [_from_node(node, numbers.amount(name), total) for node, name in timed if name]
    rest = numbers.shown(total - added(operator.time.value for operator in found), phase["total"])
    yield from found
    yield from (_from_node(node, rest, total) for node, name in timed if not name and rest.value > _NOTHING * total)


def _from_row(row: str, at: str, total: float, numbers: Numbers) -> Operator:
    layout, schema = numbers.layout, numbers.schema
    cells = {column: layout.cell(row, column, at, schema) for column in DIAGRAM_COLUMNS}
    once = {column: numbers.result.numbers[name] for column, name in cells.items()}
    sums = {each: numbers.shown(once["count"] * once[each], cells[each]) for each in ("flops", "bytes", "time")}
    fixed = once["fixed"] > once["time"] / 2
    bound = layout.table["fixed_bound"] if fixed else schema.quantity(cells["bound"]).words[int(once["bound"])]
    return Operator(
        id=row,
        title=row_title(row, layout.table),
        sentence=numbers.sentences.get(row, ""),
        count=once["count"],
        **sums,
        bound=bound,
        share=sums["time"].value / total if total else 0.0,
        each=", ".join(numbers.shown(once[each], cells[each]).text for each in sums),
    )


def _from_node(node: Section, time: Amount, total: float) -> Operator:
    share = time.value / total if total else 0.0
    return Operator(node["id"], node["title"], node.get("says", ""), 1, Amount(), Amount(), time, node["bound"], share)


def arrows_between(
    present: AbstractSet[str], layout: DiagramLayout, rows: Sequence[str], flags: AbstractSet[str]
) -> tuple[Arrow, ...]:
    """The arrows between what runs where these flags hold; one to an absent node goes on to what follows it.

    Raises FormulaError for arrows in a circle.
    """
    following = following_of((), _flowing(layout, flags))
    _add_unnamed(following, rows)
    for name in present:
        following.setdefault(name, {})
    if circle := circle_in(following):
        raise refuse("bad-report", f"{layout.shown}: arrows form a circle: {' -> '.join(circle)}")
    for name in [each for each in following if each not in present]:
        passed = following.pop(name)
        for after in following.values():
            if name in after:
                del after[name]
                after.update(passed)
    return tuple(without_implied(following))


def _flowing(layout: DiagramLayout, flags: AbstractSet[str]) -> Iterator[Arrow]:
    for flow in layout.flows:
        if flow.get("when") in (None, *flags) and flow.get("unless") not in flags:
            for arrow in flow["arrows"]:
                yield from pairwise(word.strip() for word in arrow.split("->"))


def _add_unnamed(following: dict[str, dict[str, None]], rows: Sequence[str]) -> None:
    """A row that no arrow names comes between the row before it and what follows that."""
    for before, row in pairwise(rows):
        if row not in following:
            following[row] = dict(following.setdefault(before, {}))
            following[before][row] = None
