"""A library to lists of what it holds: records, inputs, formulas, namespaces."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from formula_eval.core.table import FILLED
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import all_records
from formula_eval.records.schema import InputSchema


@dataclass(frozen=True, slots=True)
class Listing:
    """Column titles and rows of values; with `prose` the last column holds sentences."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    prose: bool = False

    def to_data(self) -> list[dict[str, Any]]:
        """One object for each row; what is not known is null."""
        known = (tuple(None if each == "" else each for each in row) for row in self.rows)
        return [dict(zip(self.columns, row, strict=True)) for row in known]


def listing(evaluator: Evaluator, what: str, wanted: str = "") -> Listing:
    """The rows of one list in which some column holds the wanted text; raises FormulaError."""
    full = KINDS[what](evaluator)
    needle = wanted.lower()
    rows = tuple(row for row in full.rows if any(needle in str(each).lower() for each in row))
    return Listing(full.columns, rows, full.prose)


def _records(supplier: str, title: str, evaluator: Evaluator) -> Listing:
    columns = evaluator.library.last("reports/lists.toml")[1].get(title, [])
    seen: dict[str, RecordFile] = {}
    for record in all_records(evaluator.library, supplier):
        seen.setdefault(record.id, record)
    rows = [
        (each.id, str(each.data.get("name", "")), *(_fact(column, each) for column in columns))
        for each in seen.values()
    ]
    return Listing(("id", "name", *(column["title"] for column in columns)), tuple(rows))


def _fact(column: Mapping[str, str], record: RecordFile) -> Any:  # noqa: ANN401 - whatever the record holds
    if "fact" in column:
        fact = record.data.get("facts", {}).get(column["fact"], {})
        return fact.get("value", "") if isinstance(fact, dict) else fact
    return record.data.get(column["key"], "")


def _inputs(evaluator: Evaluator) -> Listing:
    rows = [
        (option, _kind(each), _default(each), each.supplier, _meaning(each))
        for option, each in options_in_order(evaluator).items()
    ]
    return Listing(("option", "unit", "default", "from", "meaning"), tuple(rows), prose=True)


def options_in_order(evaluator: Evaluator) -> dict[str, InputSchema]:
    """All inputs by option as they stand in their files; a column of a table once, for its rows N."""

    def place(schema: InputSchema) -> tuple[str, int]:
        file, _, line = schema.place.rpartition(":")
        return file, int(line)

    found: dict[str, InputSchema] = {}
    for each in sorted(evaluator.schema.inputs.values(), key=place):
        found.setdefault(_option(each), each)
    return found


def _option(schema: InputSchema) -> str:
    name = schema.name
    if schema.cell is not None:
        name = schema.cell._replace(row="N").beside(schema.cell.column, schema.record)
    return f"--{name.replace('_', '-')}"


def _meaning(schema: InputSchema) -> str:
    return "Row N is there, though no record gives it" if _is_filled(schema) else schema.sentence


def _is_filled(schema: InputSchema) -> bool:
    return schema.cell is not None and schema.cell.column == FILLED


def _kind(schema: InputSchema) -> str:
    quantity = schema.quantity
    if quantity.kind == "choice":
        return " | ".join(quantity.words)
    return quantity.unit or {"flag": "flag", "whole": "whole"}.get(quantity.kind, "")


def _default(schema: InputSchema) -> str:
    if schema.cell is not None and not schema.default:
        return "false" if _is_filled(schema) else "required"
    return schema.default or ("optional" if schema.optional else "required")


def _formulas(evaluator: Evaluator) -> Listing:
    formulas = evaluator.schema.formulas.values()
    rows = [
        (each.name, each.quantity.unit, each.sentence) for each in formulas if each.kind == "formula" and each.is_listed
    ]
    cells = [
        (f"{name}.*.{column}", "", f"Column of {len(table.rows)} rows")
        for name, table in evaluator.schema.tables.items()
        for column in table.columns
    ]
    return Listing(("name", "unit", "meaning"), tuple(sorted([*rows, *cells])), prose=True)


def _namespaces(evaluator: Evaluator) -> Listing:
    formulas = evaluator.schema.formulas.values()
    names: Iterable[str] = (each.namespace for each in formulas if each.kind == "formula" and each.is_listed)
    return Listing(("namespace", "formulas"), tuple(sorted(Counter(names).items())))


# Lists of records, and who supplies them.
RECORDS = {"models": "model", "hardware": "hardware", "formats": "format", "engines": "engine", "families": "family"}
KINDS: Mapping[str, Callable[[Evaluator], Listing]] = {
    **{title: partial(_records, supplier, title) for title, supplier in RECORDS.items()},
    "inputs": _inputs,
    "formulas": _formulas,
    "namespaces": _namespaces,
}
