"""Holds what examples and facts are computed by: the schema of a graph, and its programs, from the cache where kept."""

from collections import ChainMap
from collections.abc import Callable, Iterable
from typing import NamedTuple

from formula_eval.check.kept_outcomes import KeptOutcomes, kept_outcomes
from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.namespace import qualified
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program, compile_program
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.records.schema_of_graph import formula_schema, schema_of
from formula_eval.records.synonyms import NO_SYNONYMS


class HeldGraph(NamedTuple):
    """A library, the schema of its graph without what others call its inputs, and what makes programs of nodes.

    `outcomes` are the examples that are known to hold, where any are kept.
    """

    library: Library
    schema: Schema
    program: Callable[[tuple[str, ...]], Program]
    outcomes: KeptOutcomes | None = None

    def with_calls(self, graph: FormulaGraph, whole: FormulaGraph, chapters: Iterable[Chapter]) -> "HeldGraph":
        """The same with the formulas of these chapters, which a second graph has behind those of the first one."""
        calls = [
            qualified(chapter.namespace, declaration.name)
            for chapter in chapters
            for declaration in chapter.declarations
        ]
        if not calls:
            return self
        described = {name: formula_schema(whole.nodes[name], ()) for name in calls}

        def program(names: tuple[str, ...]) -> Program:
            is_there = all(name in graph.nodes for name in names)
            return self.program(names) if is_there else compile_program(whole, names)

        formulas = ChainMap(described, self.schema.formulas)  # type: ignore[arg-type]  # which nobody writes to
        return HeldGraph(self.library, self.schema._replace(formulas=formulas), program)


def held_of(graph: FormulaGraph, library: Library) -> HeldGraph:
    """A graph that no cache has."""
    return HeldGraph(library, schema_of(graph, library.units), lambda names: compile_program(graph, names))


def kept_of(evaluator: Evaluator) -> HeldGraph:
    """The graph of a library as it stands, its schema and programs kept in its cache."""
    schema = evaluator.schema
    inputs = {name: input_schema._replace(also=()) for name, input_schema in schema.inputs.items()}
    plain = schema._replace(inputs=inputs, units=evaluator.library.units, synonyms=NO_SYNONYMS)
    return HeldGraph(evaluator.library, plain, evaluator.program, kept_outcomes(evaluator))
