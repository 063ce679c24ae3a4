"""Gives the rows of a table the cells of a CSV file, of which the head names columns and their units."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.data_file import DataCell, DataFile
from formula_eval.core.date import DATE, seconds_of
from formula_eval.core.span import Span
from formula_eval.core.type import Choice, Date, Flag, Quantity, Type
from formula_eval.core.unit import UnknownUnitError
from formula_eval.core.written_unit import shown_unit
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck import units

_HEAD = re.compile(r"([A-Za-z_]\w*)(?: *\( *([^()]+?) *\))?")
_NUMBER = re.compile(r"(-?)([0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?)")
Rows = tuple[d.RowDeclaration, ...]
_Read = Callable[[str, Span], e.Expression | None]


def rows_with_data(scope: Scope, table: d.TableDeclaration, rows: Rows, types: Mapping[str, Type]) -> Rows:
    """The rows with what the file says of each open column, in the order of its lines."""
    file = table.file
    if file is None or (file.shown and not file.lines):  # what is wrong with it has been told
        return rows
    if not file.shown:
        message = f"`{file.path}` is read only for a chapter of a library"
        scope.find("bad-data", message, file.span, help="Check the library: `formula-eval check FOLDER`.")
        return rows
    columns = _columns(scope, table, file, types)
    if columns is None or _is_marked(scope, table.loops):
        return rows  # how many there are is wrong itself
    if len(file.lines) - 1 != len(rows):
        message = f"`{file.shown}` has {len(file.lines) - 1:,} rows, and `{table.name}` goes through {len(rows):,}"
        scope.find("bad-data", message, file.span, help="A file has its head, and a line for each row of the table.")
        return rows
    return tuple(
        _filled(scope, table, file, row, line, columns) for row, line in zip(rows, file.lines[1:], strict=True)
    )


def _is_marked(scope: Scope, loops: Sequence[d.Loop]) -> bool:
    """Whether something is wrong with one of these itself."""
    spans = {loop.span for loop in loops}
    return any(label.span in spans for finding in scope.findings for label in finding.labels)


def _filled(  # noqa: PLR0913, PLR0917 - a row, its line, and how both are read
    scope: Scope,
    table: d.TableDeclaration,
    file: DataFile,
    row: d.RowDeclaration,
    line: tuple[DataCell, ...],
    columns: dict[int, tuple[str, _Read]],
) -> d.RowDeclaration:
    """The row with the cells of a line, of which those of indices are as the row has them.

    A column is read no further where one of its cells is wrong, as others are likely to be wrong in the same way.
    """
    cells = []
    for place, (name, read) in [*columns.items()]:
        span = file.place(line[place])
        value = read(line[place].text, span)
        if value is None:
            text = line[place].text
            message = f"`{text}` is no value of `{name}`" if text else f"`{name}` has no value here"
            help_ = "Numbers are written `1.5`, `-2` or `3e5`, flags `true` or `false`, days `2026-11-22`."
            scope.find("bad-data", message, span, help=help_)
            del columns[place]
        elif name not in table.indices:
            cells.append((name, value))
        elif value != dict(row.cells)[name]:
            message = f"This is the line of the row {row.notes.sentence}"
            scope.find("bad-data", message, span, help="Lines stand in the order of the rows of the table.")
            del columns[place]
    return replace(row, cells=(*row.cells, *cells))


def _columns(
    scope: Scope, table: d.TableDeclaration, file: DataFile, types: Mapping[str, Type]
) -> dict[int, tuple[str, _Read]] | None:
    """The columns of the file that can be read, by their place, and how cells of each are read; None without a head."""
    found: dict[int, tuple[str, _Read]] = {}
    seen: set[str] = set()
    known = {declaration.name: declaration for declaration in table.columns}
    heads = [match[1] if (match := _HEAD.fullmatch(cell.text)) else cell.text for cell in file.lines[0]]
    awaited = [
        name for name, declaration in known.items() if declaration.expression is None and name not in table.indices
    ]
    if known.keys().isdisjoint(heads):
        help_ = f"It names the columns of `{table.name}`: `{', '.join([*table.indices, *awaited])}`."
        scope.find("bad-data", f"The first line of `{file.shown}` is no head", file.place(file.lines[0][0]), help=help_)
        return None
    for place, cell in enumerate(file.lines[0]):
        span = file.place(cell)
        head = _HEAD.fullmatch(cell.text)
        name = head[1] if head is not None else cell.text
        if head is None or name not in known:
            spaced = name.rpartition(" ")
            meant = f"Write `{spaced[0]} ({spaced[2]})`." if spaced[0] in known else ""
            help_ = (
                meant or scope.nearest(name, known) or "Its head names columns of the table, `name` or `name (unit)`."
            )
            scope.find("bad-data", f"The table `{table.name}` has no column `{name}`", span, help=help_)
        elif known[name].expression is not None:
            message = f"`{name}` is computed, and not read from a file"
            scope.find("bad-data", message, span, (known[name].span, "here"), help="Delete the one or the other.")
        elif name in seen:
            scope.find("bad-data", f"`{name}` stands twice in the head", span, help="Delete one of them.")
        elif (read := _reader(scope, name, head[2] or "", types[name], span)) is not None:
            found[place] = name, read
        seen.add(name)
    for name, column in known.items():
        is_told = not known.keys() >= seen  # by the head that it should have
        if column.expression is None and name not in seen and name not in table.indices and not is_told:
            message = f"`{file.shown}` has no column `{name}`"
            help_ = f"Name it in its head: `{name}`."
            scope.find("bad-data", message, file.span, (column.span, "the column"), help=help_)
    return found


def _reader(scope: Scope, name: str, unit: str, type_: Type, span: Span) -> _Read | None:
    """How the cells of a column are read; None where its unit is not that of the table's column."""
    if isinstance(type_, Flag | Choice | Date):
        return lambda text, at: _word(text, at, type_)
    if not isinstance(type_, Quantity):  # what is wrong with it has been told
        return None
    scale, dimension = Fraction(1), Quantity().dimension
    if unit:
        try:
            parsed = scope.units.parse(unit)
        except UnknownUnitError as unknown:
            help_ = scope.nearest(str(unknown), scope.units.units) or "Units are those of formulas: `W/m**2`."
            scope.find("bad-data", f"Unknown unit `{unknown}`", span, help=help_)
            return None
        scale, dimension = parsed.scale, parsed.dimension
    if dimension != type_.dimension:
        meant = units.described(scope, type_)
        message = f"This column is {f'`{unit}`' if unit else 'a plain number'}, and that of the table {meant}"
        shown = shown_unit(type_, scope.units).text
        head = f"{name} ({shown})" if shown else name
        scope.find("bad-data", message, span, help=f"Write the unit of its numbers: `{head}`.")
        return None
    return lambda text, at: _number(text, at, unit, scale)


def _number(text: str, span: Span, unit: str, scale: Fraction) -> e.Expression | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    number = e.Number(match[2], unit, Fraction(match[2]) * scale, span=span)
    return e.Negate(number, span=span) if match[1] else number


def _word(text: str, span: Span, type_: Type) -> e.Expression | None:
    """A flag, a word of a choice or a day."""
    match type_:
        case Flag():
            return e.FlagValue(value=text == "true", span=span) if text in ("true", "false") else None
        case Choice(values):
            return e.Name((text,), span=span) if text in values else None
        case Date():
            seconds = seconds_of(text)
            return None if seconds is None else e.Number(text, DATE, Fraction(seconds), span=span)
    return None
