"""Parses a traffic mix such as `chat=0.6,code=0.4`, and fills the table of traffic with the rows of each workload."""

from collections.abc import Iterator
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.core.table import FILLED
from formula_eval.library import Library
from formula_eval.records.givens import Question
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import find_record
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema

_SLACK = 1e-6


def with_traffic(question: Question, text: str, library: Library, schema: Schema) -> Question:
    """The question with the rows of a mix added, if there is one; raises FormulaError as `traffic_values` does."""
    if not text:
        return question
    kind = roles_of(library).mix.record
    if kind in question.records:
        help_ = f"Write --traffic {question.records[kind]}=1, or leave one of both out."
        raise refuse("asked-twice", f"`{kind}` and `--traffic` both say what requests are like", help=help_)
    return question._replace(values={**question.values, **traffic_values(text, library, schema)})


def traffic_values(text: str, library: Library, schema: Schema) -> dict[str, Any]:
    """The cells of the rows that a mix fills, as `--set` takes them.

    Raises FormulaError for a workload that there is not, a share that is not a number above 0, shares that do not add
    up to 1, and more classes than the table has rows.
    """
    mix, shares = roles_of(library).mix, dict(_shares(text))
    total = sum(shares.values())
    if abs(total - 1) > _SLACK:
        help_ = f"They add up to {total:.6g}: divide each by that."
        raise refuse("bad-value", f"The shares of `{text}` do not add up to 1", help=help_)
    rows = [
        {**row, mix.share: share * float(row.get(mix.share, 1))}
        for name, share in shares.items()
        for row in find_record(library, schema, mix.record, name).data.get(mix.table, [])
    ]
    numbers = schema.tables[mix.table].rows
    if len(rows) > len(numbers):
        raise refuse("too-many-rows", f"`{text}` has {len(rows)} classes of requests", help=f"At most {len(numbers)}.")
    return {
        f"{mix.table}.{number}.{column}": value
        for number, row in zip(numbers, rows, strict=False)
        for column, value in {FILLED: True, **row}.items()
    }


def workloads_of(text: str, library: Library, schema: Schema) -> list[tuple[float, RecordFile]]:
    """The workloads of a mix with their shares; none without one. Raises FormulaError as `traffic_values` does."""
    kind = roles_of(library).mix.record
    return [(share, find_record(library, schema, kind, name)) for name, share in _shares(text)] if text else []


def _shares(text: str) -> Iterator[tuple[str, float]]:
    for part in text.split(","):
        name, equals, share = part.strip().partition("=")
        try:
            number = (
                float(share.strip().removesuffix("%")) / (100 if share.strip().endswith("%") else 1) if equals else 1.0
            )
        except ValueError:
            number = 0.0
        if not name or not 0 < number <= 1:
            help_ = (
                "Write each as WORKLOAD=SHARE, such as chat=0.6,code=0.4; `formula-eval list workloads` has the names."
            )
            raise refuse("bad-value", f"`{part.strip()}` is not a workload with a share between 0 and 1", help=help_)
        yield name.strip(), number
