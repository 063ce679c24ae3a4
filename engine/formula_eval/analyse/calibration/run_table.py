"""Reads a CSV file of measured runs: a configuration and its measured figures per row, in base units.

A column is an input, a kind of records or a quantity, as options call them; its unit stands behind it in brackets, as
in `inference.tpot (ms)`. So a file that `sweep` or `measure` wrote is such a table.
"""

import csv
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.evaluate.display_unit import unit_for
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Givens, Question
from formula_eval.records.origin import Origin
from formula_eval.text_files import read_text

_HEADER = re.compile(r"\s*(.*?\S)\s*(?:\(([^()]*)\))?\s*")
_CONTRADICTS = 2.0  # times as much for the same configuration
_NUMBERS = ("number", "whole")


class Run(NamedTuple):
    """One measured figure: its place in the file, its hold-out group, its configuration and its value."""

    place: str
    group: str
    givens: Givens
    quantity: str
    measured: float


class _Column(NamedTuple):
    """A column: the record or input that it gives, or the quantity that was measured, and its unit."""

    header: str
    name: str
    unit: str
    role: str


def read_runs(
    evaluator: Evaluator, question: Question, file: str | Path, group: str = "", ignored: Collection[str] = ()
) -> list[Run]:
    """The runs of a file, with what the question says of all of them.

    `group` names a column whose rows are held out together; columns that are `ignored` may hold anything. Raises
    FormulaError for an unknown column, a row of another length, an empty, textual or negative figure, a configuration
    that is refused, and two runs of one configuration that contradict each other.
    """
    rows = _rows(str(file))
    columns = _columns(rows[0][1], evaluator, question, str(file), {group, *ignored} - {""})
    for name in (text for text in (group, *ignored) if text and text not in (column.header for column in columns)):
        raise refuse("unknown-column", f"{file} has no column `{name}`", help=nearest(name, rows[0][1]))
    if not any(column.role == "measured" for column in columns):
        help_ = "A quantity with its unit heads a column, as in `inference.tpot (ms)`."
        raise refuse("no-measurement", f"No column of {file} is a quantity that was measured", help=help_)
    runs = [
        run for line, cells in rows[1:] for run in _runs(line, cells, columns, evaluator, question, str(file), group)
    ]
    if not runs:
        raise refuse("no-measurement", f"{file} holds no measured run", help="Each row beneath the first is a run.")
    _refuse_contradictions(runs)
    return runs


def _rows(file: str) -> list[tuple[int, list[str]]]:
    """The non-empty lines with their numbers, all with as many cells as the first."""
    reader = csv.reader(read_text(Path(file), file).lstrip("\ufeff").splitlines())
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise refuse("bad-csv", f"{file}, line {reader.line_num}: {error}") from error
    if not rows:
        raise refuse("bad-csv", f"{file} is empty", help="The first row names inputs and quantities.")
    width = len(rows[0][1])
    for line, row in rows:
        if len(row) != width:
            message = f"{file}, line {line}: {len(row)} cells under {width} columns"
            raise refuse("bad-csv", message, help="Put what holds a comma in quotes.")
    return rows


def _columns(
    headers: Sequence[str], evaluator: Evaluator, question: Question, file: str, others: Collection[str]
) -> list[_Column]:
    found: list[_Column] = []
    for header in headers:
        matched = _HEADER.fullmatch(header)
        name, unit = (matched[1], matched[2] or "") if matched else (header, "")
        column = _Column(header.strip(), name, unit, "other")
        if header.strip() not in others:
            column = _known(column, evaluator, question, file)
        if any(column.name == each.name for each in found):
            raise refuse("bad-csv", f"{file}: two columns are `{column.name}`", help="Leave one out.")
        found.append(column)
    return found


def _known(column: _Column, evaluator: Evaluator, question: Question, file: str) -> _Column:
    schema = evaluator.schema
    kind = schema.kind_named(column.name)
    if kind is not None:
        return column._replace(name=kind.name, role="given")
    name = schema.input_name(column.name.replace("-", "_"), question.namespace)
    if name is not None:
        return column._replace(name=name, role="given")
    try:
        (quantity,) = evaluator.select([column.name], question)
    except (FormulaError, ValueError):
        names = [*schema.inputs, *schema.formulas, *schema.kinds]
        help_ = nearest(column.name, names) or "A column is an input, a quantity, or named by --ignore or --hold-out."
        raise refuse(
            "unknown-column", f"{file}: `{column.name}` is neither an input nor a quantity", help=help_
        ) from None
    quantified = schema.quantity(quantity)
    if quantified.kind not in _NUMBERS:
        raise refuse("bad-csv", f"{file}: `{quantity}` is not a number", help="Measure a time, a size or a rate.")
    if quantified.dimension and not column.unit:
        help_ = f"Write `{column.name} ({quantified.unit or quantified.dimension})`, or another unit."
        raise refuse("missing-unit", f"{file}: the column `{column.name}` names no unit", help=help_)
    return column._replace(name=quantity, role="measured")


def _runs(  # noqa: PLR0913, PLR0917 - a row and what it is read by
    line: int,
    cells: Sequence[str],
    columns: Sequence[_Column],
    evaluator: Evaluator,
    question: Question,
    file: str,
    group: str,
) -> Iterator[Run]:
    place = f"{file}, line {line}"
    held = [(column, cell.strip()) for column, cell in zip(columns, cells, strict=True)]
    given = {column.name: _with_unit(column, cell) for column, cell in held if column.role == "given" and cell}
    measured = [(column, cell) for column, cell in held if column.role == "measured" and cell]
    if not measured:
        raise refuse("no-measurement", f"{place}: nothing was measured", help="Leave the row out.")
    schema = evaluator.schema
    records = {name: value for name, value in given.items() if name in schema.kinds}
    values = {name: value for name, value in given.items() if name not in schema.kinds}
    asked = question._replace(
        records={**question.records, **records}, values={**question.values, **values}, origin=Origin.OPTION
    )
    try:
        givens = evaluator.givens(asked)
    except FormulaError as error:
        raise FormulaError(
            *(diagnostic._replace(message=f"{place}: {diagnostic.message}") for diagnostic in error.diagnostics)
        ) from error
    member = next((cell for column, cell in held if group and column.header == group), "")
    for column, cell in measured:
        yield Run(place, member, givens, column.name, _figure(column, cell, place, evaluator))


def _with_unit(column: _Column, cell: str) -> str:
    """A number with the unit of its column."""
    try:
        float(cell)
    except ValueError:
        return cell
    return f"{cell} {column.unit}".rstrip()


def _figure(column: _Column, cell: str, place: str, evaluator: Evaluator) -> float:
    """A measured figure in base units; it is above 0."""
    quantity = evaluator.schema.quantity(column.name)
    try:
        number = float(cell)
    except ValueError:
        message = f"{place}: `{column.header}` is `{cell}`, which is not a number"
        raise refuse("bad-value", message, help="Leave a cell empty that was not measured.") from None
    if not math.isfinite(number) or number <= 0:
        message = f"{place}: `{column.header}` is {cell}: what was measured is above 0"
        raise refuse("bad-value", message, help="Leave a cell empty that was not measured.")
    if not column.unit:
        return number
    unit = unit_for(quantity, column.unit, evaluator.schema.units, f"`{column.header}`")
    return unit.quantity(quantity.kind).in_base_units(number)


def _refuse_contradictions(runs: Sequence[Run]) -> None:
    """Refuse two runs of one configuration of which one measured much more than the other."""
    first: dict[object, Run] = {}
    for run in runs:
        key = (run.quantity, _key(run.givens.values), _key(run.givens.records))
        before = first.setdefault(key, run)
        ratio = run.measured / before.measured
        if max(ratio, 1 / ratio) > _CONTRADICTS:
            message = (
                f"{run.place}: {ratio:.3g} times the `{run.quantity}` of {before.place}, for the same configuration"
            )
            raise refuse("inconsistent", message, help="Leave one of them out, or add the input in which they differ.")


def _key(values: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in values.items()))
