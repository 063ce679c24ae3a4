"""Expands the loops of a table, `for month in 1 .. 360`, into a column for each index and a row for each value."""

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.notes import Notes
from formula_eval.resolve.scope import Scope, Symbol

MOST_CELLS = 100_000


def index_columns(table: d.TableDeclaration) -> Iterator[d.ColumnDeclaration]:
    """The columns of a sequence's indices that the table does not declare itself."""
    declared = {column.name for column in table.columns}
    for loop in table.loops:
        if loop.values and loop.variable not in declared:
            yield _index_column(table, loop)


def _index_column(table: d.TableDeclaration, loop: d.Loop) -> d.ColumnDeclaration:
    first = loop.values[0]
    unit = first.unit if isinstance(first, e.Number) else ""
    whole = all(isinstance(expression, e.Number) and expression.value.denominator == 1 for expression in loop.values)
    span = loop.span._replace(end_line=loop.span.line, end_column=loop.span.column + len(loop.variable))
    type_ = e.TypeText((unit,), span) if unit else e.TypeText(("whole",), span) if whole else None
    notes = Notes(f"What the rows of {table.name} go through")
    return d.ColumnDeclaration(name=loop.variable, type=type_, notes=notes, span=span)


def is_bounded(table: d.TableDeclaration) -> bool:
    """Whether how many rows there are depends on inputs."""
    return any(loop.is_bounded for loop in table.loops)


def rows_of_loops(scope: Scope, symbol: Symbol, table: d.TableDeclaration) -> tuple[d.RowDeclaration, ...]:
    """The rows of a table whose columns are complete, those of several indices with the last one changing first."""
    if not table.loops:
        return table.rows
    if not table.indices:
        return _rows_of_choice(scope, symbol, table, table.loops[0])
    if table.rows:
        message = f"The rows of `{table.name}` are those of its `for`, and cannot be stated too"
        scope.find("table-rows", message, table.rows[0].span, help="Drop `for`, or the rows.")
        return table.rows
    for loop in table.loops:
        _check_index(scope, table, loop)
    counts = [_count(scope, table, loop) for loop in table.loops]
    if not check_size(scope, table, math.prod(counts)):
        counts = [1] * len(counts)
    indices = (_indexed(loop, count) for loop, count in zip(table.loops, counts, strict=True))
    return tuple(_row(table, pairs) for pairs in itertools.product(*indices))


def check_size(scope: Scope, table: d.TableDeclaration, rows: int) -> bool:
    """Whether a table of so many rows has no more cells than a table can have; else that is found."""
    cells = rows * len(table.columns)
    if cells > MOST_CELLS:
        message = f"`{table.name}` would have {cells:,} cells, and can have {MOST_CELLS:,}"
        place = table.loops[0].span if table.rows_of is None else table.rows_of.span
        scope.find("too-large", message, place, help="Go through fewer values, or in larger steps.")
    return cells <= MOST_CELLS


def _check_index(scope: Scope, table: d.TableDeclaration, loop: d.Loop) -> None:
    """Find an index that is computed, or there twice."""
    declared = next((column for column in table.columns if column.name == loop.variable), None)
    if declared is not None and (declared.expression is not None or declared.supplier):
        message = f"`{loop.variable}` is what the rows of `{table.name}` go through, and is not computed"
        scope.find("table-rows", message, declared.span, (loop.span, "here"), help="Drop its `=`, or rename it.")
    first = next(each for each in table.loops if each.variable == loop.variable)
    if first is not loop:
        message = f"The rows of `{table.name}` go through `{loop.variable}` twice"
        scope.find("declared-twice", message, loop.span, (first.span, "here first"), help="Give one another name.")


def _indexed(loop: d.Loop, count: int) -> list[tuple[str, e.Number]]:
    """The values of an index, each with what rows are called after it: itself, or its place."""
    first = loop.values[0]
    assert isinstance(first, e.Number)  # noqa: S101 - the grammar takes no other
    numbers = [_number(int(first.value) + place, loop) for place in range(count)] if loop.high is not None else []
    numbers = numbers or list(
        {expression.value: expression for expression in loop.values if isinstance(expression, e.Number)}.values()
    )
    plain = all(number.value >= 0 and number.value.denominator == 1 and not number.unit for number in numbers)
    return [(str(number.value if plain else place), number) for place, number in enumerate(numbers, 1)]


def _row(table: d.TableDeclaration, pairs: Sequence[tuple[str, e.Number]]) -> d.RowDeclaration:
    """The row of a value of each index."""
    cells = tuple((loop.variable, number) for loop, (_, number) in zip(table.loops, pairs, strict=True))
    shown = (f"{name} = {f'{number.text} {number.unit}'.strip()}" for name, number in cells)
    word = "x".join(word for word, _ in pairs)
    return d.RowDeclaration(name=word, cells=cells, notes=Notes(", ".join(shown)), span=table.loops[0].span)


def _count(scope: Scope, table: d.TableDeclaration, loop: d.Loop) -> int:
    """How many values an index has at most, at least one."""
    return _listed(scope, loop) if loop.high is None else _ranged(scope, table, loop, loop.high)


def _listed(scope: Scope, loop: d.Loop) -> int:
    seen: dict[Fraction, e.Number] = {}
    for expression in loop.values:
        assert isinstance(expression, e.Number)  # noqa: S101 - the grammar takes no other
        if seen.setdefault(expression.value, expression) is not expression:
            message = f"`{expression.text}` stands twice in this list"
            scope.find("duplicate-value", message, expression.span, help="Remove one of them.")
    return len(seen)


def _ranged(scope: Scope, table: d.TableDeclaration, loop: d.Loop, high: e.Expression) -> int:
    low = loop.values[0]
    ends = [expression for expression in (low, high) if isinstance(expression, e.Number)]
    wrong = next((end for end in ends if end.unit or end.value.denominator != 1), None)
    if wrong is not None:
        help_ = "Other values are a list: `for x in 0.5 | 1`; or make a column of what the number stands for."
        scope.find("bad-range", "A range goes through plain whole numbers", wrong.span, help=help_)
        return 1
    assert isinstance(low, e.Number)  # noqa: S101 - the grammar takes no other
    if isinstance(high, e.Number):
        count = int(high.value) - int(low.value) + 1
        if loop.at_most and count > loop.at_most:
            message = f"`{loop.variable}` has {count} values, and at most {loop.at_most}"
            scope.find("bad-range", message, loop.span, help="Drop `at most`: the range says how many.")
    elif not loop.at_most:
        help_ = "Say how many rows there can be: `for month in 1 .. 12 * years at most 480`."
        message = f"How many rows `{table.name}` has depends on its inputs"
        scope.find("bad-range", message, loop.span, help=help_)
        return 1
    else:
        count = loop.at_most
    if count < 1:
        scope.find("bad-range", f"`{table.name}` has no rows", loop.span, help="The smaller number comes first.")
    return max(count, 1)


def _number(value: int, loop: d.Loop) -> e.Number:
    return e.Number(str(value), "", Fraction(value), span=loop.span)


def _rows_of_choice(
    scope: Scope, symbol: Symbol, table: d.TableDeclaration, loop: d.Loop
) -> tuple[d.RowDeclaration, ...]:
    """The rows as stated, in the order of the choice."""
    choice = scope.choice(loop.variable, symbol.namespace)
    if choice is None:
        if loop.variable not in scope.broken:
            help_ = scope.nearest(loop.variable, scope.choices) or "A sequence is written `for month in 1 .. 12`."
            scope.find("unknown-choice", f"`{loop.variable}` is not a choice", loop.span, help=help_)
        return table.rows
    rows = {row.name: row for row in table.rows}
    for row in table.rows:
        if row.name not in choice.values:
            words = ", ".join(f"`{word}`" for word in choice.values)
            message = f"`{row.name}` is not a word of the choice `{choice.name}`"
            scope.find("unknown-word", message, row.span, (loop.span, "here"), help=f"Its words are {words}.")
    missing = [word for word in choice.values if word not in rows]
    if missing:
        listed = ", ".join(f"`{word}`" for word in missing)
        message = f"`{table.name}` lacks a row for {listed} of the choice `{choice.name}`"
        scope.find("missing-row", message, loop.span, help="Add `row word` with its cells beneath.")
    ordered = [rows[word] for word in choice.values if word in rows]
    return (*ordered, *(row for row in table.rows if row not in ordered))


def rows_before(table: d.TableDeclaration) -> Iterator[tuple[d.RowDeclaration, str]]:
    """Each row with the name of the one before it along the last index, which the first ones lack."""
    before: d.RowDeclaration | None = None
    outer = max(len(table.loops) - 1, 0)
    for row in table.rows:
        follows = before is not None and before.cells[:outer] == row.cells[:outer]
        yield row, before.name if before is not None and follows else ""
        before = row


def rows_after(table: d.TableDeclaration) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name of each row of a sequence with those of the next one along each of its indices, where there is one."""
    counts = [len({row.cells[place][1] for row in table.rows}) for place in range(len(table.loops))]
    steps = [math.prod(counts[place + 1 :]) for place in range(len(counts))]
    for number, row in enumerate(table.rows):
        along = zip(counts, steps, strict=True)
        following = (number + step for count, step in along if number // step % count + 1 < count)
        yield row.name, tuple(table.rows[each].name for each in following)


def placed(x: e.Expression, *, first: bool) -> e.Expression:
    """An expression of a column as one row has it: in the first row, recurrences have their first value."""

    def change(part: e.Expression) -> e.Expression:
        if isinstance(part, e.Recurrence):
            return change(part.first if first else part.value)
        return e.rebuild(part, change)

    return change(x)


def within_bounds(values: Mapping[str, e.Expression], highs: Mapping[str, e.Expression]) -> e.Expression:
    """Whether the value of each index is within its end, for those that have one."""
    conditions: Iterator[e.Expression] = (e.Compare("<=", values[name], high) for name, high in highs.items())
    return functools.reduce(lambda one, other: e.Logical("and", one, other), conditions)
