"""Renders measurements as a table for a terminal."""

from formula_eval.analyse.measurement.measurement import Measurement
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.export.terminal.blocks import TextTable
from formula_eval.export.terminal.screen import Screen, screen_text

_TIME, _RATE = Quantified("number", "s", "s"), Quantified("number", "FLOP/s", "FLOP/s")
_BANDWIDTH, _SIZE = Quantified("number", "byte/s", "byte/s"), Quantified("number", "byte", "byte")


def measurement_text(found: Measurement, on: Screen) -> str:
    """The times by kind and sizes, and the best rates."""
    rows = tuple(
        (each.kind.replace("_", " "), " x ".join(map(str, each.sizes)), shown_value(each.seconds, _TIME))
        for each in found.timings
    )
    head = f"{on.paint(found.name, 'title')}, {shown_value(found.memory, _SIZE)}, numbers of {found.bits} bits\n\n"
    best = f"best product {shown_value(found.rate, _RATE)}, largest copy {shown_value(found.bandwidth, _BANDWIDTH)}\n"
    return f"{head}{screen_text([TextTable('kernel', ('sizes', 'time'), rows)], on)}\n{best}"
