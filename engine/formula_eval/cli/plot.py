"""Implements `--plot`: draws an answer to a file, in addition to what is printed."""

from typing import TYPE_CHECKING

from formula_eval.cli.output import say
from formula_eval.evaluate.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable

    from formula_eval.export.plot.chart_data import Picture


def refuse_unless_drawn(plot: str | None) -> None:
    """Raise FormulaError, before anything is computed, for a file that is not a picture."""
    if plot is not None:
        from formula_eval.export.plot.draw.picture_file import refuse_ending  # noqa: PLC0415 - seldom needed

        refuse_ending(plot)


def draw(plot: str | None, theme: str, evaluator: Evaluator, picture: "Callable[[], Picture]") -> None:
    """Write the picture where one was asked for; raises FormulaError."""
    if plot is not None:
        from formula_eval.export.plot.draw.picture_file import write_picture  # noqa: PLC0415 - loads matplotlib

        write_picture(picture(), evaluator.library, plot, theme)
        say(f"{plot}: written.", err=True)
