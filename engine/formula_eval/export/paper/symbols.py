"""Chooses the symbols of a document: those of the authors, or the name set upright."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

from formula_eval.core import declaration as d
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.namespace import around, qualified
from formula_eval.export.paper.plain_symbol import is_plain
from formula_eval.printing.latex import upright


class Symbols:
    """Knows the symbol of every quantity, function and column; where two of a document are alike, neither is used."""

    def __init__(self, graph: FormulaGraph, names: Iterable[str]) -> None:
        """Of a document that holds these nodes of the graph."""
        self._graph = graph
        nodes = [graph.nodes[name] for name in names]
        called = {node.function for node in nodes}
        self._called = {name: function for name, function in graph.functions.items() if name in called}
        copied = (graph.nodes[node.base] for node in nodes)
        self._named = {node.name: node.declaration for node in copied if self._has_own_name(node)}

    @cached_property
    def _chosen(self) -> dict[str, str]:
        """The symbols that are fit and stand for one thing only."""
        symbols = {name: declaration.notes.symbol for name, declaration in {**self._named, **self._called}.items()}
        symbols = {name: symbol for name, symbol in symbols.items() if is_plain(symbol)}
        times = Counter(symbols.values())
        return {name: symbol for name, symbol in symbols.items() if times[symbol] == 1}

    @cached_property
    def _short(self) -> Counter[str]:
        """How many quantities end in a word."""
        return Counter(name.rpartition(".")[2] for name in (*self._named, *self._called))

    @staticmethod
    def _has_own_name(node: Node) -> bool:
        return node.kind in ("input", "formula") and not (node.original or node.record or node.cell)

    @staticmethod
    def qualified(node: Node) -> str:
        """The name of the formula, function, column or cell of which a node is an instance."""
        return node.function or node.base

    def of(self, name: str) -> str:
        """The symbol of a quantity or function by its full name."""
        if name in self._chosen:
            return self._chosen[name]
        word = name.rpartition(".")[2]
        node = self._graph.nodes.get(name)
        if node is not None and node.record:
            return upright(name)
        if node is not None and node.cell is not None:
            return rf"{column_symbol(node.declaration)}_{{{upright(node.cell.row)}}}"
        return upright(word if self._short[word] <= 1 else name)

    def within(self, node: Node) -> Callable[[str], str]:
        """How names read in the author's text of a node: its own parameters and columns go first, then its folder."""
        own = {name: name if len(name) == 1 else upright(name) for name in d.local_names(node.declaration)}
        own |= self._columns(node.cell.table) if node.cell else {}
        if isinstance(node.declaration, d.ColumnDeclaration) and node.declaration.supplier:
            own.pop(node.declaration.name, None)  # its default means what bears that name outside

        def symbol(written: str) -> str:
            if written in own:
                return own[written]
            for candidate in (qualified(space, written) for space in around(node.namespace)):
                if candidate in self._graph.nodes or candidate in self._graph.functions:
                    return self.of(candidate)
                head, _, column = candidate.rpartition(".")
                if head in self._graph.tables:
                    return self._columns(head).get(column, "")
            return ""

        return symbol

    def _columns(self, table: str) -> dict[str, str]:
        shape = self._graph.tables[table]
        first = self._graph.cells(shape.cell(row, column) for row in shape.rows[:1] for column in shape.columns)
        return {node.cell.column: column_symbol(node.declaration) for node in first if node.cell}


def column_symbol(column: d.Declaration) -> str:
    """The symbol of a column, whichever row."""
    return column.notes.symbol if is_plain(column.notes.symbol) else upright(column.name)
