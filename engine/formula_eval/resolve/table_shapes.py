"""Completes tables: adds the columns of the tables that they are like, and a row for each value of their loop."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from formula_eval.core import declaration as d
from formula_eval.resolve.edited_columns import edited_columns, has_same_data
from formula_eval.resolve.scope import ColumnHome, Scope, Symbol
from formula_eval.resolve.table_data import rows_with_data
from formula_eval.resolve.table_loops import index_columns, rows_of_loops
from formula_eval.resolve.typecheck.declared_types import type_of
from formula_eval.resolve.typecheck.fits import fits


def complete_tables(scope: Scope, before: Mapping[str, Symbol]) -> None:
    """Give every table that is not whole yet all its columns and rows; what cannot be is a finding.

    A sequence that stands among those `before` with the same rows keeps them.
    """
    tables = {name: each for name, each in scope.symbols.items() if isinstance(each.declaration, d.TableDeclaration)}
    written = {name: table._replace(declaration=table.written or table.declaration) for name, table in tables.items()}
    in_cycles: set[str] = set()
    for name in (name for name, table in tables.items() if table.written is None):
        symbol = written[name]
        scope.symbols[name] = _completed(scope, _ancestry(scope, symbol, written, in_cycles), before.get(name))


def _ancestry(scope: Scope, symbol: Symbol, written: dict[str, Symbol], in_cycles: set[str]) -> list[Symbol]:
    """A table, the one that it is like, the one that that one is like, and so on."""
    found = [symbol]
    while (table := found[-1].table).like is not None:
        assert table.like is not None  # noqa: S101 - for the type checker
        other = scope.lookup(table.like.path, found[-1].namespace)
        name = ".".join(table.like.path)
        if other is None or other[1] or other[0].name not in written:
            if len(found) == 1 and (other is not None or not scope.is_broken(table.like.path, symbol.namespace)):
                near = scope.nearest_declared(name, found[-1].namespace, d.TableDeclaration)
                help_ = near or "`like` names a table, whose columns it takes."
                scope.find("unknown-table", f"`{name}` is not a table", table.like.span, help=help_)
            break
        following = written[other[0].name]
        if following in found:
            _find_cycle(scope, found[found.index(following) :], in_cycles)
            break
        found.append(following)
    return found


def _find_cycle(scope: Scope, chain: list[Symbol], in_cycles: set[str]) -> None:
    if not in_cycles.isdisjoint(symbol.name for symbol in chain):
        return
    in_cycles.update(symbol.name for symbol in chain)
    names = " -> ".join(f"`{symbol.name}`" for symbol in [*chain, chain[0]])
    labels = [(symbol.table.like or symbol.declaration).span for symbol in chain]
    scope.find(
        "cycle", f"These tables are like each other: {names}", *labels, help="One of them has columns of its own."
    )


def _completed(scope: Scope, ancestry: list[Symbol], before: Symbol | None) -> Symbol:
    symbol = ancestry[0]
    table = symbol.table
    columns: dict[str, d.ColumnDeclaration] = {}
    homes: dict[str, ColumnHome] = {}
    for each in reversed(ancestry):
        own = {column.name: column for column in _columns(each)}
        visible = frozenset({*columns, *own})
        for name, column in own.items():
            above = columns.get(name)
            columns[name] = column if above is None else _overridden(scope, above, column, homes[name], each)
            kind = each.namespace if above is None or column.type is not None else homes[name].of_type
            homes[name] = ColumnHome(kind, each.namespace, visible, inherited=each is not symbol)
    whole = replace(table, columns=tuple(columns.values()))
    like = tuple(each.name for each in ancestry[1:])
    found = symbol._replace(declaration=whole, written=table, homes=homes, like=like)
    if before is not None and edited_columns(before, found) is not None and has_same_data(before, found):
        return found._replace(declaration=replace(whole, rows=before.table.rows))
    types = {n: type_of(c.type, scope.silent(), homes[n].of_type)[0] for n, c in columns.items()}
    rows = rows_with_data(scope, whole, rows_of_loops(scope, symbol, whole), types)
    return found._replace(declaration=replace(whole, rows=rows))


def _columns(symbol: Symbol) -> Iterator[d.ColumnDeclaration]:
    """The columns that a table has by itself, its indices first unless it says where they stand."""
    yield from index_columns(symbol.table)
    yield from symbol.table.columns


def _overridden(
    scope: Scope, before: d.ColumnDeclaration, column: d.ColumnDeclaration, home: ColumnHome, symbol: Symbol
) -> d.ColumnDeclaration:
    """A column that takes the place of one of a table that this one is like: what it does not say stays."""
    kinds = [(column.type, symbol.namespace), (before.type, home.of_type)]
    types = [type_of(written, scope.silent(), namespace)[0] for written, namespace in kinds]
    if column.type is not None and not fits(*types):
        message = f"The column `{column.name}` is of another type than that of the table that `{symbol.name}` is like"
        scope.find("column-type", message, column.span, (before.span, "there"), help="Drop its type, or rename it.")
    notes = column.notes if column.notes.sentence else replace(column.notes, sentence=before.notes.sentence)
    notes = notes if notes.symbol else replace(notes, symbol=before.notes.symbol)
    return replace(column, type=column.type or before.type, notes=notes)
