"""Answers what is asked of many configurations at once: sweep, search, plan, uncertainty, calibrate."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formula_eval.api.arguments import patterns_of, question_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.sweep.sweep_layout import usual_columns

if TYPE_CHECKING:
    from formula_eval.analyse.calibration.calibration import Calibration
    from formula_eval.analyse.plan.plan import Plan
    from formula_eval.analyse.uncertainty import Spread
    from formula_eval.api.search_result import SearchResult
    from formula_eval.api.sweep_result import SweepResult


class ManyConfigurations:
    """The questions that compute many configurations; `Formulas` has them all."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Answer with this evaluator."""
        self.evaluator = evaluator

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
        from formula_eval.analyse.sweep.cluster import sweep_on  # noqa: PLC0415 - loads NumPy
        from formula_eval.analyse.sweep.sweep import Asked  # noqa: PLC0415
        from formula_eval.analyse.sweep.sweep_frame import whole_sweep  # noqa: PLC0415
        from formula_eval.api.sweep_result import SweepResult  # noqa: PLC0415

        question = question_of(self.evaluator, given, inputs, answer)
        patterns = patterns_of(only)
        usual = () if patterns else usual_columns(self.evaluator, question)
        asked = Asked(patterns, usual, patterns_of(where), zip, sample, seed)
        with sweep_on(workers, cluster, self.evaluator, question, asked) as found:
            return SweepResult(whole_sweep(found))

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
        from formula_eval.analyse.search.search_plan import Sought  # noqa: PLC0415 - loads NumPy
        from formula_eval.analyse.search.search_space import goal_of  # noqa: PLC0415
        from formula_eval.analyse.search.search_workers import search_on  # noqa: PLC0415
        from formula_eval.api.search_result import SearchResult  # noqa: PLC0415
        from formula_eval.evaluate.situation import titles  # noqa: PLC0415
        from formula_eval.export.search.search_layout import read_search_space  # noqa: PLC0415

        question, library = question_of(self.evaluator, given, inputs, answer), self.evaluator.library
        space = read_search_space(library, question.about(library), self.evaluator.schema)
        sought = Sought(goal_of(minimise, maximise), patterns_of(where), seed, seconds=seconds)
        with search_on(workers, cluster, self.evaluator, question, space, sought) as search:
            search.run()
            return SearchResult(search.found(), titles(library))

    def plan(
        self,
        *,
        traffic: str = "",
        seconds: float = 60.0,
        inputs: str | Path = "",
        answer: str = "",
        **given: Any,  # noqa: ANN401 - any input
    ) -> "Plan":
        """What requests within targets, or a training run, take on each accelerator and engine that is allowed.

        It takes what `search` takes, and `traffic`: classes of requests by share, such as `chat=0.6,code=0.4`. A run
        without training_tokens trains on as many as its run_budget allows, or its deadline on so many gpus. The first
        of its `alternatives` is `.best`; `.values` are those of its `columns`, in base units.

        Raises:
            FormulaError: as `search` does; where no requests arrive, where nothing says how long a
                run is, and for shares that do not add up to 1.

        """
        from formula_eval.analyse.plan.mixed_traffic import with_traffic  # noqa: PLC0415 - loads NumPy
        from formula_eval.analyse.plan.plan import Demand, make_plan  # noqa: PLC0415
        from formula_eval.export.plan.plan_layout import read_plan_layout  # noqa: PLC0415
        from formula_eval.export.search.search_layout import read_search_space  # noqa: PLC0415

        library, schema = self.evaluator.library, self.evaluator.schema
        question = with_traffic(question_of(self.evaluator, given, inputs, answer), traffic, library, schema)
        space = read_search_space(library, question.about(library), schema)
        demand = Demand(space, read_plan_layout(library, question.about(library), schema), seconds)
        return make_plan(self.evaluator, question, demand)

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
        from formula_eval.analyse.dask_workers import client_of  # noqa: PLC0415 - loads NumPy
        from formula_eval.analyse.uncertainty import uncertainty  # noqa: PLC0415

        question = question_of(self.evaluator, given, inputs, answer or namespace)
        with client_of(workers, cluster) as client:
            return uncertainty(self.evaluator, question, name, draws, seed, client)

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
        from formula_eval.analyse.calibration.calibration import calibration  # noqa: PLC0415 - NumPy is slow to load
        from formula_eval.analyse.calibration.run_table import read_runs  # noqa: PLC0415

        question = question_of(self.evaluator, given, inputs, answer)
        names = [fit] if isinstance(fit, str) else list(fit)
        return calibration(self.evaluator, read_runs(self.evaluator, question, runs, group), names, question.namespace)
