"""Finds the columns of a sequence that an edit reaches, so that the cells of all others stay as they are."""

from collections.abc import Iterator
from dataclasses import fields, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.data_file import DataFile
from formula_eval.core.notes import NO_NOTES
from formula_eval.core.span import Span
from formula_eval.resolve.scope import Symbol

_DECIDING = (e.Name, e.FlagValue, e.Recurrence)  # columns that say which rows a condition lets in


def places(declared: d.Declaration) -> list[Span]:
    """Where a statement and what it consists of stand; an index that a table takes stands in the other table."""
    parts = (getattr(declared, field.name) for field in fields(declared))
    columns = declared.columns if isinstance(declared, d.TableDeclaration) else ()
    own = (part.span for part in parts if isinstance(part, e.Expression))
    return [declared.span, *own, *(span for column in columns for span in places(column))]


def edited_columns(old: Symbol, now: Symbol) -> frozenset[str] | None:
    """The columns of a sequence that say or stand otherwise than before; None where it may have other rows or types."""
    before, after = old.written, now.written
    if not (isinstance(before, d.TableDeclaration) and isinstance(after, d.TableDeclaration) and _is_sequence(after)):
        return None
    has_same_rows = (
        replace(after, columns=(), notes=before.notes, file=before.file) == replace(before, columns=())
        and _has_same_form(before.file, after.file)
        and old.homes == now.homes
        and old[:2] == now[:2]
        and (old.like, old.of) == (now.like, now.of)
        and [*_frame(before)] == [*_frame(after)]
        and [*map(_shape, old.table.columns)] == [*map(_shape, now.table.columns)]
    )
    edited = (one.name for one, _ in _edited(old, now))
    return frozenset((*edited, *_edited_in_file(before.file, after.file))) if has_same_rows else None


def has_same_data(old: Symbol, now: Symbol) -> bool:
    """Whether such a sequence reads the same cells from its file, if it has one."""
    return _table(old).file == _table(now).file


def _has_same_form(old: DataFile | None, now: DataFile | None) -> bool:
    if old is None or now is None:
        return old is now
    return (old.shown, len(old.lines), old.lines[:1]) == (now.shown, len(now.lines), now.lines[:1])


def _edited_in_file(old: DataFile | None, now: DataFile | None) -> Iterator[str]:
    """The columns of which a cell of the file says or stands otherwise."""
    if old is None or now is None or not now.lines:
        return
    others = [pair for pair in zip(old.lines, now.lines, strict=True) if pair[0] != pair[1]]
    for place, head in enumerate(now.lines[0]):
        if any(one[place] != other[place] for one, other in others):
            yield head.text.partition("(")[0].strip()


def reaches_readers(old: Symbol, now: Symbol) -> bool:
    """Whether such columns may let other rows into what goes over them."""
    pairs = ((one.expression, other.expression) for one, other in _edited(old, now))
    if any(one != other and (isinstance(one, _DECIDING) or isinstance(other, _DECIDING)) for one, other in pairs):
        return True
    read = {*_edited_in_file(_table(old).file, _table(now).file)}
    return any(name in read and isinstance(cell, _DECIDING) for row in now.table.rows for name, cell in row.cells)


def _table(symbol: Symbol) -> d.TableDeclaration:
    assert isinstance(symbol.written, d.TableDeclaration)  # noqa: S101 - for the type checker
    return symbol.written


def _is_sequence(table: d.TableDeclaration) -> bool:
    return bool(table.indices) and table.rows_of is None and not table.supplier


def _frame(table: d.TableDeclaration) -> Iterator[Span]:
    """Where a table stands, but for its columns."""
    yield from places(replace(table, columns=()))
    for loop in table.loops:
        yield loop.span
        yield from (expression.span for expression in d.expressions_of(loop))
    if table.file is not None:
        yield table.file.span


def _shape(column: d.ColumnDeclaration) -> d.ColumnDeclaration:
    """What of a column others depend on; of one that is computed, not how."""
    expression = None if column.expression is None else e.Number("0")
    return replace(column, expression=expression, notes=NO_NOTES)


def _edited(old: Symbol, now: Symbol) -> Iterator[tuple[d.ColumnDeclaration, d.ColumnDeclaration]]:
    """The columns that say or stand otherwise, as they were and as they are."""
    pairs = zip(old.table.columns, now.table.columns, strict=True)
    return ((one, other) for one, other in pairs if one != other or places(one) != places(other))
