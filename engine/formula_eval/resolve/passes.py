"""Resolves chapters into the graph by the passes that `PASSES` lists, in order, over one state."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.needed_inputs import NeededInputs
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
from formula_eval.resolve.bindings import CopyNames
from formula_eval.resolve.incremental import (
    in_order_of_symbols,
    keeps_meaning,
    new_symbols,
    parents_of,
    reached,
    same_types,
    unchanged_copies,
    unchanged_nodes,
    with_readers,
)
from formula_eval.resolve.kept_nodes import KeptPart
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.resolved import NOTHING, Resolved
from formula_eval.resolve.scope import Scope, Symbol


@dataclass(slots=True)
class State:
    """What the passes have made of the chapters so far; findings gather in the scope.

    `base` is what the chapters before these were resolved to: each pass makes only what is new or changed. It
    `is_incremental` as long as these give nothing in those chapters another meaning.
    """

    chapters: Iterable[Chapter]
    scope: Scope
    base: Resolved = NOTHING
    is_incremental: bool = True
    symbols: Sequence[Symbol] = ()  # those not declared so in the base, or with another meaning
    functions: dict[str, Function] = field(default_factory=dict)  # the checked `def`s, with those of the base
    typed: list[Node] = field(default_factory=list)  # nodes of `symbols`, with calls and `with`s
    nodes: dict[str, Node] = field(default_factory=dict)  # with calls expanded, by name
    reads: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what each of those reads, in order
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what each node reads, by name
    inputs: tuple[str, ...] = ()  # which of them are inputs
    copied: dict[str, Node] = field(default_factory=dict)  # nodes, with copies in place of `with`s
    names: CopyNames = field(default_factory=CopyNames)  # what these copies are called
    graph: FormulaGraph | None = None  # None until the last pass

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong so far, so that a pass may rely on what those before it left."""
        return not (self.scope.findings or self.scope.broken)


def declare_names(state: State) -> bool:
    """Declare everything under its qualified name; types are checked even where some are declared twice."""
    base = state.base.scope
    state.scope = declare.declare(state.chapters, state.scope.units, base)
    symbols = new_symbols(state.scope, base)
    state.is_incremental = keeps_meaning(state.scope, base, symbols)
    state.symbols = with_readers(state.scope, base, symbols) if state.is_incremental else symbols
    return state.is_incremental


def check_types(state: State) -> bool:
    """Make nodes of every declaration, with names bound and units verified; they still hold calls and `with`s."""
    state.functions = {**state.base.functions, **nodes.functions_of(state.scope, state.symbols)}
    cycles.check_recursion(state.functions, state.scope)
    state.typed = list(nodes.nodes_of(state.scope, state.symbols, state.base.scope, {}))
    if not state.is_sound:
        cycles.check_cycles(state.typed, state.functions, state.scope)
    return state.is_sound


def expand_functions(state: State) -> bool:
    """Expand every call of a `def` into nodes of its own."""
    kept = unchanged_nodes(state.base, state.symbols)
    made = expand_calls.expand_calls(state.typed, state.functions, state.scope, kept)
    if state.scope.redirected:
        changed = (name for name in made if name not in kept)
        made |= {name: redirected.redirected(made[name], state.scope) for name in changed}
    state.nodes = in_order_of_symbols(made, state.scope) if kept else made
    state.is_incremental = same_types(state.nodes, state.base.written)
    return state.is_sound and state.is_incremental


def order_nodes(state: State) -> bool:
    """Sort each node behind those that it reads; formulas that read each other are found here."""
    parents = {name: order.reads(node) for name, node in state.nodes.items()}
    state.reads = {name: parents[name] for name in order.ordered(parents, state.scope, state.nodes) or ()}
    state.inputs = tuple(name for name, node in state.nodes.items() if node.kind == "input")
    return state.is_sound


def expand_withs(state: State) -> bool:
    """Replace every `with` by a reference to a copy of what depends on the replaced inputs."""
    kept = unchanged_copies(state.base, state.nodes, state.reads)
    state.names = state.base.names.read().continued(kept)
    needed = NeededInputs(state.reads, state.inputs, state.scope.totals.values())
    written = expand_with.WrittenNodes(state.nodes, state.inputs, needed)
    made = expand_with.expand_with(written, state.scope, kept, state.names)
    if not state.is_sound:
        return False
    parents = parents_of(made, state.base.whole)
    if state.scope.changes:
        widened = change_notes.speaking_for_copies(made, parents)
        made.update(widened)
        parents.update(parents_of(widened, state.base.whole))
    state.copied = reached(made, parents, state.nodes) if state.base.written else made
    state.parents = {name: parents[name] for name in state.copied}
    return state.is_sound


def freeze_graph(state: State) -> bool:
    """Freeze the graph; nobody checks it again."""
    state.graph = freeze.freeze(state.copied, state.parents, state.scope)
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


def words_in(chapters: Iterable[Chapter], units: UnitTable) -> frozenset[Span]:
    """Where the chapters write a word of a choice, whatever else bears that name."""
    state = State(chapters, Scope(units))
    declare_names(state)
    state.scope.words = set()
    check_types(state)
    return frozenset(state.scope.words)


def resolve(chapters: Iterable[Chapter], units: UnitTable) -> Resolved:
    """The graph of all chapters, or everything that is wrong with them."""
    return _run(State(chapters, Scope(units)))


def resolve_on(base: Resolved, chapters: Iterable[Chapter], units: UnitTable) -> Resolved | None:
    """The same of the chapters `base` and these behind them; None where those base would mean something else then."""
    state = State(chapters, Scope(units), base)
    resolved = _run(state)
    return resolved if state.is_incremental else None


def _run(state: State) -> Resolved:
    with uncollected():
        for run in PASSES:
            if not run(state):
                break
    findings = sorted(
        dict.fromkeys(state.scope.findings),
        key=lambda diagnostic: (diagnostic.labels[0].span.file, diagnostic.labels[0].span.line),
    )
    graph = state.graph if state.is_sound else None
    made = state.functions, state.nodes, state.reads, state.inputs, KeptPart(None, state.names)
    return Resolved(graph, state.scope, tuple(findings), *made)
