"""Wraps a result so that it prints as the terminal does, computes more on request, and becomes a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from formula_eval import analyse, export
from formula_eval.api.formula import Explanation
from formula_eval.ask.evaluate import Evaluated
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.value import Value
from formula_eval.evaluate.views import refuse_unchosen, selected

_WIDTH = 100
_WITHIN = frozenset(("but", "evaluator", "lacking", "looked_up", "numbers", "refused"))


class Answer(Result):
    """The quantities that were asked for, by name, the inputs behind them and the checks.

    `answer["inference.ttft"]` is a `Value`, in s; a last name will do where only one quantity of the answer bears it,
    `answer["ttft"].to("ms")`. What was not asked for is computed when it is looked up. Printed, or at the end of a cell
    of a notebook, an answer shows what the command shows. `to_pandas()` and `to_arrow()` make a table.

    `named` tells whether quantities were named, by `only`, or the whole answer to the question was asked for.
    """

    def __init__(self, found: Evaluated) -> None:
        """The answer that was found."""
        super().__init__(**vars(found.result))
        self.evaluator, self.question, self.named = found.evaluator, found.question, found.named
        self._purpose = found.purpose
        self.looked_up: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        """A quantity or an input; raises FormulaError for an unknown one, with the nearest, and as `evaluate` does."""
        for held in (self.values, self.inputs, self.looked_up):
            if name in held:
                return held[name]
        own = [value for value in self.values if value.endswith(f".{name}")]
        if len(own) == 1:
            return self.values[own[0]]
        self.looked_up[name] = self._looked_up(name)
        return self.looked_up[name]

    def _looked_up(self, name: str) -> Value:
        """The quantity that the reader means, from what there is or by asking for it."""
        namespace = self.question.namespace
        first = self.evaluator.select_one(name, self.question)
        if first in self:
            return self[first]
        refuse_unchosen(self.evaluator, [name], self.givens, self.question)
        return self.evaluator.evaluate(self.givens, [first], namespace, named=True)[first]

    def plot(self, file: str | Path, theme: str = "light") -> None:
        """Draw the answer into FILE.svg, FILE.png or FILE.html, as `--plot` does; raises FormulaError."""
        picture = export.answer_picture.answer_picture(self.evaluator, self.question)
        export.picture_file.write_picture(picture, self.evaluator.library, file, theme)

    def explain(self, name: str = "", *, depth: int = 3) -> Explanation:
        """How one quantity of the same question comes about, so many levels down; raises FormulaError.

        Where a single one was asked for, that one.
        """
        if not name and len(self.values) != 1:
            help_ = f'Name one: `explain("{next((each for each in self.values if "." in each), "")}")`.'
            raise refuse("unknown-quantity", f"This answer has {len(self.values)} quantities", help=help_)
        name = name or next(iter(self.values))
        evaluator, (name, *_) = selected(self.evaluator, [name], self.question)
        return Explanation(analyse.explain.explain(evaluator, self.givens, name, depth, self.question.namespace))

    def __dir__(self) -> list[str]:
        """What a reader may use; the rest serves what computes more."""
        return [name for name in super().__dir__() if name not in _WITHIN]

    def __contains__(self, name: object) -> bool:
        """Whether it was asked for, or is one of the inputs behind what was."""
        return name in self.values or name in self.inputs

    def keys(self) -> Sequence[str]:
        """The names of the quantities that were asked for."""
        return list(self.values)

    def _ipython_key_completions_(self) -> Sequence[str]:
        return [*self.values, *self.inputs]

    def to_pandas(self) -> Any:  # noqa: ANN401 - a frame of an optional package
        """A `pandas.DataFrame` with a row for each quantity and each input behind them, by name.

        Columns: `value`, a number in base units (1 and 0 for a flag, missing for a word and for what is absent); `unit`
        that it is in; `text`, as people read it; `origin`, who set an input, empty for a quantity; `meaning`.

        Raises:
            FormulaError: if pandas is not installed.

        """
        frame = analyse.data_frame
        return frame.pandas_frame(frame.rows_of(self, self.evaluator.schema))

    def to_arrow(self) -> Any:  # noqa: ANN401 - a table of an optional package
        """A `pyarrow.Table` with the columns of `to_pandas`, and `name` before them.

        Raises:
            FormulaError: if pyarrow is not installed.

        """
        frame = analyse.data_frame
        return frame.arrow_table(frame.rows_of(self, self.evaluator.schema))

    def __str__(self) -> str:
        """What the command prints."""
        return self._text("table")

    def __repr__(self) -> str:
        """The same."""
        return str(self)

    def _repr_markdown_(self) -> str:
        return self._text("markdown")

    def _repr_html_(self) -> str:
        return export.notebook.blocks_html(export.answer_text.result_blocks(self, self.evaluator, self._purpose))

    def _text(self, form: str) -> str:
        on = export.screen.Screen(width=_WIDTH)
        return export.answer_text.result_text(self, self.evaluator, self._purpose, form, on).rstrip("\n")
