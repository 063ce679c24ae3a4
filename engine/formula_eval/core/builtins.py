"""Lists the built-in functions of the language, one row each, for the checker, the notations and the evaluators.

A module that prints or computes calls must handle every row that it can meet; otherwise its import fails.
"""

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

# What a builtin takes and gives. `same unit`: quantities of one unit, and it gives that unit. `parts`: two of one unit
# to a whole number. `root`: any quantity to the root of its unit. `plain`: plain numbers. `condition`: a flag to a
# plain number. `input`: the name of an input to a flag. `calendar`: a date and a plain number to a date.
Rule = Literal["same unit", "parts", "root", "plain", "condition", "input", "calendar"]
MANY = 100


class Builtin(NamedTuple):
    """One function: how it is written, how many arguments it takes, and what it gives.

    One that is `called` is written with arguments; one that goes `over_rows` stands before `... for row in table`.
    One that is not `lowered` is something else in a lowered tree.
    """

    name: str  # the word by which a call names it
    written: str
    arity: tuple[int, int]  # the fewest and the most arguments
    rule: Rule  # which units it takes and gives, see `Rule`
    whole: bool = False  # whether it always gives a whole number
    called: bool = True
    over_rows: bool = False
    lowered: bool = True

    def takes(self, count: int) -> bool:
        """Whether it may have so many arguments; over rows, it has one for each."""
        low, high = self.arity
        return low <= count and (count <= high or self.over_rows)


# What is written over rows alone, and lowered to others of them.
_ROWS_ALONE: Mapping[str, bool] = {"called": False, "over_rows": True, "lowered": False}
_ROWS = (
    Builtin("sum", "sum(x for row in table)", (0, MANY), "same unit", called=False, over_rows=True),
    Builtin("min", "min(a, b)", (1, MANY), "same unit", over_rows=True),
    Builtin("max", "max(a, b)", (1, MANY), "same unit", over_rows=True),
    Builtin("largest", "largest(x for row in table)", (1, MANY), "same unit", called=False, over_rows=True),
    Builtin("smallest", "smallest(x for row in table)", (1, MANY), "same unit", **_ROWS_ALONE),
    Builtin("count", "count(condition for row in table)", (0, MANY), "condition", whole=True, **_ROWS_ALONE),
    Builtin("first", "first(x for row in table if condition) else y", (1, MANY), "same unit", **_ROWS_ALONE),
    Builtin("last", "last(x for row in table)", (1, MANY), "same unit", **_ROWS_ALONE),
    Builtin("abs", "abs(x)", (1, 1), "same unit"),
    Builtin("clamp", "clamp(x, low, high)", (3, 3), "same unit"),
    Builtin("ceil", "ceil(x)", (1, 1), "plain", whole=True),
    Builtin("floor", "floor(x)", (1, 1), "plain", whole=True),
    Builtin("round", "round(x)", (1, 1), "plain", whole=True),
    Builtin("ceildiv", "ceildiv(a, b)", (2, 2), "parts", whole=True),
    Builtin("floordiv", "floordiv(a, b)", (2, 2), "parts", whole=True),
    Builtin("sqrt", "sqrt(x)", (1, 1), "root"),
    Builtin("log2", "log2(x)", (1, 1), "plain"),
    Builtin("ln", "ln(x)", (1, 1), "plain"),
    Builtin("log1p", "log1p(x)", (1, 1), "plain"),
    Builtin("exp", "exp(x)", (1, 1), "plain"),
    Builtin("expm1", "expm1(x)", (1, 1), "plain"),
    Builtin("largest_divisor", "largest_divisor(n, at_most)", (2, 2), "plain", whole=True),
    Builtin("months_later", "months_later(date, n)", (2, 2), "calendar"),
    Builtin("one_if", "one_if(condition)", (1, 1), "condition", whole=True),
    Builtin("given", "given(input)", (1, 1), "input", lowered=False),
)
# Those that an author calls by name, and those that go over the rows of a table.
BUILTINS: Mapping[str, Builtin] = {row.name: row for row in _ROWS if row.called}
SEARCHES = {"solve": "solve n in low .. high: condition else other"}  # words of a search, and how it is written
OVER_ROWS = tuple(row.name for row in _ROWS if row.over_rows)
# Those that a lowered tree calls: `given` is a node of its own there, `last` the cell of a row, `count` a sum.
LOWERED: Mapping[str, Builtin] = {row.name: row for row in _ROWS if row.lowered}


def require_all(module: str, known: Collection[str]) -> None:
    """Refuse to load a module that computes calls and lacks a builtin of a lowered tree."""
    missing = [name for name in LOWERED if name not in known]
    if missing:
        raise TypeError(f"{module} lacks the builtin {', '.join(f'`{name}`' for name in missing)}")


def require_builtins(module: str, known: Collection[str]) -> None:
    """Refuse to load a module that computes a few builtins and names one that is none."""
    others = [name for name in known if name not in BUILTINS]
    if others:
        raise TypeError(f"{module} computes {', '.join(f'`{other}`' for other in others)}, which the language lacks")
