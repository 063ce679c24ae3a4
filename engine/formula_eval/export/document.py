"""Answers a question and gathers what every document prints: the needed part of the graph with all its numbers."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from formula_eval.core.declaration import TableDeclaration
from formula_eval.core.expression import Expression
from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.core.record_kind import subjects
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.value import typed_value
from formula_eval.export.reached import reached
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens, Question
from formula_eval.records.input_names import spoken
from formula_eval.records.record import RecordFile, SuppliedValues
from formula_eval.records.record_files import all_records
from formula_eval.records.record_values import read_record


@dataclass(frozen=True)
class Document:
    """What an exporter prints: nothing in it knows a quantity by name.

    `wanted` are the quantities asked for; `names` are these, the checks, what is shown `beside` them, and all that
    they need, in the order of evaluation; `command` is the command line that makes the same document again;
    `is_named` tells that a user said which quantities are wanted, and `only` are the patterns that named them.
    """

    evaluator: Evaluator  # knows the library, and computes what else is shown
    question: Question  # what the user said
    givens: Givens  # the inputs that hold, and who set them
    wanted: tuple[str, ...]
    result: Result  # values of the wanted quantities, and of checks
    command: str = ""
    is_named: bool = False
    beside: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    @property
    def is_asked(self) -> bool:
        """Whether the document shows only what was asked for: quantities, a namespace, or a library that is alone."""
        return self.is_named or bool(self.question.namespace) or self.evaluator.library.is_alone

    @cached_property
    def graph(self) -> FormulaGraph:
        """The whole graph."""
        return self.evaluator.graph

    @cached_property
    def derivation(self) -> tuple[str, ...]:
        """The wanted quantities and all that they need, in the order of evaluation."""
        return tuple(self.graph.ancestors(list(self.wanted)))

    @cached_property
    def reached(self) -> frozenset[str]:
        """Those of the derivation that the wanted quantities follow from here: none of a branch that was not taken."""
        return reached(self.graph, self.wanted, self.numbers, self.givens.values)

    @cached_property
    def cells(self) -> Mapping[str, AbstractSet[str]]:
        """The names of the nodes of the derivation that are cells, and of the inputs in cells, by their table."""
        found: dict[str, set[str]] = {}
        for name in self.derivation:
            node = self.graph.nodes[name]
            if node.cell is not None and not node.record and node.kind in ("cell", "input"):
                found.setdefault(node.cell.table, set()).add(name)
        return found

    @cached_property
    def is_wanted(self) -> Callable[[str], bool]:
        """Whether a quantity is wanted, by its name."""
        return frozenset(self.wanted).__contains__

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The needed nodes, each after those that it reads, and the records that their inputs are of."""
        checks = [check.node for check in self.checks]
        quoted = [
            part.node
            for check in self.checks
            for part in check.message
            if not isinstance(part, str) and hasattr(part, "node")
        ]
        needed = self.graph.ancestors([*self.wanted, *checks, *quoted, *self.beside])
        nodes = self.graph.nodes
        others = [nodes[name] for name in needed if nodes[name].record]
        records = {key for node in others for key in (node.record, f"{node.record}.{node.supplier}") if key in nodes}
        return tuple(self.graph.ancestors([*needed, *records]))

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The needed nodes in order."""
        return tuple(self.graph.nodes[name] for name in self.names)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """The checks that the result tells of, but those that are not known to concern it."""
        reported = {check.name for check in self.result.checks if check.known}
        return tuple(check for check in self.graph.checks if check.node in reported)

    @property
    def numbers(self) -> Mapping[str, float]:
        """The value of every needed node but records, in base units; absent is nan, a choice the index of its word."""
        return self.result.numbers

    def shown(self, name: str) -> str:
        """The value of a node as people read it."""
        value, quantity = self.numbers[name], self.graph.nodes[name].quantity
        return shown_value(typed_value(value, quantity) if math.isfinite(value) else value, quantity)

    @cached_property
    def _texts(self) -> dict[int, tuple[Expression, str]]:
        """The text of each expression that was asked for, which copies of a formula share."""
        return {}

    def written_text(self, node: Node) -> str:
        """What stands in the chapter for a node, else what it was lowered to; empty for neither."""
        written = node.written
        if written is None:
            return ""
        if id(written) not in self._texts:
            self._texts[id(written)] = written, expression_text(written)
        return self._texts[id(written)][1]

    def row_sentences(self, table: str) -> Mapping[str, str]:
        """The sentence of each row of a table, as its author wrote it."""
        symbol = self.evaluator.resolved.scope.symbols.get(table)
        declared = symbol.declaration if symbol is not None else None
        return {row.name: row.notes.sentence for row in declared.rows} if isinstance(declared, TableDeclaration) else {}

    @property
    def sources(self) -> Mapping[str, Mapping[str, Any]]:
        """Every citation by key: title, authors, year, url."""
        return self.evaluator.library.citations

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the records that the document is about: those that somebody chose, and those that it reads."""
        said = {*self.question.records, *(k for k, who in self.givens.record_origins.items() if self.is_stated(k, who))}
        needed = {node.supplier for node in self.nodes if node.supplier and not node.record}
        every = dict.fromkeys((*subjects(self.evaluator.schema.kinds), *self.givens.records))
        return tuple(kind for kind in every if kind in self.givens.records and (kind in needed or kind in said))

    def is_stated(self, name: str, who: str | None) -> bool:
        """Whether the question itself states a record or a value, by an option or in its scenario."""
        said = spoken(name, self.question.origin, self.evaluator.schema.kinds)
        return who is not None and who in (self.question.scenario, said)

    def records(self, supplier: str) -> Iterator[tuple[RecordFile, SuppliedValues]]:
        """All records of a supplier with their checked values, for a reader to choose from."""
        schema, library = self.evaluator.schema, self.evaluator.library
        for record in all_records(library, schema.kinds[supplier]):
            yield record, read_record(record, schema, whole=False)


def document_of(
    evaluator: Evaluator, question: Question, wanted: Sequence[str], command: str = "", *, named: bool = False
) -> Document:
    """Answer the question; raises FormulaError."""
    givens = evaluator.givens(question)
    result = evaluator.evaluate(givens, wanted, question.namespace, named=named)
    return Document(evaluator, question, givens, tuple(result), result, command, is_named=named)
