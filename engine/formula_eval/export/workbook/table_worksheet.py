"""Extends xlsxwriter with data tables, which it cannot write, from array formulas that carry a mark of ours."""

from xlsxwriter.worksheet import Worksheet

# `TABLE(B8,C8)`: the cells that take the values of the upper and of the left edge.
DATA_TABLE_MARK = "TABLE"


class TableWorksheet(Worksheet):  # type: ignore[misc]  # a library without types
    """A worksheet that can hold data tables, of formulas that the linter has let through."""

    def _prepare_formula(self, formula: str, *more: bool) -> str:
        """The formula of a cell as it is: the linter lets no function through that xlsxwriter would search it for."""
        if more or formula.startswith("{"):
            return str(super()._prepare_formula(formula, *more))
        return formula.removeprefix("=")

    def _write_cell_array_formula(self, formula: str, cell_range: str) -> None:
        if not formula.startswith(f"{DATA_TABLE_MARK}("):
            super()._write_cell_array_formula(formula, cell_range)
            return
        upper, left = formula.removeprefix(f"{DATA_TABLE_MARK}(").removesuffix(")").split(",")
        kind = [("t", "dataTable"), ("ref", cell_range), ("dt2D", "1"), ("dtr", "1")]
        self._xml_empty_tag("f", [*kind, ("r1", upper), ("r2", left)])
