"""Derives facts of lowered expressions that decide how Excel spells them, such as whether one may have no value."""

from formula_eval.core import expression as e
from formula_eval.core.namespace import COPY_MARK

_CELL_PARTS = 3
_MAY_FAIL = frozenset({"sqrt", "ln", "log2", "log1p", "exp", "expm1", "largest_divisor", "months_later"})


def rows_of(terms: tuple[e.Expression, ...]) -> list[str]:
    """The rows that the terms of a lowered comprehension stand for, by the cells `table.row.column` that they read."""
    cells = [[reference.partition(COPY_MARK)[0].rsplit(".", 2) for reference in e.references(term)] for term in terms]
    read = [{(cell[0], cell[1]) for cell in each if len(cell) == _CELL_PARTS} for each in cells]
    for table in sorted({table for table, _ in set().union(*read)}):
        rows = [[row for name, row in part if name == table] for part in read]
        if all(len(row) == 1 for row in rows) and len({row for (row,) in rows}) == len(terms):
            return [row for (row,) in rows]
    return [str(place) for place in range(len(terms))]


def is_constant(exponent: e.Expression) -> bool:
    """Whether an exponent is the same for every configuration, and not 0."""
    read = any(isinstance(part, e.Reference | e.Given) for part in e.walk(exponent))
    return not read and not (isinstance(exponent, e.Number) and exponent.value == 0)


def may_fail(x: e.Expression) -> bool:
    """Whether an expression may have no value: it divides by what may be 0, or takes a root."""
    for part in e.walk(x):
        match part:
            case e.Binary("/" | "%" | "**", _, e.Number(value=value)) if value:
                continue
            case e.Binary("/" | "%" | "**"):
                return True
            case e.Call("floordiv" | "ceildiv", (_, e.Number(value=value))) if value:
                continue
            case e.Call(function) if function in _MAY_FAIL or function in {"floordiv", "ceildiv"}:
                return True
    return False
