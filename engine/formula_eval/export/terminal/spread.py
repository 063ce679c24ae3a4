"""Renders the spread of a quantity under uncertain inputs, as text and plain data."""

from typing import Any

from formula_eval.analyse.sobol_indices import Spread
from formula_eval.export.terminal.blocks import TextTable
from formula_eval.export.terminal.screen import Screen, screen_text


def spread_text(found: Spread, on: Screen) -> str:
    """The spread, and a table of what each input brings to it."""
    head = f"{on.paint(found.median.name, 'title')} = {found.median}, 5 to 95 %: {found.low} to {found.high}\n\n"
    rows = tuple((share.name, share.text, _percent(share.first), _percent(share.total)) for share in found.shares)
    table = screen_text([TextTable("input", ("value", "by itself", "with others"), rows)], on)
    texts = [
        "by itself, with others: which share of the variance an input brings (Sobol indices, first-order and total).",
        "An interval holds 90 %: log-normal where it is positive, else normal, cut at the range of the input.",
        f"{found.draws:,} configurations; the same --seed gives the same numbers.",
    ]
    if found.failed:
        texts.append(f"{_percent(found.failed)} of them have no value or are refused by a check, and are left out.")
    return f"{head}{table}\n{on.dimmed(texts)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.005 or not share else "<1%"  # noqa: PLR2004 - half a percent is rounded up


def spread_data(found: Spread) -> dict[str, Any]:
    """The same as plain data, in base units."""
    return {
        "quantity": found.median.name,
        "unit": found.median.unit,
        "median": found.median.plain,
        "low": found.low.plain,
        "high": found.high.plain,
        "inputs": [share._asdict() for share in found.shares],
        "configurations": found.draws,
        "failed": found.failed,
    }
