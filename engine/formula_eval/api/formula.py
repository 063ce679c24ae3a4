"""Presents one formula, and how one value comes about, to a reader in Python."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from formula_eval.evaluate.evaluator import Evaluator

if TYPE_CHECKING:
    from formula_eval.analyse.explain import Step
    from formula_eval.analyse.show import Citation, Description


@dataclass(frozen=True)
class Formula:
    """One formula, input, function or table as its author wrote it; a notebook shows its LaTeX."""

    description: "Description"
    evaluator: Evaluator

    @property
    def name(self) -> str:
        """The qualified name: `params.total`."""
        return self.description.name

    @property
    def text(self) -> str:
        """The statement as written, with its notes."""
        return self.description.text

    @property
    def sentence(self) -> str:
        """What it is, in words."""
        return self.description.sentence

    @property
    def unit(self) -> str:
        """The unit as written; empty for a plain number."""
        return self.description.unit

    @property
    def sources(self) -> Sequence["Citation"]:
        """The works it is taken from."""
        return self.description.sources

    @property
    def source(self) -> "Citation | None":
        """The first of them."""
        return self.description.sources[0] if self.description.sources else None

    @property
    def derived(self) -> str:
        """What it follows from, where it is not taken from a work."""
        return self.description.derived

    @property
    def latex(self) -> str:
        """The equation in the author's shape."""
        return self.description.latex

    @property
    def reads(self) -> Sequence[str]:
        """The names that it reads."""
        return self.description.reads

    @property
    def read_by(self) -> Sequence[str]:
        """The names that read it."""
        return self.description.read_by

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
        from formula_eval.export.terminal.derivation import derivation_text  # noqa: PLC0415 - only for people
        from formula_eval.export.terminal.screen import Screen  # noqa: PLC0415

        return derivation_text(self.step, Screen(width=100)).rstrip()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
