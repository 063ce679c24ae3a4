"""Presents one formula, and how one value comes about, to a reader in Python."""

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from formula_eval import export
from formula_eval.evaluate.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formula_eval.analyse.explain import Step
    from formula_eval.analyse.show import Citation, Description


class Formula:
    """One formula, input, function or table as its author wrote it; a notebook shows its LaTeX.

    Attributes:
        name: the qualified name: `params.total`.
        text: the statement as written, with its notes.
        sentence: what it is, in words.
        unit: the unit as written; empty for a plain number.
        sources: the works it is taken from.
        source: the first of them.
        derived: what it follows from, where it is not taken from a work.
        latex: the equation in the author's shape.
        reads: the names that it reads.
        read_by: the names that read it.

    """

    def __init__(self, description: "Description", evaluator: Evaluator) -> None:
        """Show what a description says."""
        self.description = description
        self.evaluator = evaluator
        self.name = description.name
        self.text = description.text
        self.sentence = description.sentence
        self.unit = description.unit
        self.sources: Sequence[Citation] = description.sources
        self.source = description.sources[0] if description.sources else None
        self.derived = description.derived
        self.latex = description.latex
        self.reads: Sequence[str] = description.reads
        self.read_by: Sequence[str] = description.read_by

    @property
    def symbolic(self) -> Any:  # noqa: ANN401 - a SymPy expression
        """The formula by itself as a SymPy expression with exact rationals, over symbols of what it reads.

        A symbol stands for a node under the inputs of its reader, and calls may count 0: putting one formula into
        another by hand gives wrong totals. `derive` puts them in.
        """
        from formula_eval.symbolic import graph_symbols, symbolic  # noqa: PLC0415 - SymPy takes a second to load

        expression = self.evaluator.graph.nodes[self.name].expression
        return None if expression is None else symbolic(expression, graph_symbols(self.evaluator.graph))

    def __repr__(self) -> str:
        """The name and the sentence."""
        return f"<{self.name}: {self.sentence}>"

    def _repr_latex_(self) -> str:
        return f"$$ {self.latex} $$"


@dataclass(frozen=True)
class Explanation:
    """How a value comes about: `step` is the tree, its text the one that `formula-eval explain` prints."""

    step: "Step"

    def __str__(self) -> str:
        """The tree as text."""
        return export.derivation.derivation_text(self.step, export.screen.Screen(width=100)).rstrip()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
