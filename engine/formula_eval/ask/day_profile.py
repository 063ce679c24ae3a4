"""Reads the rates of a day, in requests each second: 24 numbers of a CSV file, or of a shape by its name."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from formula_eval.analyse.plan.demand import DayLayout
from formula_eval.analyse.plan.planned import HOURS_OF_A_DAY
from formula_eval.core.diagnostic import listed, refuse, shortened
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.text_files import read_text

_MOST = 1e9
_HELP = "Write 24 lines, one for each hour from midnight: requests per second, or the hour, a comma and that rate."


def is_word(profile: str | Path | Sequence[float]) -> bool:
    """Whether this names a shape of a day, rather than its rates or a file of them."""
    return isinstance(profile, str) and profile.isidentifier() and not Path(profile).exists()


def cells_of_shape(evaluator: Evaluator, layout: DayLayout, word: str) -> list[str]:
    """The quantities that are the rates of a day of this shape, hour by hour; raises FormulaError for another word."""
    if word not in layout.shapes:
        help_ = f"Name a file of 24 rates, or a shape: {listed(list(layout.shapes))}."
        raise refuse("unknown-word", f"No file and no shape of a day is named `{shortened(word)}`", help=help_)
    shape = layout.shapes[word]
    return list(evaluator.graph.tables[shape.table].column(shape.column))


def day_rates(profile: str | Path | Sequence[float]) -> list[float]:
    """The rates of a day, of a file or as they are; raises FormulaError for anything but 24 numbers from 0."""
    if not isinstance(profile, str | Path):
        return _checked([str(number) for number in profile], "profile")
    shown = str(profile)
    try:
        rows = [row for row in csv.reader(read_text(Path(profile), shown).splitlines()) if "".join(row).strip()]
    except csv.Error as error:
        raise refuse("unreadable", f"Cannot read `{shown}`: {error}", help=_HELP) from error
    texts = [row[-1].strip() for row in rows]
    if len(texts) == HOURS_OF_A_DAY + 1 and _number(texts[0]) is None:  # a line of titles
        rows, texts = rows[1:], texts[1:]
    if any(len(row) > 2 for row in rows):  # noqa: PLR2004 - the hour and its rate
        raise refuse("bad-value", f"`{shown}` has more than two columns", help=_HELP)
    hours = [row[0].strip() for row in rows if len(row) > 1]
    if hours and [_number(hour.removesuffix(":00")) for hour in hours] not in (
        [*range(HOURS_OF_A_DAY)],
        [*range(1, HOURS_OF_A_DAY + 1)],
    ):
        raise refuse("bad-value", f"The first column of `{shown}` does not count the hours", help=_HELP)
    return _checked(texts, f"`{shown}`")


def _checked(texts: Sequence[str], shown: str) -> list[float]:
    for number, text in enumerate(texts, 1):
        value = _number(text)
        if value is None or not 0 <= value <= _MOST:
            said = repr(text if len(text) < 40 else text[:37] + "...")  # noqa: PLR2004 - a line's worth
            raise refuse("bad-value", f"{shown}: {said} of hour {number} is no rate from 0 to 1e9", help=_HELP)
    if len(texts) != HOURS_OF_A_DAY:
        raise refuse("bad-value", f"{shown} has {len(texts):,} rates, and a day has {HOURS_OF_A_DAY}", help=_HELP)
    rates = [float(text) for text in texts]
    if not any(rates):
        raise refuse("bad-value", f"{shown}: no requests arrive all day", help=_HELP)
    return rates


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
