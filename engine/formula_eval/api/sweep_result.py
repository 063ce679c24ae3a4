"""Presents the rows of a sweep: as the terminal does, as a frame of pandas, a table of Arrow, a data set of xarray."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval import export
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_frame import WholeSweep
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.evaluate.situation import titles
from formula_eval.export.terminal.screen import Screen
from formula_eval.export.terminal.sweep_table import SweepTable

_WIDTH = 100


class SweepResult:
    """A row for each configuration that has an answer: the inputs that vary, then the quantities, in base units.

    `len` is the number of rows, `result["inference.tpot"]` a column, iteration gives rows as dicts. `counts` says how
    many configurations were tried, how many have no answer, and why.
    """

    def __init__(self, whole: WholeSweep) -> None:
        """Show this sweep."""
        self._whole = whole

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns, in order."""
        return [column.name for column in self._whole.columns]

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column: `byte`, `s`, ...; empty for words and plain numbers."""
        return {column.name: column.unit for column in self._whole.columns}

    @property
    def counts(self) -> Tally:
        """How many configurations were tried, kept, refused, and by which check."""
        return self._whole.rows.tally

    def __len__(self) -> int:
        """How many rows there are."""
        return self.counts.kept

    def plot(self, file: str | Path, theme: str = "light") -> None:
        """Draw the rows into FILE.svg, FILE.png or FILE.html, as `sweep --plot` does; raises FormulaError."""
        library = self._whole.sweep.library
        export.sweep_picture.refuse_more_than_seen(self._whole.sweep)
        picture = export.sweep_picture.sweep_picture(self._whole, titles(library))
        export.picture_file.write_picture(picture, library, file, theme)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows."""
        cells = self._whole.cells()
        return (dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True))

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column; None where there is none."""
        if name not in self.columns:
            help_ = nearest(name, self.columns) or f"There are {', '.join(self.columns)}."
            raise refuse("unknown-quantity", f"No column is named `{name}`", help=help_)
        return self._whole.cells()[name]

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is optional
        """A frame: numbers as floats, words as categories; raises FormulaError where pandas is not installed."""
        return self._whole.pandas()

    def to_arrow(self) -> Any:  # noqa: ANN401 - pyarrow is optional
        """A table of Arrow, units in its metadata; raises FormulaError where pyarrow is not installed."""
        return self._whole.arrow()

    def to_xarray(self) -> Any:  # noqa: ANN401 - xarray is optional
        """A data set with a dimension for each input that varies, nan where there is no answer.

        Raises:
            FormulaError: where xarray is not installed, and for a sample, which is not a grid.

        """
        return self._whole.xarray()

    def __str__(self) -> str:
        """What the terminal shows."""
        table = SweepTable(self._whole.sweep, titles(self._whole.sweep.library))
        table.add(self._whole.rows)
        return "\n".join(table.lines(Screen(_WIDTH)))

    __repr__ = __str__
