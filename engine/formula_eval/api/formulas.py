"""Loads a library of formulas once, and answers for models, hardware and inputs."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from formula_eval import analyse, ask
from formula_eval.api.answer import Answer
from formula_eval.api.arguments import patterns_of
from formula_eval.api.catalogue import Catalogue, inputs_of, listed
from formula_eval.api.formula import Explanation, Formula
from formula_eval.api.idle import CountsForNothing
from formula_eval.api.questions import Questions
from formula_eval.ask.evaluate import EvaluateRequest, evaluate
from formula_eval.ask.idle_notes import idle_notes, unread_notes
from formula_eval.cache import Cache, cache_directory
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import selected
from formula_eval.libraries import find_library
from formula_eval.library import COMPILED
from formula_eval.records.input_names import records_among
from formula_eval.records.launch_reading import Beside, Launch
from formula_eval.records.roles import roles_of

if TYPE_CHECKING:
    from formula_eval.api.shipped import ShippedFormulas


class Formulas(Questions):
    """All formulas of a library, ready to answer; `load` makes one.

    `formulas["inference.ttft"]` is a formula as its author wrote it, `formulas.models`, `formulas.hardware` and
    `formulas.inputs` are what there is to choose, iteration gives the names of all quantities.
    """

    @contextmanager
    def _known_elsewhere(self, given: Mapping[str, Any]) -> Iterator[None]:
        """Within it an error about an unknown name tells which library that comes with ours knows it."""
        try:
            yield
        except FormulaError as error:
            words = [*given, *map(str, given.values())]
            is_ours = self.evaluator.library.is_builtin
            other = (
                ask.other_libraries.library_that_knows(error.diagnostics, words, self.evaluator) if is_ours else None
            )
            if other is None:
                raise
            first = error.diagnostics[0]
            help_ = f'The library `{other.library}` knows it: `load("{other.library}")`.'
            raise refuse(first.code, first.message, help=help_, subject=first.subject) from error

    def evaluate(
        self,
        *,
        only: Sequence[str] | str | None = None,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> Answer:
        """The answer for a model, hardware and input values, as the command prints it; or the quantities of `only`.

        Quantities that were not asked for are computed when they are looked up, `answer["training.mfu"]`, and only
        then their checks speak. The first question about other quantities compiles them, which takes seconds; then
        the program is kept, on disk too, and an answer takes milliseconds.

        Args:
            only: names or globs of quantities, such as `params.total`, `ttft in ms` or `memory.*`; `*` is all of them.
            inputs: a scenario file in TOML, JSON or YAML, or an edited workbook.
            answer: `serving`, `training`, or the namespace where bare names are looked up and whose presets hold; what
                the library says of itself by default.
            namespace: the same as `answer`.
            given: `model="llama2-70b"`, `hardware="h100-sxm"` (or `gpu`) and any input by name, one value each: a
                number in base units (byte, FLOP, s, USD, J), text with any unit (`memory_bandwidth="2.5 TB/s"`), a
                word of a choice, a flag, or a `Value` of another answer.

        Raises:
            FormulaError: for anything unknown, misspelt, out of range, refused by a check of what was asked, or not
                computable. Its text says what is wrong and what to do.

        Warns:
            CountsForNothing: for what is given and changes nothing of what is asked.

        """
        with self._known_elsewhere(given):
            question = self._question(self.evaluate, given, inputs, answer or namespace)
            found = evaluate(self.evaluator, EvaluateRequest(question, patterns_of(only)))
        shown = found.evaluator
        notes = unread_notes(shown, question, found.wanted) if found.named else idle_notes(shown, question, ())
        for note in notes:
            warnings.warn(note, CountsForNothing, stacklevel=2)
        return Answer(found)

    def explain(
        self,
        name: str,
        *,
        depth: int = 3,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> Explanation:
        """How one quantity comes about, so many levels down; takes the same givens as `evaluate`.

        Raises:
            FormulaError: as `evaluate` does.

        """
        question = self._question(self.explain, given, inputs, answer or namespace)
        evaluator, (name, *_) = selected(self.evaluator, [name], question)
        return Explanation(
            analyse.explain.explain(evaluator, evaluator.givens(question), name, depth, question.namespace)
        )

    def read_launch(self, text: str | Path, **given: Any) -> Launch:  # noqa: ANN401 - any input
        """What a launch command asks for, or the script, manifest or configuration file of this name.

        `evaluate(**launch.stated)` answers it; `launch.used`, `.assumed`, `.without_effect`, `.without_input` and
        `.unknown` tell what became of its options. `given` are inputs and records that stand beside it.

        Raises:
            FormulaError: if the text starts no known program or several, contradicts itself, or leaves open what
                matters: nothing of it is executed.

        """
        from formula_eval.launch.launch_reader import read_launch  # noqa: PLC0415 - seldom needed

        records, values = records_among(given, self.evaluator.schema)
        return read_launch(str(text), self.evaluator.library, self.evaluator.schema, Beside(records, values))

    @property
    def models(self) -> Catalogue:
        """The models by id; looked up by alias or hub name too."""
        return listed(self.evaluator, roles_of(self.evaluator.library).model)

    @property
    def hardware(self) -> Catalogue:
        """The accelerators and CPUs by id; looked up by alias too."""
        return listed(self.evaluator, roles_of(self.evaluator.library).accelerator)

    @property
    def inputs(self) -> Catalogue:
        """What can be given, by name: unit or words, default, which record it comes from, meaning."""
        return inputs_of(self.evaluator)

    def list(self, what: str) -> Catalogue:
        """Any other list that `formula-eval list` prints: formats, engines, families, units, formulas, namespaces.

        Raises:
            FormulaError: if there is no such list.

        """
        return listed(self.evaluator, what)

    def __getitem__(self, name: str) -> Formula:
        """What the author wrote under a name; raises FormulaError for an unknown one, with the nearest."""
        return Formula(analyse.show.describe(name, self.evaluator), self.evaluator)

    def __contains__(self, name: object) -> bool:
        """Whether a quantity or input has this name."""
        return name in self.evaluator.schema.formulas or name in self.evaluator.schema.inputs

    def __iter__(self) -> Iterator[str]:
        """The names of all quantities."""
        return iter(self.evaluator.select(["*"]))

    def _ipython_key_completions_(self) -> Sequence[str]:
        return [
            *self,
            *(name for name, input_schema in self.evaluator.schema.inputs.items() if not input_schema.record),
        ]

    def __repr__(self) -> str:
        """How much is in it."""
        schema = self.evaluator.schema
        return f"<{len(schema.formulas)} quantities of {len(schema.inputs)} inputs>"


@overload
def load(*, cache: bool = True) -> "ShippedFormulas": ...


@overload
def load(*library: str | Path, cache: bool = True) -> Formulas: ...


def load(*library: str | Path, cache: bool = True) -> Formulas:
    """The formulas of the project and of further library folders.

    Args:
        library: folders with formulas, models or hardware of your own; what they declare adds to ours. Those that come
            with ours are called by their names (`formulas.list("libraries")`), such as `vision`.
        cache: whether compiled programs are kept on disk, for the next process too.

    Raises:
        FormulaError: if a folder is none, or the formulas in it do not hold together.

    """
    return Formulas(Evaluator(find_library(library), Cache(cache_directory(), COMPILED) if cache else Cache(None)))
