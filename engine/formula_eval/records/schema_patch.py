"""Patches a kept schema where few nodes of its graph were made anew."""

import marshal
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.namespace import COPY_MARK
from formula_eval.core.unit import UnitTable
from formula_eval.records.schema_of_graph import check_schema, formula_schema, input_schema, is_quantity, own_folders
from formula_eval.records.schema_payload import KeptFormulas, SharedValues, copy_row, formula_row, input_row, plain
from formula_eval.records.synonyms import Synonyms


class Terms(NamedTuple):
    """What a library's values are written in, and what others call its inputs."""

    units: UnitTable
    synonyms: Synonyms


def patched_schema(
    held: bytes, before: FormulaGraph, graph: FormulaGraph, changed: Mapping[str, Node], library: Terms
) -> bytes | None:
    """The payload of a schema, given that of the graph before, of which these nodes are others; None if it is no help.

    It is none where a node needs other folders with checks than before, which all that read it need too.
    """
    patch = _Patch(held, before, graph, library.synonyms)
    if not patch.is_in(library) or not all(map(patch.put, changed.values())):
        return None
    return patch.packed(changed)


class _Patch:
    """Rows of a schema in which some take the place of others."""

    def __init__(self, held: bytes, before: FormulaGraph, graph: FormulaGraph, synonyms: Synonyms) -> None:
        main, *self._lines = marshal.loads(held)  # noqa: S302 - a cache entry of the user's own
        self._data = marshal.loads(main)  # noqa: S302 - as above
        self._before, self._graph, self._synonyms = before, graph, synonyms
        self._kept = KeptFormulas(self._data, self._lines)
        self._shared = SharedValues(self._data["shared"])
        self._inputs = {row[0]: row for row in self._data["inputs"]}
        self._formulas = dict(self._data["formulas"])
        self._copies: dict[str, dict[str, Any]] = {}
        self._folders: dict[str, frozenset[str]] = {}
        namespaces = {name: namespace for name, _, _, _, namespace, *_ in self._data["checks"]}
        own = (namespaces.get(check.node) or graph.nodes[check.node].namespace for check in graph.checks)
        self._known = {*own} - {""}

    def is_in(self, library: Terms) -> bool:
        """Whether the schema is in the terms of this library, and checks stand in the folders that it knows."""
        terms = self._data["synonyms"], self._data["units"]
        folders = {namespace for _, _, _, _, namespace, *_ in self._data["checks"]} - {""}
        return terms == plain([list(library.synonyms), library.units.to_data()]) and folders == self._known

    def put(self, node: Node) -> bool:
        """Put a node in its place; false where others would have to follow."""
        if node.kind == "input":
            if self._before.parents.get(node.name, ()) != self._graph.parents[node.name]:
                return False
            self._inputs[node.name] = plain(input_row(input_schema(node, self._synonyms), self._shared))
        if not is_quantity(node):
            return True
        now = formula_schema(node, tuple(sorted(self._needed(node.name, is_new=True))))
        old = self._kept.get(node.name)
        if old is not None and old.folders != now.folders:
            return False
        if now.original and is_quantity(self._graph.nodes[now.original]):  # the copy of a default stands by itself
            binding = node.name.partition(COPY_MARK)[2]
            self._under(binding)[now.original] = tuple(copy_row(now, self._shared))
        else:
            self._formulas[node.name] = formula_row(now, self._shared)
        return True

    def _needed(self, name: str, *, is_new: bool = False) -> frozenset[str]:
        """The folders with checks of a node and of all that it needs."""
        if not is_new and name in self._kept:
            return frozenset(self._kept[name].folders)
        if name not in self._folders:
            own = own_folders(self._graph.nodes[name], self._graph, self._known)
            self._folders[name] = frozenset(own.union(*map(self._needed, self._graph.parents[name])))
        return self._folders[name]

    def _under(self, binding: str) -> dict[str, Any]:
        """The rows of all copies under a binding."""
        return self._copies.setdefault(binding, dict(self._kept.copies_under(binding)))

    def packed(self, changed: Collection[str]) -> bytes:
        """The rows in the order of the graph."""
        lines = dict(zip(self._data["bindings"], self._lines, strict=True))
        for name in self._before.parents.keys() - self._graph.parents.keys():
            original, mark, binding = name.partition(COPY_MARK)
            if mark and name not in self._formulas:
                self._under(binding).pop(original, None)
        lines |= {binding: marshal.dumps(rows) for binding, rows in self._copies.items()}
        known = len(self._data["shared"])
        checks = {row[0]: row for row in self._data["checks"]}
        data = self._data | {
            "inputs": tuple(self._in_order(self._inputs).values()),
            "formulas": self._in_order(self._formulas),
            "bindings": tuple(lines),
            "checks": tuple(
                plain(check_schema(check, self._graph))
                if check.node in changed or check.node not in checks
                else checks[check.node]
                for check in self._graph.checks
            ),
            "tables": plain(list(self._graph.tables.values())),
            "kinds": plain(list(self._graph.kinds.values())),
            "shared": (*self._data["shared"], *plain(list(self._shared.numbers)[known:])),
        }
        return marshal.dumps([marshal.dumps(data), *lines.values()])

    def _in_order(self, rows: dict[str, Any]) -> dict[str, Any]:
        """The rows of nodes that there are, in the order of the graph."""
        names = self._graph.parents
        if list(names) == list(self._before.parents):
            return rows
        return {name: rows[name] for name in names if name in rows}
