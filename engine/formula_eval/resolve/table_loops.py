"""Expands the loop of a table, `for month in 1 .. 360`, into its variable's column and a row for each value."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.resolve.scope import Scope, Symbol

MOST_CELLS = 50_000


def variable_of_loop(table: d.TableDeclaration) -> d.ColumnDeclaration | None:
    """The column of a sequence's variable, for a table that does not declare it."""
    loop = table.loop
    if loop is None or not loop.is_sequence:
        return None
    first = loop.values[0]
    unit = first.unit if isinstance(first, e.Number) else ""
    whole = all(isinstance(each, e.Number) and each.value.denominator == 1 for each in loop.values)
    type_ = e.TypeText((unit,), loop.span) if unit else e.TypeText(("whole",), loop.span) if whole else None
    notes = d.Notes(f"What the rows of {table.name} go through")
    return d.ColumnDeclaration(name=loop.variable, type=type_, notes=notes, span=loop.span)


def is_bounded(table: d.TableDeclaration) -> bool:
    """Whether how many rows there are depends on inputs."""
    return table.loop is not None and table.loop.high is not None and not isinstance(table.loop.high, e.Number)


def rows_of_loop(scope: Scope, symbol: Symbol, table: d.TableDeclaration) -> tuple[d.RowDeclaration, ...]:
    """The rows of a table whose columns are complete."""
    loop = table.loop
    if loop is None:
        return table.rows
    if not loop.is_sequence:
        return _rows_of_choice(scope, symbol, table, loop)
    if table.rows:
        message = f"The rows of `{table.name}` are those of its `for`, and cannot be stated too"
        scope.find("table-rows", message, table.rows[0].span, help="Drop `for`, or the rows.")
        return table.rows
    declared = next((each for each in table.columns if each.name == loop.variable), None)
    if declared is not None and (declared.expression is not None or declared.supplier):
        message = f"`{loop.variable}` is what the rows of `{table.name}` go through, and is not computed"
        scope.find("table-rows", message, declared.span, (loop.span, "here"), help="Drop its `=`, or rename it.")
    numbers = _range(scope, table, loop) if loop.high is not None else _listed(scope, loop)
    names = [str(each.value) for each in numbers]
    if any(each.value < 0 or each.value.denominator != 1 or each.unit for each in numbers):
        names = [str(place + 1) for place in range(len(numbers))]
    return tuple(_row(loop, name, number) for name, number in zip(names, numbers, strict=True))


def _row(loop: d.Loop, name: str, number: e.Number) -> d.RowDeclaration:
    shown = f"{number.text} {number.unit}".strip()
    notes = d.Notes(f"{loop.variable} = {shown}")
    return d.RowDeclaration(name=name, cells=((loop.variable, number),), notes=notes, span=loop.span)


def _listed(scope: Scope, loop: d.Loop) -> list[e.Number]:
    numbers: list[e.Number] = []
    for each in loop.values:
        assert isinstance(each, e.Number)  # noqa: S101 - the grammar takes no other
        if any(each.value == other.value for other in numbers):
            message = f"`{each.text}` stands twice in this list"
            scope.find("duplicate-value", message, each.span, help="Remove one of them.")
        else:
            numbers.append(each)
    return numbers


def _range(scope: Scope, table: d.TableDeclaration, loop: d.Loop) -> Sequence[e.Number]:
    low, high = loop.values[0], loop.high
    ends = [each for each in (low, high) if isinstance(each, e.Number)]
    wrong = next((each for each in ends if each.unit or each.value.denominator != 1), None)
    if wrong is not None:
        help_ = "Other values are a list: `for x in 0.5 | 1`; or make a column of what the number stands for."
        scope.find("bad-range", "A range goes through plain whole numbers", wrong.span, help=help_)
        return [_number(1, loop)]
    assert isinstance(low, e.Number)  # noqa: S101 - the grammar takes no other
    first = int(low.value)
    if isinstance(high, e.Number):
        count = int(high.value) - first + 1
        if loop.at_most and count > loop.at_most:
            message = f"`{table.name}` has {count} rows, and at most {loop.at_most}"
            scope.find("bad-range", message, loop.span, help="Drop `at most`: the range says how many.")
    elif not loop.at_most:
        help_ = "Say how many rows there can be: `for month in 1 .. 12 * years at most 480`."
        message = f"How many rows `{table.name}` has depends on its inputs"
        scope.find("bad-range", message, loop.span, help=help_)
        count = 1
    else:
        count = loop.at_most
    if count < 1:
        scope.find("bad-range", f"`{table.name}` has no rows", loop.span, help="The smaller number comes first.")
    if count * len(table.columns) > MOST_CELLS:
        message = f"`{table.name}` would have {count * len(table.columns)} cells, and can have {MOST_CELLS}"
        scope.find("too-large", message, loop.span, help="Go through fewer values, or in larger steps.")
        count = 1
    return [_number(first + place, loop) for place in range(max(count, 1))]


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


def rows_before(rows: Sequence[d.RowDeclaration]) -> Iterator[tuple[d.RowDeclaration, str]]:
    """Each row with the name of the one before it, which the first one lacks."""
    before = ""
    for row in rows:
        yield row, before
        before = row.name


def placed(x: e.Expression, *, first: bool) -> e.Expression:
    """An expression of a column as one row has it: in the first row, recurrences have their first value."""

    def change(part: e.Expression) -> e.Expression:
        if isinstance(part, e.Recurrence):
            return change(part.first if first else part.value)
        return e.rebuild(part, change)

    return change(x)


def within_bound(table: d.TableDeclaration, high: e.Expression, row: d.RowDeclaration) -> e.Expression:
    """Whether a row of a table with a computed end is there."""
    assert table.loop is not None  # noqa: S101 - for the type checker
    return e.Compare("<=", dict(row.cells)[table.loop.variable], high)
