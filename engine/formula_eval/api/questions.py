"""Answers what is asked of a formula, or of a few configurations: compare, derive, sensitivity, solve."""

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formula_eval.api.arguments import patterns_of, question_of
from formula_eval.api.many_configurations import ManyConfigurations
from formula_eval.export.terminal.answer_layout import read_answer_layout

if TYPE_CHECKING:
    from formula_eval.analyse.closed_form import ClosedForm
    from formula_eval.analyse.compare.comparison import Comparison
    from formula_eval.analyse.sensitivity import Sensitivity
    from formula_eval.analyse.solve import Solved


class Questions(ManyConfigurations):
    """The questions beyond one answer; `Formulas` has them all."""

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
        from formula_eval.analyse.compare.configurations import configurations, side_by_side  # noqa: PLC0415 - loads NumPy
        from formula_eval.export.comparison_rows import comparison_rows  # noqa: PLC0415

        question = question_of(self.evaluator, given, inputs, answer)
        asked = configurations([question], self.evaluator.schema, zipped=zip)
        shown, rows = comparison_rows(self.evaluator, question, patterns_of(only))
        return side_by_side(shown, asked, rows)

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

        question = question_of(self.evaluator, given, inputs, answer or namespace)
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
            FormulaError: as `evaluate` does; for a quantity that is not a number, or is 0.

        """
        from formula_eval.analyse.sensitivity import asked_sensitivity  # noqa: PLC0415 - NumPy is slow to load

        return asked_sensitivity(
            self.evaluator, question_of(self.evaluator, given, inputs, answer or namespace), name, goal
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
        from formula_eval.analyse.solve import solve  # noqa: PLC0415 - NumPy is slow to load

        question = question_of(self.evaluator, given, inputs, answer or namespace)
        meant = read_answer_layout(self.evaluator.library, question.about(self.evaluator.library)).quantities(
            self.evaluator.schema
        )
        return solve(self.evaluator, question, name, [where] if isinstance(where, str) else where, meant)
