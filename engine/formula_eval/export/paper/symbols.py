"""The names of a graph to the symbols of a document: as their authors chose them, or the name set upright."""

from collections.abc import Callable, Iterable
from functools import cached_property

from formula_eval.core import declaration as d
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.export.paper.plain_symbol import is_plain
from formula_eval.printing.latex import upright
from formula_eval.resolve.scope import around, qualified


class Symbols:
    """Knows the symbol of every quantity, function and column; where two of a document are alike, neither is used."""

    def __init__(self, graph: FormulaGraph, names: Iterable[str]) -> None:
        """Of a document that holds these nodes of the graph."""
        self._graph = graph
        self._functions = {id(each): name for name, each in graph.functions.items()}
        nodes = [graph.nodes[name] for name in names]
        called = {id(node.declaration) for node in nodes if node.kind == "call"}
        self._called = {name: each for name, each in graph.functions.items() if id(each) in called}
        copied = (graph.nodes.get(node.name.partition("@")[0], node) for node in nodes)
        self._named = {node.name: node.declaration for node in copied if self._has_own_name(node)}

    @cached_property
    def _chosen(self) -> dict[str, str]:
        """The symbols that are fit and stand for one thing only."""
        symbols = {name: each.notes.symbol for name, each in {**self._named, **self._called}.items()}
        symbols = {name: symbol for name, symbol in symbols.items() if is_plain(symbol)}
        times: dict[str, int] = {}
        for symbol in symbols.values():
            times[symbol] = times.get(symbol, 0) + 1
        return {name: symbol for name, symbol in symbols.items() if times[symbol] == 1}

    @cached_property
    def _short(self) -> dict[str, int]:
        """How many quantities end in a word."""
        times: dict[str, int] = {}
        for name in (*self._named, *self._called):
            word = name.rpartition(".")[2]
            times[word] = times.get(word, 0) + 1
        return times

    @staticmethod
    def _has_own_name(node: Node) -> bool:
        is_cell = isinstance(node.declaration, d.ColumnDeclaration)
        return node.kind in ("input", "formula") and "@" not in node.name and not node.record and not is_cell

    def qualified(self, node: Node) -> str:
        """What a node is an instance of: its formula, function, column or cell."""
        name = node.name.partition("@")[0]
        return self._functions.get(id(node.declaration), name) if node.kind == "call" else name

    def of(self, name: str) -> str:
        """The symbol of a quantity or function by its full name."""
        if name in self._chosen:
            return self._chosen[name]
        word = name.rpartition(".")[2]
        cell = self._graph.nodes.get(name)
        if cell is not None and cell.record:
            return upright(name)
        if cell is not None and isinstance(cell.declaration, d.ColumnDeclaration):
            row = name.split(".")[-2]
            return rf"{column_symbol(cell.declaration)}_{{{upright(row)}}}"
        return upright(word if self._short.get(word, 0) <= 1 else name)

    def within(self, node: Node) -> Callable[[str], str]:
        """How names read in the author's text of a node: its own parameters and columns go first, then its folder."""
        name = self.qualified(node)
        parameters: Iterable[d.ParameterDeclaration] = getattr(node.declaration, "parameters", ())
        own = {each.name: each.name if len(each.name) == 1 else upright(each.name) for each in parameters}
        table = name.rpartition(".")[0].rpartition(".")[0]
        own |= self._columns(table) if table in self._graph.tables else {}
        if isinstance(node.declaration, d.ColumnDeclaration) and node.declaration.supplier:
            own.pop(node.declaration.name, None)  # its default means what bears that name outside
        scope = self._namespace(name)

        def symbol(written: str) -> str:
            if written in own:
                return own[written]
            for candidate in self._candidates(written, scope):
                if candidate in self._graph.nodes or candidate in self._graph.functions:
                    return self.of(candidate)
                head, _, column = candidate.rpartition(".")
                if head in self._graph.tables:
                    return self._columns(head).get(column, "")
            return ""

        return symbol

    def _columns(self, table: str) -> dict[str, str]:
        rows = self._graph.tables[table].rows
        names = {column: f"{table}.{rows[0]}.{column}" for column in self._graph.tables[table].columns} if rows else {}
        declared = {
            column: self._graph.nodes[name].declaration for column, name in names.items() if name in self._graph.nodes
        }
        return {column: column_symbol(each) for column, each in declared.items()}

    def _namespace(self, name: str) -> str:
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            if ".".join(parts[:end]) in self._graph.tables:
                return ".".join(parts[: end - 1])
        return ".".join(parts[:-1])

    @staticmethod
    def _candidates(written: str, scope: str) -> list[str]:
        return [qualified(space, written) for space in around(scope)]


def column_symbol(column: d.Declaration) -> str:
    """The symbol of a column, whichever row."""
    return column.notes.symbol if is_plain(column.notes.symbol) else upright(column.name)
