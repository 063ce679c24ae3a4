"""A library of formulas, loaded once, to answers for models, hardware and inputs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import nan
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formula_eval.api.answer import Answer
from formula_eval.api.catalogue import Catalogue, inputs_of, listed
from formula_eval.api.formula import Explanation, Formula
from formula_eval.cache import Cache, cache_directory
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.conversion import refuse_unchosen, selected
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Value
from formula_eval.export.sweep.sweep_layout import usual_columns
from formula_eval.export.terminal.answer_layout import read_answer_layout
from formula_eval.library import COMPILED, find_library
from formula_eval.records.givens import Question, records_among
from formula_eval.records.purpose import purpose_of, stated_answer
from formula_eval.records.values import InBaseUnits

if TYPE_CHECKING:
    from formula_eval.analyse.closed_form import ClosedForm
    from formula_eval.analyse.sensitivity import Sensitivity
    from formula_eval.analyse.solve import Solved
    from formula_eval.analyse.uncertainty import Spread
    from formula_eval.api.sweep_result import SweepResult


class Formulas:
    """All formulas of a library, ready to answer; `load` makes one.

    `formulas["inference.ttft"]` is a formula as its author wrote it, `formulas.models`, `formulas.hardware` and
    `formulas.inputs` are what there is to choose, iteration gives the names of all quantities.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        """Answer with this evaluator."""
        self.evaluator = evaluator

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

        """
        question = self._question(given, inputs, answer or namespace)
        patterns = _patterns(only)
        if patterns:
            evaluator, wanted = selected(self.evaluator, patterns, question.namespace)
        else:
            evaluator = self.evaluator
            layout = read_answer_layout(evaluator.library, question.purpose).asked_by(evaluator.givens(question))
            wanted = layout.quantities(evaluator.schema)
        givens = evaluator.givens(question)
        refuse_unchosen(evaluator, patterns, givens, question.namespace)
        result = evaluator.evaluate(givens, wanted, question.namespace, named=bool(patterns))
        return Answer(**vars(result), evaluator=evaluator, question=question, named=bool(patterns))

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
        from formula_eval.analyse.explain import explain  # noqa: PLC0415 - loads the parser

        question = self._question(given, inputs, answer or namespace)
        evaluator, (name, *_) = selected(self.evaluator, [name], question.namespace)
        return Explanation(explain(evaluator, evaluator.givens(question), name, depth, question.namespace))

    def sweep(  # noqa: PLR0913 - one for each option of the command
        self,
        *,
        only: Sequence[str] | str | None = None,
        where: Sequence[str] | str = (),
        zip: bool = False,  # noqa: A002 - as the command calls it
        sample: int | None = None,
        seed: int = 0,
        inputs: str | Path = "",
        answer: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "SweepResult":
        """Every combination of the values of inputs, models and hardware; as many answers as that makes, at once.

        Args:
            only: names or globs of quantities, a column each; the headlines of the answer by default.
            where: conditions in the language of formulas, such as `memory.fits` or `inference.tpot < 20 ms`.
            zip: take the first value of each input together, then the second, ...
            sample: so many configurations drawn at random.
            seed: which ones.
            inputs: a scenario file in TOML, JSON or YAML, or an edited workbook.
            answer: `serving`, `training`, or a namespace.
            given: what `evaluate` takes, and lists or ranges of it: `tp=[1, 2, 4]`, `batch="1..512*2"`.

        Raises:
            FormulaError: for what `evaluate` raises it, and for a grid of more than a thousand million configurations.

        """
        from formula_eval.analyse.sweep.sweep import Asked, Sweep  # noqa: PLC0415 - loads NumPy
        from formula_eval.analyse.sweep.whole_sweep import whole_sweep  # noqa: PLC0415
        from formula_eval.api.sweep_result import SweepResult  # noqa: PLC0415

        question = self._question(given, inputs, answer)
        patterns, library = _patterns(only), self.evaluator.library
        usual = () if patterns else usual_columns(library, question.purpose, self.evaluator.schema)
        conditions = (where,) if isinstance(where, str) else tuple(where)
        asked = Asked(patterns, usual, conditions, zip, sample, seed)
        return SweepResult(whole_sweep(Sweep(self.evaluator, question, asked)))

    def derive(
        self,
        name: str,
        *,
        free: Sequence[str] | str,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "ClosedForm":
        """The closed form of one quantity over the inputs that stay free; all else is put in, as `evaluate` takes it.

        `derive("memory.kv_cache_bytes", free=["batch", "prompt"], model="llama2-70b")` has `.expr` (SymPy), `.latex`,
        `.python`, `.evaluate(batch=16, prompt=4096)` and `.diff("batch")`.

        Raises:
            FormulaError: as `evaluate` does; for an input that is free and given, and a quantity that is a word.

        """
        from formula_eval.analyse.derive import derive  # noqa: PLC0415 - loads the parser

        question = self._question(given, inputs, answer or namespace)
        return derive(self.evaluator, question, name, [free] if isinstance(free, str) else free)

    def sensitivity(
        self,
        name: str,
        *,
        goal: float = nan,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Sensitivity":
        """What moves one quantity: `.influences`, the strongest first; takes the same givens as `evaluate`.

        Each has the `elasticity` to an input and the `factor` that about 10 % more of it brings; with a `goal`, a
        factor on the quantity, also the value `needed` of that input alone, in base units.

        Raises:
            FormulaError: as `evaluate` does; for a quantity that is no number, or 0.

        """
        from formula_eval.analyse.sensitivity import asked_sensitivity  # noqa: PLC0415 - NumPy is slow to load

        return asked_sensitivity(self.evaluator, self._question(given, inputs, answer or namespace), name, goal)

    def solve(
        self,
        name: str,
        *,
        where: Sequence[str] | str,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Solved":
        """The values of one input at which conditions hold: `.spans`; takes the same givens as `evaluate`.

        `solve("batch", where="memory.fits", model="llama2-70b", tp=8).spans[0].high` is the largest batch that fits.

        Raises:
            FormulaError: for an unknown input, one that is given or no number, and what is no condition.

        """
        from formula_eval.analyse.solve import solve  # noqa: PLC0415 - NumPy is slow to load

        question = self._question(given, inputs, answer or namespace)
        meant = read_answer_layout(self.evaluator.library, question.purpose).quantities(self.evaluator.schema)
        return solve(self.evaluator, question, name, [where] if isinstance(where, str) else where, meant)

    def uncertainty(  # noqa: PLR0913 - one for each option
        self,
        name: str,
        *,
        draws: int = 1024,
        seed: int = 0,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Spread":
        """The spread of one quantity where inputs are intervals, `price="2 to 4 USD/hour"`, or lists of values.

        It has `.low`, `.median`, `.high` (5, 50 and 95 %) and `.shares`, what each input brings. `draws` is a power of
        two; the same seed gives the same numbers.

        Raises:
            FormulaError: as `evaluate` does; if nothing is uncertain, or SciPy is not installed.

        """
        from formula_eval.analyse.uncertainty import uncertainty  # noqa: PLC0415 - NumPy is slow to load

        question = self._question(given, inputs, answer or namespace)
        return uncertainty(self.evaluator, question, name, draws, seed)

    @property
    def models(self) -> Catalogue:
        """The models by id; looked up by alias or hub name too."""
        return listed(self.evaluator, "models")

    @property
    def hardware(self) -> Catalogue:
        """The accelerators and CPUs by id; looked up by alias too."""
        return listed(self.evaluator, "hardware")

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
        from formula_eval.analyse.show import describe  # noqa: PLC0415 - loads the parser

        return Formula(describe(name, self.evaluator), self.evaluator)

    def __contains__(self, name: object) -> bool:
        """Whether a quantity or input has this name."""
        return name in self.evaluator.schema.formulas or name in self.evaluator.schema.inputs

    def __iter__(self) -> Iterator[str]:
        """The names of all quantities."""
        return iter(self.evaluator.select(["*"]))

    def _ipython_key_completions_(self) -> Sequence[str]:
        return [*self, *(name for name, each in self.evaluator.schema.inputs.items() if not each.record)]

    def _question(self, given: Mapping[str, Any], inputs: str | Path, answer: str) -> Question:
        from formula_eval.export.workbook.read_back import stated_in  # noqa: PLC0415 - most questions have no such file

        stated = stated_in(str(inputs), self.evaluator) if inputs else None
        asked = str(answer) if answer else stated_answer(str(inputs), stated)
        purpose = purpose_of(asked, self.evaluator.library, self.evaluator.schema)
        said = {name: _several_words(value) for name, value in given.items()}
        records, others = records_among(said, self.evaluator.schema, purpose.namespace)
        values = {name: _in_base_units(value) for name, value in others.items()}
        return Question(
            records, values, str(inputs), purpose.namespace, "argument", stated=stated, training=purpose.training
        )

    def __repr__(self) -> str:
        """How much is in it."""
        schema = self.evaluator.schema
        return f"<{len(schema.formulas)} quantities of {len(schema.inputs)} inputs>"


def _patterns(only: Sequence[str] | str | None) -> Sequence[str]:
    """What was asked for by name; nothing for the whole answer."""
    if only is None or isinstance(only, str):
        return [only] if only else []
    if not isinstance(only, Sequence) or not all(isinstance(each, str) for each in only):
        help_ = 'Write `only="params.total"` or `only=["params.total", "memory.*"]`.'
        raise refuse("bad-value", f"argument: `only = {only!r}` names no quantities", help=help_)
    return only


def _several_words(value: Any) -> Any:  # noqa: ANN401 - any input
    """Ids as the command takes several of them; anything else stays as it is."""
    is_words = isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value)
    return ",".join(value) if is_words else value


def _in_base_units(value: Any) -> Any:  # noqa: ANN401 - any input
    """Numbers say that they need no unit; flags and texts stay as they are, and a number too large for any input."""
    if isinstance(value, Iterable) and not isinstance(value, str | Value):
        return [_in_base_units(each) for each in value]
    if isinstance(value, Value):
        value = value.plain
    if not isinstance(value, Real) or isinstance(value, bool):
        return value
    try:
        return InBaseUnits(float(value))
    except OverflowError:
        return value


def load(*library: str | Path, cache: bool = True) -> Formulas:
    """The formulas of the project and of further library folders.

    Args:
        library: folders with formulas, models or hardware of your own; what they declare adds to ours.
        cache: whether compiled programs are kept on disk, for the next process too.

    Raises:
        FormulaError: if a folder is none, or the formulas in it do not hold together.

    """
    return Formulas(Evaluator(find_library(library), Cache(cache_directory(), COMPILED) if cache else Cache(None)))
