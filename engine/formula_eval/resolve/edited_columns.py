"""Finds the columns of a sequence that an edit reaches, so that the cells of all others stay as they are."""

from collections.abc import Iterator
from dataclasses import fields, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.notes import NO_NOTES
from formula_eval.core.span import Span
from formula_eval.resolve.scope import Symbol

_DECIDING = (e.Name, e.FlagValue, e.Recurrence)  # columns that say which rows a condition lets in


def places(declared: d.Declaration) -> list[Span]:
    """Where a statement and what it consists of stand; an index that a table takes stands in the other table."""
    parts = (getattr(declared, each.name) for each in fields(declared))
    columns = declared.columns if isinstance(declared, d.TableDeclaration) else ()
    own = (each.span for each in parts if isinstance(each, e.Expression))
    return [declared.span, *own, *(span for each in columns for span in places(each))]


def edited_columns(old: Symbol, now: Symbol) -> frozenset[str] | None:
    """The columns of a sequence that say or stand otherwise than before; None where it may have other rows or types."""
    before, after = old.written, now.written
    if not (isinstance(before, d.TableDeclaration) and isinstance(after, d.TableDeclaration) and _is_sequence(after)):
        return None
    has_same_rows = (
        replace(after, columns=(), notes=before.notes) == replace(before, columns=())
        and old.homes == now.homes
        and old[:2] == now[:2]
        and (old.like, old.of) == (now.like, now.of)
        and [*_frame(before)] == [*_frame(after)]
        and [*map(_shape, old.table.columns)] == [*map(_shape, now.table.columns)]
    )
    return frozenset(one.name for one, _ in _edited(old, now)) if has_same_rows else None


def reaches_readers(old: Symbol, now: Symbol) -> bool:
    """Whether such columns may let other rows into what goes over them."""
    pairs = ((one.expression, other.expression) for one, other in _edited(old, now))
    return any(one != other and (isinstance(one, _DECIDING) or isinstance(other, _DECIDING)) for one, other in pairs)


def _is_sequence(table: d.TableDeclaration) -> bool:
    return bool(table.indices) and table.rows_of is None and not table.supplier


def _frame(table: d.TableDeclaration) -> Iterator[Span]:
    """Where a table stands, but for its columns."""
    yield from places(replace(table, columns=()))
    for loop in table.loops:
        yield loop.span
        yield from (each.span for each in d.expressions_of(loop))
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
