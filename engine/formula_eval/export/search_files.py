"""Writes the outcome of a search to a file or a pipe: the best configurations in order, or all of it as JSON."""

import io
from collections.abc import Sequence
from typing import Any

from formula_eval.analyse.search.outcome import Outcome
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep_batches import Batch
from formula_eval.analyse.sweep.sweep_frame import arrow_bytes, batch_rows
from formula_eval.export.files import write_whole
from formula_eval.export.sweep.row_formats import text_rows
from formula_eval.export.terminal.json_csv import finite, json_text


def search_rows(found: Outcome, form: str, command: str, output: str | None, launch: str) -> None:
    """Write them to a file, or to standard output without one; raises FormulaError for what a pipe cannot take."""
    if form == "json":
        contents: str | bytes = json_text(search_data(found, command, launch))
    elif form == "parquet" and output is not None:
        contents = arrow_bytes(found.leaders, found.columns)
    else:
        held, rows = io.BytesIO(), text_rows(form, found.columns)
        rows.stream([rows.counted(found.leaders)], held, lambda _: None)
        contents = held.getvalue()
    write_whole(output or "-", contents)


def search_data(found: Outcome, command: str, launch: str = "") -> dict[str, Any]:
    """All that was found as plain data, numbers in base units; `launch` is a text that runs the best."""
    robust, nearest = found.robustness, found.nearest
    rows = _rows(found.leaders, found.columns)
    return {
        "goal": {"name": found.goal.name, "is_largest": found.goal.is_largest},
        "units": {column.name: column._replace(in_base=True).unit for column in found.columns},
        "best": rows[0] if rows else None,
        "assumed": dict(found.best.assumed) if found.best else {},
        "command": command,
        **({"launch": launch} if launch else {}),
        "warnings": list(found.best.warnings) if found.best else [],
        "runners_up": rows[1:],
        "front": _rows(found.front, found.columns),
        "counts": found.counts.to_data(),
        "proof": {"is_proven": found.proof.is_proven, **found.proof._asdict(), "bound": finite(found.proof.bound)},
        "idle": list(found.idle),
        "robustness": None if robust is None else robust._asdict(),
        "nearest": None if nearest is None else {"stops": list(nearest.stops)},
    }


def _rows(batch: Batch, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """The rows of a batch, with None for infinity, which JSON does not have."""
    return [{name: finite(value) for name, value in row.items()} for row in batch_rows(batch, columns)]
