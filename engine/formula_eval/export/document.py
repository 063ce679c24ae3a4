"""A question and its formulas to what every document is made of: the needed part of the graph with all its numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from formula_eval.core.graph import Check, FormulaGraph, Node
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.records import record_files
from formula_eval.records.givens import Givens, Question
from formula_eval.records.record import RecordFile, SuppliedValues


@dataclass(frozen=True)
class Document:
    """What an exporter prints: nothing in it knows a quantity by name.

    `wanted` are the quantities asked for; `names` they, the checks, and all that these need, in the order of
    evaluation; `command` is the command line that makes the same document again.
    """

    evaluator: Evaluator
    question: Question
    givens: Givens
    wanted: tuple[str, ...]
    result: Result
    command: str = ""

    @property
    def graph(self) -> FormulaGraph:
        """The whole graph."""
        return self.evaluator.graph

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The needed nodes, each after those that it reads, and the records whose inputs are among them."""
        checks = [check.node for check in self.checks]
        quoted = [
            part.node
            for check in self.checks
            for part in check.message
            if not isinstance(part, str) and hasattr(part, "node")
        ]
        needed = self.graph.ancestors([*self.wanted, *checks, *quoted])
        records = {self.graph.nodes[name].record for name in needed} - {""}
        return tuple(self.graph.ancestors([*needed, *records]))

    @property
    def nodes(self) -> Iterator[Node]:
        """The needed nodes in order."""
        return (self.graph.nodes[name] for name in self.names)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """The checks that the result tells of."""
        reported = {each.name for each in self.result.checks}
        return tuple(check for check in self.graph.checks if check.node in reported)

    @property
    def numbers(self) -> Mapping[str, float]:
        """The value of every needed node but records, in base units; absent is nan, a choice the index of its word."""
        return self.result.numbers

    @property
    def sources(self) -> Mapping[str, Mapping[str, Any]]:
        """Every citation by key: title, authors, year, url."""
        return self.evaluator.library.citations

    def records(self, supplier: str) -> Iterator[tuple[RecordFile, SuppliedValues]]:
        """All records of a supplier with their checked values, for a reader to choose from."""
        for record in record_files.all_records(self.evaluator.library, supplier):
            yield record, record_files.read_record(record, self.evaluator.schema, self.evaluator.library)


def document_of(
    evaluator: Evaluator, question: Question, wanted: Sequence[str], namespace: str = "", command: str = ""
) -> Document:
    """Answer the question; raises FormulaError."""
    givens = evaluator.givens(question)
    result = evaluator.evaluate(givens, wanted, namespace)
    return Document(evaluator, question, givens, tuple(wanted), result, command)
