"""Answers each question in Python: compare, derive, sensitivity, solve, sweep, search, plan, uncertainty, calibrate."""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formula_eval import analyse, ask
from formula_eval.api.arguments import patterns_of, question_of, refuse_slips
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.situation import titles
from formula_eval.records.givens import Question

if TYPE_CHECKING:
    from formula_eval.analyse.calibration.calibration import Calibration
    from formula_eval.analyse.closed_form import ClosedForm
    from formula_eval.analyse.compare.comparison import Comparison
    from formula_eval.analyse.influences import Sensitivity
    from formula_eval.analyse.plan.planned import Plan
    from formula_eval.analyse.sobol_indices import Spread
    from formula_eval.analyse.solver import Solved
    from formula_eval.api.search_result import SearchResult
    from formula_eval.api.sweep_result import SweepResult


SEVERAL = ("compare", "sweep", "search", "plan", "uncertainty")  # methods whose inputs may have several values


class Questions:
    """The questions beyond one answer; `Formulas` has them all."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Answer with this evaluator."""
        self.evaluator = evaluator

    def _question(
        self, method: Callable[..., object], given: Mapping[str, Any], inputs: str | Path, answer: str
    ) -> Question:
        """The question of a method; refuses misspelt names, and lists for inputs unless it takes several values."""
        refuse_slips(self.evaluator, method, given, several=method.__name__ in SEVERAL)
        return question_of(self.evaluator, given, inputs, answer)

    def compare(
        self,
        *,
        only: Sequence[str] | str | None = None,
        zip: bool = False,  # noqa: A002 - as the command calls it
        inputs: str | Path = "",
        answer: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Comparison":
        """Configurations side by side, each with its ratio to the first, and why they differ; takes what `sweep` takes.

        `compare(model="llama2-70b", tp=8, gpu=["h100-sxm", "h200-sxm"]).rows` are the quantities: `row.answers` by
        column, and in `row.differences` the inputs that a difference comes from, with what each brings by itself.

        Raises:
            FormulaError: as `evaluate` does; for more configurations than stand side by side.

        """
        questions = [self._question(self.compare, given, inputs, answer)]
        request = ask.compare.CompareRequest(questions, patterns_of(only), zip, tools=False)
        return ask.compare.compare(self.evaluator, request).comparison

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
        question = self._question(self.derive, given, inputs, answer or namespace)
        return analyse.derive.derive(self.evaluator, question, name, [free] if isinstance(free, str) else free)

    def sensitivity(  # noqa: PLR0913 - as the command has them
        self,
        name: str,
        *,
        goal: float = nan,
        every: bool = True,
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Sensitivity":
        """What moves one quantity: `.influences`, the strongest first; takes the same givens as `evaluate`.

        Each has the `elasticity` to an input and the `factor` that about 10 % more of it brings; with a `goal`, a
        factor on the quantity, also the value `needed` of that input alone, in base units. Unless `every` input is
        wanted, those that describe the model or merely set another one are left out.

        Raises:
            FormulaError: as `evaluate` does; for a quantity that is not a number, or is 0.

        """
        question = self._question(self.sensitivity, given, inputs, answer or namespace)
        return ask.sensitivity.sensitivity(
            self.evaluator, ask.sensitivity.SensitivityRequest(question, name, goal, every)
        )

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
            FormulaError: for an unknown input, one that is given or not numeric, and a text that is not a condition.

        """
        question = self._question(self.solve, given, inputs, answer or namespace)
        conditions = [where] if isinstance(where, str) else where
        return ask.solve.solve(self.evaluator, ask.solve.SolveRequest(question, name, conditions))

    def sweep(  # noqa: PLR0913 - one for each option of the command
        self,
        *,
        only: Sequence[str] | str | None = None,
        where: Sequence[str] | str = (),
        zip: bool = False,  # noqa: A002 - as the command calls it
        sample: int | None = None,
        seed: int = 0,
        workers: int | None = None,
        cluster: str = "",
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
            workers: compute in so many processes of this machine, which Dask starts; a script that asks for them stands
                under `if __name__ == "__main__":`.
            cluster: compute on the workers of this Dask scheduler, such as `tcp://10.0.0.1:8786`.
            inputs: a scenario file in TOML, JSON or YAML, or an edited workbook.
            answer: `serving`, `training`, or a namespace.
            given: what `evaluate` takes, and lists or ranges of it: `tp=[1, 2, 4]`, `batch="1..512*2"`.

        Raises:
            FormulaError: for what `evaluate` raises it, and for a grid of more than a thousand million configurations.

        """
        from formula_eval.api.sweep_result import SweepResult  # noqa: PLC0415 - loads NumPy

        question = self._question(self.sweep, given, inputs, answer)
        request = ask.sweep.SweepRequest(
            question, patterns_of(only), patterns_of(where), zip, sample, seed, workers=workers, cluster=cluster
        )
        with ask.sweep.sweep(self.evaluator, request) as found:
            return SweepResult(analyse.sweep_frame.whole_sweep(found))

    def search(  # noqa: PLR0913 - one for each option of the command
        self,
        *,
        minimise: str | None = None,
        maximise: str | None = None,
        where: Sequence[str] | str = (),
        seed: int = 0,
        seconds: float = 60.0,
        workers: int | None = None,
        cluster: str = "",
        inputs: str | Path = "",
        answer: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "SearchResult":
        """The best configuration for a goal: what nobody gives varies, as far as checks and conditions allow.

        Args:
            minimise: the quantity whose smallest value is sought; without any goal the usual one of the answer.
            maximise: the quantity whose largest value is sought.
            where: conditions in the language of formulas, such as `training.mfu > 0.4`.
            seed: which errors are drawn for `robustness`.
            seconds: for how long bounds are computed where there are too many configurations to compute each.
            workers: as of `sweep`, for what is computed rather than bounded.
            cluster: likewise.
            inputs: a scenario file in TOML, JSON or YAML, or an edited workbook.
            answer: `serving`, `training`, or a namespace.
            given: what `evaluate` takes, and lists or ranges of it, which vary too.

        Raises:
            FormulaError: for what `evaluate` raises it, two goals or one that is not a number, and too large a space.

        """
        from formula_eval.api.search_result import SearchResult  # noqa: PLC0415 - loads NumPy

        question = self._question(self.search, given, inputs, answer)
        conditions = patterns_of(where)
        request = ask.search.SearchRequest(
            question, minimise, maximise, conditions, seed, seconds=seconds, workers=workers, cluster=cluster
        )
        found = ask.search.search(self.evaluator, request)
        if found.interrupted:
            raise KeyboardInterrupt
        return SearchResult(found.outcome, titles(self.evaluator.library))

    def plan(  # noqa: PLR0913 - one for each option
        self,
        *,
        traffic: str = "",
        profile: str | Path | Sequence[float] = "",
        pools: bool = False,
        seconds: float | None = None,
        inputs: str | Path = "",
        answer: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Plan":
        """What requests within targets, a batch job or a training run take on each accelerator and engine allowed.

        It takes what `search` takes, and `traffic`: classes of requests by share, such as `chat=0.6,code=0.4`. A run
        without training_tokens trains on as many as its run_budget allows, or its deadline on so many gpus. With
        job_requests it plans a batch job, on no more than gpus where these are given. `profile` are the rates of the
        24 hours of a day, a CSV file of them, or `triangle`: what each alternative takes by the hour is then its
        `.day`. With `pools` it plans pools apart for prefill and decode too: `.pooled`. They share `seconds`, or have a
        minute each. The first of them is `.best`; `.values` are those
        of the `columns`, in base units.

        Raises:
            FormulaError: as `search` does; where no requests arrive, where nothing says how long a
                run is, and for shares that do not add up to 1.

        """
        question = self._question(self.plan, given, inputs, answer)
        return ask.plan.plan(self.evaluator, ask.plan.PlanRequest(question, traffic, seconds, profile, pools))

    def uncertainty(  # noqa: PLR0913 - one for each option
        self,
        name: str,
        *,
        draws: int = 1024,
        seed: int = 0,
        workers: int | None = None,
        cluster: str = "",
        inputs: str | Path = "",
        answer: str = "",
        namespace: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Spread":
        """The spread of one quantity where inputs are intervals, `price="2 to 4 USD/hour"`, or lists of values.

        It has `.low`, `.median`, `.high` (5, 50 and 95 %) and `.shares`, what each input brings. `draws` is a power of
        two; the same seed gives the same numbers. `workers` and `cluster` are as of `sweep`.

        Raises:
            FormulaError: as `evaluate` does; if nothing is uncertain.

        """
        question = self._question(self.uncertainty, given, inputs, answer or namespace)
        request = ask.uncertainty.UncertaintyRequest(question, name, draws, seed, workers, cluster)
        return ask.uncertainty.uncertainty(self.evaluator, request)

    def calibrate(
        self,
        runs: str | Path,
        *,
        fit: Sequence[str] | str,
        group: str = "",
        inputs: str | Path = "",
        answer: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Calibration":
        """The values of inputs that fit a CSV file of measured runs best; what is given holds for all of them.

        It has `.inputs` (before, after, standard error, whether the runs determine it) and the errors `.before`,
        `.after` and `.held_out`, each group of runs by a fit to the others.

        Raises:
            FormulaError: for a table that is wrong, an input that the runs do not depend on, and without SciPy.

        """
        question = self._question(self.calibrate, given, inputs, answer)
        names = [fit] if isinstance(fit, str) else list(fit)
        return ask.calibrate.calibrate(self.evaluator, ask.calibrate.CalibrateRequest(question, runs, names, group))
