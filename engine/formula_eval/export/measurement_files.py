"""Writes measurements as a table, CSV that `calibrate` reads, and an accelerator record; reads which probes to run."""

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.analyse.measurement.measurement import Measurement, Probes
from formula_eval.core.diagnostic import refuse
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.value import base_unit
from formula_eval.export.terminal.blocks import TextTable
from formula_eval.export.terminal.calibration import toml_number
from formula_eval.export.terminal.json_csv import csv_text
from formula_eval.export.terminal.screen import Screen, screen_text
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.toml_table import check_table, table

FILE = "reports/measure.toml"
_TIME, _RATE = Quantified("number", "s", "s"), Quantified("number", "FLOP/s", "FLOP/s")
_BANDWIDTH, _SIZE = Quantified("number", "byte/s", "byte/s"), Quantified("number", "byte", "byte")
_PROBES = ("seconds", "products", "copies", "attention", "collectives")
_SIZES = table("seconds:number products:[[whole]] attention:[[whole]] copies:[whole] collectives:[whole]")
_KERNELS = table("*:kernel", kernel=table("time:quantity sizes:[input]"))
_RECORD = table("rates:rates bandwidth:input memory:input count:input note", rates=table("*:[input]"))
MEASURE = table("bits:input kernel:kernels record:record *:sizes", kernels=_KERNELS, record=_RECORD, sizes=_SIZES)


class MeasureLayout(NamedTuple):
    """The probes, and which quantities and inputs their times and sizes are."""

    probes: Probes
    kernels: Mapping[str, Mapping[str, Any]]
    bits: str
    record: Mapping[str, Any]


def measure_layout(library: Library, schema: Schema, size: str) -> MeasureLayout:
    """The layout with the probes of this size; raises FormulaError for a file that is wrong."""
    shown, data = library.last_or_ours(FILE)
    check_table(MEASURE, data, shown, schema.vocabulary)
    if size not in data:
        raise refuse("missing-value", f"{shown} lacks `{size}`", help="It says the sizes of kernels.")
    return MeasureLayout(Probes(*(data[size][key] for key in _PROBES)), data["kernel"], data["bits"], data["record"])


def measurement_text(found: Measurement, on: Screen) -> str:
    """The times by kind and sizes, and the best rates."""
    rows = tuple(
        (timing.kind.replace("_", " "), " x ".join(map(str, timing.sizes)), shown_value(timing.seconds, _TIME))
        for timing in found.timings
    )
    head = f"{on.paint(found.name, 'title')}, {shown_value(found.memory, _SIZE)}, numbers of {found.bits} bits\n\n"
    best = f"best product {shown_value(found.rate, _RATE)}, largest copy {shown_value(found.bandwidth, _BANDWIDTH)}\n"
    return f"{head}{screen_text([TextTable('kernel', ('sizes', 'time'), rows)], on)}\n{best}"


def runs_text(found: Measurement, layout: MeasureLayout, schema: Schema) -> str:
    """A row for each kernel, its sizes and its time in the columns that `calibrate` reads."""
    kinds = list(dict.fromkeys(timing.kind for timing in found.timings))
    inputs = [layout.bits, *(name for kind in kinds for name in layout.kernels[kind]["sizes"])]
    times = [layout.kernels[kind]["time"] for kind in kinds]
    rows = []
    for timing in found.timings:
        kernel = layout.kernels[timing.kind]
        held = {layout.bits: found.bits, **dict(zip(kernel["sizes"], timing.sizes, strict=True))}
        held[kernel["time"]] = timing.seconds
        rows.append([held.get(name) for name in (*inputs, *times)])
    return csv_text([_header(name, schema) for name in (*inputs, *times)], rows)


def _header(name: str, schema: Schema) -> str:
    unit = base_unit(schema.quantity(name))
    return f"{name} ({unit})" if unit else name


def record_text(found: Measurement, layout: MeasureLayout, schema: Schema) -> str:
    """TOML that `--gpu FILE.toml` takes: what was measured in place of a data sheet."""
    record = layout.record
    values = dict.fromkeys(record["rates"][str(found.bits)], found.rate)
    values |= {record["bandwidth"]: found.bandwidth, record["memory"]: found.memory, record["count"]: found.devices}
    stated = {"name": found.name, "source": "formula-eval measure", "note": record["note"]}
    lines = [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in stated.items()]
    lines.insert(2, f"date = {dt.datetime.now(tz=dt.UTC).date().isoformat()}")
    lines += [
        f"{name} = {toml_number(value, schema.quantity(name).dimension and base_unit(schema.quantity(name)))}"
        for name, value in values.items()
    ]
    return "".join(f"{line}\n" for line in lines)
