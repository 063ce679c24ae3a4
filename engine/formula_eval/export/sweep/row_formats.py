"""Serialises batches of rows as CSV, JSON and Parquet: a single part, and all parts joined in one file."""

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_batches import Batch
from formula_eval.analyse.sweep.sweep_frame import arrow_bytes, join_arrow, written_columns
from formula_eval.core.diagnostic import refuse
from formula_eval.export.terminal.json_csv import csv_text, finite, safe


class RowFormat(ABC):
    """A format of rows; each part of a partitioned one is a file by itself."""

    name: str
    is_partitioned = False

    def __init__(self, columns: Sequence[Column]) -> None:
        """Write these columns."""
        self.columns = columns

    @abstractmethod
    def part(self, batch: Batch) -> bytes:
        """The rows of a batch; empty bytes for none."""

    def counted(self, batch: Batch) -> tuple[bytes, Tally]:
        """The same with the counts of the batch."""
        return self.part(batch), batch.tally

    @abstractmethod
    def join(self, parts: Iterable[tuple[Path, Tally]], target: IO[bytes]) -> None:
        """The parts in these files, each with its counts, in order as one file."""

    def _rows(self, batch: Batch) -> Iterator[tuple[Any, ...]]:
        return zip(*written_columns(batch, self.columns), strict=True)


class TextRows(RowFormat):
    """A format of text: parts between a head and a tail."""

    between = b""

    @abstractmethod
    def head(self) -> bytes:
        """What stands before the first part."""

    def tail(self, tally: Tally) -> bytes:  # noqa: ARG002 - for formats that tell of it
        """What stands behind the last part."""
        return b""

    def join(self, parts: Iterable[tuple[Path, Tally]], target: IO[bytes]) -> None:
        """Head, parts and tail."""
        self.stream(((part.read_bytes(), tally) for part, tally in parts), target, lambda _: None)

    def stream(self, parts: Iterable[tuple[bytes, Tally]], target: IO[bytes], tell: Callable[[int], object]) -> None:
        """Write what `counted` gives as soon as it is there; `tell` hears of how many configurations."""
        tally, written = Tally(), False
        target.write(self.head())
        for part, counts in parts:
            target.write(self.between + part if written and part else part)
            target.flush()
            written = written or bool(part)
            tally.add(counts)
            tell(counts.tried)
        target.write(self.tail(tally))
        target.flush()


class CsvRows(TextRows):
    """A header with units, then a line for each row."""

    name = "csv"

    def head(self) -> bytes:
        """The header."""
        return csv_text([column.header for column in self.columns], ()).encode()

    def part(self, batch: Batch) -> bytes:
        """Lines without the header."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([safe(cell) for cell in row] for row in self._rows(batch))
        return text.getvalue().encode()


class JsonRows(TextRows):
    """`columns` with their units, `rows`, and the `counts` of all configurations."""

    name = "json"
    between = b",\n"

    def head(self) -> bytes:
        """The columns."""
        columns = [{"header": column.header, "name": column.name, "unit": column.unit} for column in self.columns]
        return b'{"columns": ' + json.dumps(columns, ensure_ascii=False).encode() + b',\n"rows": [\n'

    def part(self, batch: Batch) -> bytes:
        """One row a line, a comma between two."""
        names = [column.header for column in self.columns]
        rows = (dict(zip(names, map(finite, row), strict=True)) for row in self._rows(batch))
        return self.between.join(json.dumps(row, ensure_ascii=False, allow_nan=False).encode() for row in rows)

    def tail(self, tally: Tally) -> bytes:
        """The counts."""
        return b'\n],\n"counts": ' + json.dumps(tally.to_data(), ensure_ascii=False).encode() + b"}\n"


class ParquetRows(RowFormat):
    """Typed columns, words as dictionaries, a group of rows for each part; `pyarrow` writes it."""

    name = "parquet"
    is_partitioned = True

    def part(self, batch: Batch) -> bytes:
        """A file of its own."""
        return arrow_bytes(batch, self.columns)

    def join(self, parts: Iterable[tuple[Path, Tally]], target: IO[bytes]) -> None:
        """The groups of rows of all parts."""
        join_arrow((part for part, _ in parts), self.columns, target)


FORMATS: dict[str, type[RowFormat]] = {each.name: each for each in (CsvRows, JsonRows, ParquetRows)}


def text_rows(form: str, columns: Sequence[Column]) -> TextRows:
    """A format that a pipe takes; raises FormulaError for one that needs a file."""
    found = FORMATS[form](columns)
    if not isinstance(found, TextRows):
        raise refuse("bad-value", f"{form} is written to a file", help=f"Name it: -o FILE.{form}.")
    return found


def format_of(output: str, form: str | None) -> str:
    """The format of a file: the one that was said, else that of its name; raises FormulaError for an unknown name."""
    if form is not None:
        return form
    ending = Path(output).suffix.removeprefix(".").lower()
    if ending in FORMATS:
        return ending
    help_ = f"Name it {', '.join(f'.{each}' for each in FORMATS)}, or say which with --format."
    raise refuse("bad-value", f"The name of `{output}` does not say in what format to write", help=help_)
