"""The Python interface: load the formulas once, ask as often as you like."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formula_eval.cache import Cache, cache_directory
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result, Value
from formula_eval.library import COMPILED, find_library
from formula_eval.records.givens import RECORDS, Question
from formula_eval.records.values import InBaseUnits

if TYPE_CHECKING:
    from formula_eval.analyse.explain import Step
    from formula_eval.analyse.show import Citation, Description

__all__ = ["Explanation", "Formula", "FormulaError", "Formulas", "Result", "Value", "load"]


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
        """The formula as a SymPy expression with exact rationals, over symbols of what it reads."""
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


class Formulas:
    """All formulas of a library, ready to answer."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Answer with this evaluator; `load` makes one."""
        self.evaluator = evaluator

    def evaluate(
        self,
        *,
        only: Sequence[str] | str = ("*",),
        inputs: str | Path = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> Result:
        """The quantities that `only` names, for a model, hardware and input values.

        Args:
            only: names or globs of quantities, such as `params.total` or `memory.*`.
            inputs: a scenario file in TOML, or an edited workbook.
            namespace: where bare names are looked up and whose presets hold; our own model by default.
            given: `model="llama2-70b"`, `hardware="h100-sxm"` (or `gpu`) and any input by name; numbers are in base
                units (byte, FLOP, s, USD), text may have any unit (`memory_bandwidth="2.5 TB/s"`).

        Raises:
            FormulaError: for anything unknown, misspelt, out of range, refused by a check or not computable.

        """
        wanted = self.evaluator.select([only] if isinstance(only, str) else only, namespace)
        return self.evaluator.evaluate(
            self.evaluator.givens(self._question(given, inputs, namespace)), wanted, namespace
        )

    def explain(
        self,
        name: str,
        *,
        depth: int = 3,
        inputs: str | Path = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> Explanation:
        """How one quantity comes about, so many levels down; takes the same givens as `evaluate`.

        Raises:
            FormulaError: as `evaluate` does.

        """
        from formula_eval.analyse.explain import explain  # noqa: PLC0415 - loads the parser

        (name,) = self.evaluator.select([name], namespace)[:1]
        givens = self.evaluator.givens(self._question(given, inputs, namespace))
        return Explanation(explain(self.evaluator, givens, name, depth, namespace))

    def __getitem__(self, name: str) -> Formula:
        """What the author wrote under a name; raises FormulaError for an unknown one."""
        from formula_eval.analyse.show import describe  # noqa: PLC0415 - loads the parser

        return Formula(describe(name, self.evaluator), self.evaluator)

    def __contains__(self, name: object) -> bool:
        """Whether a quantity or input has this name."""
        return name in self.evaluator.schema.formulas or name in self.evaluator.schema.inputs

    def __iter__(self) -> Iterator[str]:
        """The names of all quantities."""
        return iter(self.evaluator.select(["*"]))

    def _question(self, given: Mapping[str, Any], inputs: str | Path, namespace: str) -> Question:
        from formula_eval.export.workbook.read_back import stated_in  # noqa: PLC0415 - most questions have no such file

        given = dict(given)
        if "gpu" in given:
            given["hardware"] = given.pop("gpu")
        records = {name: str(given.pop(name)) for name in RECORDS if name in given}
        values = {name: _in_base_units(value) for name, value in given.items()}
        stated = stated_in(str(inputs), self.evaluator) if inputs else None
        return Question(records, values, str(inputs), namespace, origin="argument", stated=stated)

    def __repr__(self) -> str:
        """How much is in it."""
        schema = self.evaluator.schema
        return f"<{len(schema.formulas)} quantities of {len(schema.inputs)} inputs>"


def _in_base_units(value: Any) -> Any:  # noqa: ANN401 - any input
    """Numbers say that they need no unit; flags and texts stay as they are."""
    return InBaseUnits(float(value)) if isinstance(value, Real) and not isinstance(value, bool) else value


def load(*library: str | Path, cache: bool = True) -> Formulas:
    """The formulas of the project and of further library folders.

    Raises:
        FormulaError: if a folder is none, or the formulas in it do not hold together.

    """
    return Formulas(Evaluator(find_library(library), Cache(cache_directory(), COMPILED) if cache else Cache(None)))
