"""Reads reports/workbook/sheets.toml: the sentences, headings and widths of each sheet."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.library import Library
from formula_eval.toml_shape import Place, Several, Shape, Table, Vocabulary
from formula_eval.toml_table import TEXT, check_table, shape

_FILE = "reports/workbook/sheets.toml"
# How many columns a sheet has, and which words it needs.
_SHEETS: Mapping[str, tuple[int, str]] = {
    "inputs": (13, "says about asked stated rest constant"),
    "outputs": (0, "says without_model checks charts without_charts"),
    "scenarios": (3, "about results formulas"),
    "sweep": (0, "says"),
    "data_table": (1, "chosen written leave inputs quantities"),
    "tables": (0, "says of_kernels without"),
    "structure": (0, "says idle without"),
    "calc": (9, "says"),
    "checks": (6, "refuse warn note compared compared_columns"),
    "records": (5, "says"),
    "names": (4, "says of_cells"),
    "sources": (6, "says"),
    "plan": (3, "says planned asked busiest average"),
}


class _Row(Shape):
    """A list with a shape for each place."""

    def __init__(self, *shapes: Shape) -> None:
        """Have these values, in order."""
        self.says, self._shapes = f"[{', '.join(each.says for each in shapes)}]", shapes

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        if not isinstance(value, list) or len(value) != len(self._shapes):
            yield self._unfit(value, key, at)
        else:
            for shape, each in zip(self._shapes, value, strict=True):
                yield from shape.wrong(each, key, at, known)


def _sheet(many: int, words: str) -> Table:
    columns = Several(_Row(TEXT, shape("number")), (many,))
    return Table({**dict.fromkeys(words.split(), shape("text|[text]")), **({"columns": columns} if many else {})})


SHEETS = Table({name: _sheet(*said) for name, said in _SHEETS.items()})


class SheetLook(NamedTuple):
    """The words, headings and widths of a sheet."""

    words: Mapping[str, Any]
    heads: list[str]
    widths: list[float]


def read_sheet_looks(library: Library) -> dict[str, SheetLook]:
    """The looks of the last folder that has them, else ours; raises FormulaError for what is missing."""
    shown, data = library.last_or_ours(_FILE)
    check_table(SHEETS, data, shown, {})
    return {name: _look(data[name]) for name in _SHEETS}


def _look(table: Mapping[str, Any]) -> SheetLook:
    columns = table.get("columns", [])
    return SheetLook(table, [title for title, _ in columns], [float(width) for _, width in columns])
