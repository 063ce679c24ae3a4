"""Says what of a resolved base stays as it is when chapters are resolved on top of it; only the rest is made."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from formula_eval.core import declaration as d
from formula_eval.core.closure import closure
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.namespace import around
from formula_eval.core.type import Quantity, Type
from formula_eval.resolve.mentions import readers_of
from formula_eval.resolve.order import reads
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope, Symbol


def new_symbols(scope: Scope, base: Scope) -> list[Symbol]:
    """The symbols that are not, or not so, declared in the base."""
    return [symbol for name, symbol in scope.symbols.items() if base.symbols.get(name) is not symbol]


def keeps_meaning(scope: Scope, base: Scope, symbols: Iterable[Symbol]) -> bool:
    """Whether what the base declares means the same as before, but for what `with_readers` finds.

    Of it, only formulas changed, inputs were extended and tables have rows more; nothing new is in its folders.
    """
    return not base.symbols or (not scope.findings and all(_keeps_meaning(symbol, scope, base) for symbol in symbols))


def _keeps_meaning(symbol: Symbol, scope: Scope, base: Scope) -> bool:
    if symbol.name in base.symbols:
        return isinstance(symbol.declaration, d.FormulaDeclaration | d.TableDeclaration)
    if symbol.namespace in scope.changes or symbol.name in (*scope.originals.values(), *scope.totals.values()):
        return True  # what tells of a change, or what all read in its stead
    return base.namespaces.isdisjoint(around(symbol.namespace)[:-1])


def with_readers(scope: Scope, base: Scope, symbols: Sequence[Symbol]) -> Sequence[Symbol]:
    """These symbols, with those of the base that read an input extended since, or a table with rows more."""
    tables = {symbol.name for symbol in symbols if isinstance(symbol.declaration, d.TableDeclaration)}
    found = {*(scope.totals.keys() - base.totals.keys()), *(tables & base.symbols.keys())}
    if not found or not base.symbols:
        return symbols
    changed = {symbol.name for symbol in symbols} | readers_of(found, base.symbols.values(), (base,))
    return [symbol for name, symbol in scope.symbols.items() if name in changed]


def unchanged_nodes(base: Resolved, symbols: Iterable[Symbol]) -> dict[str, Node]:
    """The nodes of the base, but for those of symbols that changed."""
    changed = {symbol.name for symbol in symbols if symbol.name in base.scope.symbols}
    if not changed:
        return dict(base.written)
    return {name: node for name, node in base.written.items() if symbol_of(node, base.written) not in changed}


def symbol_of(node: Node, written: Mapping[str, Node]) -> str:
    """What a node was declared as: a call of a function, an argument or a part of a message as what it stands in."""
    while node.owner:
        node = written[node.owner]
    return node.cell.table if node.cell else node.base


def in_order_of_symbols(nodes: Mapping[str, Node], scope: Scope) -> dict[str, Node]:
    """The nodes in the order in which they are declared; records that `with`s name by id come last."""
    places = {name: place for place, name in enumerate(scope.symbols)}
    return dict(sorted(nodes.items(), key=lambda pair: places.get(symbol_of(pair[1], nodes), len(places))))


def same_types(nodes: Mapping[str, Node], written: Mapping[str, Node]) -> bool:
    """Whether no node gives another sort of value than before; a number may become a whole one, or be none any more."""
    return all(name not in nodes or _sort(nodes[name].type) == _sort(node.type) for name, node in written.items())


def _sort(type_: Type) -> Type:
    return Quantity(type_.dimension) if isinstance(type_, Quantity) else type_


def unchanged_copies(
    base: Resolved, nodes: Mapping[str, Node], parents: Mapping[str, Sequence[str]]
) -> dict[str, Node]:
    """The nodes of the graph of the base, copies among them, that read nothing that changed.

    `parents` says what each node reads, in the order of evaluation.
    """
    same: set[str] = set()
    for name, read in parents.items():
        if base.written.get(name) is nodes[name] and same.issuperset(read):
            same.add(name)
    kept: dict[str, Node] = {}
    graph = base.whole
    for name, node in graph.nodes.items():
        if _made_of(node, nodes) in same and kept.keys() >= {*graph.parents[name]}:
            kept[name] = node
    return kept


def _made_of(node: Node, written: Mapping[str, Node]) -> str:
    """The written node that one of the graph is or copies; of a record that another one names, that other one."""
    if not node.record:
        return node.base
    return node.key if node.key in written else node.record


def parents_of(nodes: Mapping[str, Node], graph: FormulaGraph) -> dict[str, tuple[str, ...]]:
    """What each node reads; of one that is in the graph of the base, as that says."""
    return {name: graph.parents[name] if graph.nodes.get(name) is node else reads(node) for name, node in nodes.items()}


def reached(
    nodes: Mapping[str, Node], parents: Mapping[str, Sequence[str]], written: Collection[str]
) -> dict[str, Node]:
    """The written nodes, those of other records, and all that they read; copies that nobody reads any more go."""
    found = closure((*written, *(name for name, node in nodes.items() if node.record)), parents.__getitem__)
    return {name: node for name, node in nodes.items() if name in found}
