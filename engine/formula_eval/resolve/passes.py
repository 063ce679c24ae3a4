"""Runs the passes that make the graph from chapters, one by one: `PASSES` is the table of contents."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable
from formula_eval.gc_pause import uncollected
from formula_eval.resolve import (
    change_notes,
    cycles,
    declare,
    expand_calls,
    expand_with,
    freeze,
    nodes,
    order,
    redirected,
)
from formula_eval.resolve.scope import Scope


@dataclass(slots=True)
class State:
    """What the passes have made of the chapters so far; findings gather in the scope."""

    chapters: Iterable[Chapter]
    scope: Scope
    functions: dict[str, nodes.Function] = field(default_factory=dict)
    typed: list[Node] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    order: list[str] | None = None
    graph: FormulaGraph | None = None

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong so far, so that a pass may rely on what those before it left."""
        return not (self.scope.findings or self.scope.broken)


def declare_names(state: State) -> bool:
    """Declare everything under its qualified name; types are checked even where some are declared twice."""
    state.scope = declare.declare(state.chapters, state.scope.units)
    return True


def check_types(state: State) -> bool:
    """Make nodes of every declaration, with names bound and units verified; they still hold calls and `with`s."""
    state.functions = nodes.functions_of(state.scope)
    cycles.check_recursion(state.functions, state.scope)
    state.typed = list(nodes.nodes_of(state.scope))
    if not state.is_sound:
        cycles.check_cycles(state.typed, state.functions, state.scope)
    return state.is_sound


def expand_functions(state: State) -> bool:
    """Expand every call of a `def` into nodes of its own."""
    state.nodes = expand_calls.expand_calls(state.typed, state.functions, state.scope)
    if state.scope.redirected:
        state.nodes = {name: redirected.redirected(node, state.scope) for name, node in state.nodes.items()}
    return state.is_sound


def order_nodes(state: State) -> bool:
    """Sort each node behind those that it reads; formulas that read each other are found here."""
    parents = {name: order.reads(node) for name, node in state.nodes.items()}
    state.order = order.ordered(parents, state.scope, state.nodes)
    return state.is_sound


def expand_withs(state: State) -> bool:
    """Replace every `with` by a reference to a copy of what depends on the replaced inputs."""
    state.nodes = expand_with.expand_with(state.nodes, state.order or [], state.scope)
    if state.scope.changes and state.is_sound:
        state.nodes = change_notes.speaking_for_copies(state.nodes)
    return state.is_sound


def freeze_graph(state: State) -> bool:
    """Freeze the graph; nobody checks it again."""
    state.graph = freeze.freeze(state.nodes, state.scope)
    return state.is_sound


# Each says whether the next one still makes sense.
PASSES: tuple[Callable[[State], bool], ...] = (
    declare_names,
    check_types,
    expand_functions,
    order_nodes,
    expand_withs,
    freeze_graph,
)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Resolved:
    """The graph, or None and why there is none; the scope tells what was declared."""

    graph: FormulaGraph | None
    scope: Scope
    findings: tuple[Diagnostic, ...]


def words_in(chapters: Iterable[Chapter], units: UnitTable) -> frozenset[Span]:
    """Where the chapters write a word of a choice, whatever else bears that name."""
    state = State(chapters, Scope(units))
    declare_names(state)
    state.scope.words = set()
    check_types(state)
    return frozenset(state.scope.words)


def resolve(chapters: Iterable[Chapter], units: UnitTable) -> Resolved:
    """The graph of all chapters, or everything that is wrong with them."""
    state = State(chapters, Scope(units))
    with uncollected():
        for run in PASSES:
            if not run(state):
                break
    findings = sorted(state.scope.findings, key=lambda each: (each.labels[0].span.file, each.labels[0].span.line))
    return Resolved(state.graph if state.is_sound else None, state.scope, tuple(findings))
