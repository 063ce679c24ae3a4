"""Gives a table `for row in other` the rows of that other table, with the cells and rows that it states itself."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.namespace import qualified
from formula_eval.resolve.row_conditions import known_of_row
from formula_eval.resolve.scope import ColumnHome, Scope, Symbol
from formula_eval.resolve.table_loops import check_size


def take_rows(scope: Scope) -> None:
    """Complete every table over the rows of another one, that one first; what cannot be is a finding."""
    done: set[str] = set()
    for name in [*scope.symbols]:
        _take(scope, name, done, ())


def source_of(scope: Scope, symbol: Symbol) -> Symbol | None:
    """The table whose rows a table takes."""
    table = symbol.declaration
    if not isinstance(table, d.TableDeclaration) or table.rows_of is None:
        return None
    return scope.declared(table.rows_of.table.path, symbol.namespace, d.TableDeclaration)


def _take(scope: Scope, name: str, done: set[str], within: tuple[str, ...]) -> bool:
    """Complete a table, unless it takes rows of one that takes its own."""
    symbol = scope.symbols[name]
    table = symbol.declaration
    if name in done or not isinstance(table, d.TableDeclaration) or table.rows_of is None:
        return name not in within
    if name in within:
        names = " -> ".join(f"`{text}`" for text in (*within[within.index(name) :], name))
        scope.find(
            "cycle",
            f"These tables take rows of each other: {names}",
            table.rows_of.span,
            help="One of them has rows of its own.",
        )
        done.update(within)
        return False
    other = source_of(scope, symbol)
    if other is None:
        _unknown(scope, symbol, table.rows_of)
    elif _take(scope, other.name, done, (*within, name)):
        whole = _completed(scope, symbol, table, table.rows_of, scope.symbols[other.name])
        if whole != table:
            scope.symbols[name] = symbol._replace(declaration=whole, homes=_homes(symbol, whole))
    done.add(name)
    return True


def _homes(symbol: Symbol, whole: d.TableDeclaration) -> dict[str, ColumnHome]:
    """Where the columns were written, all of which may read the indices that a sequence gives."""
    added = [column.name for column in whole.columns if column.name not in symbol.homes]
    index = ColumnHome(symbol.namespace, symbol.namespace, frozenset(added), inherited=False)
    known = {name: home._replace(columns=home.columns.union(added)) for name, home in symbol.homes.items()}
    return {**dict.fromkeys(added, index), **known}


def _unknown(scope: Scope, symbol: Symbol, rows_of: d.RowsOf) -> None:
    name = ".".join(rows_of.table.path)
    if not scope.is_broken(rows_of.table.path, symbol.namespace):
        near = scope.nearest_declared(name, symbol.namespace, d.TableDeclaration)
        help_ = near or "Rows come from a table, `for row in table`, or from values, `for month in 1 .. 12`."
        scope.find("unknown-table", f"`{name}` is not a table", rows_of.table.span, help=help_)
    scope.broken.add(qualified(symbol.namespace, rows_of.row))


def _completed(
    scope: Scope, symbol: Symbol, table: d.TableDeclaration, rows_of: d.RowsOf, other: Symbol
) -> d.TableDeclaration:
    source = other.table
    if source.supplier or not source.rows:
        message = f"`{symbol.name}` takes the rows of `{other.name}`, which has none that its author named"
        scope.find("table-rows", message, rows_of.table.span, help="Take those of a table whose rows stand beneath it.")
        return table
    hidden = scope.lookup((rows_of.row,), symbol.namespace)
    if rows_of.row in symbol.homes or (hidden is not None and hidden[0].namespace):
        message = f"The name of the row `{rows_of.row}` is already taken"
        scope.find("hidden-name", message, rows_of.span, help="Give the row a name of its own.")
    if source.indices:
        return _sequence(scope, table, rows_of, other, source)
    own = {row.name: row for row in table.rows}
    taken = [_merged(row, own.get(row.name)) for row in _chosen(scope, rows_of, other, source)]
    names = frozenset(row.name for row in taken)
    return replace(table, rows=_in_order(taken, table.rows), taken=names)


def _sequence(
    scope: Scope, table: d.TableDeclaration, rows_of: d.RowsOf, other: Symbol, source: d.TableDeclaration
) -> d.TableDeclaration:
    """A table with a row for each row of a sequence, which goes through the same values."""
    stated = [rows_of.condition.span] if rows_of.condition is not None else [row.span for row in table.rows]
    if stated:
        message = f"`{table.name}` has all rows of the sequence `{other.name}`, and no others"
        scope.find(
            "table-rows", message, stated[0], help=f"Drop it; a sum takes some: `for each in {table.name} if ...`."
        )
        return table
    written = {column.name for column in table.columns}
    indices = [column for column in source.columns if column.name in source.indices and column.name not in written]
    loops = tuple(replace(loop, high=_spelled_out(scope, loop.high, other.namespace)) for loop in source.loops)
    rows = tuple(replace(row, cells=row.cells[: len(loops)]) for row in source.rows)
    whole = replace(table, columns=(*indices, *table.columns), loops=loops, rows=rows)
    check_size(scope, whole, len(rows))
    return replace(whole, taken=frozenset(row.name for row in rows))


def _spelled_out(scope: Scope, high: e.Expression | None, namespace: str) -> e.Expression | None:
    """The end of a range, in names that mean the same in any folder."""

    def change(x: e.Expression) -> e.Expression:
        found = scope.lookup(x.path, namespace) if isinstance(x, e.Name) else None
        if isinstance(x, e.Name) and found is not None:
            return replace(x, path=(*found[0].name.split("."), *found[1]))
        return e.rebuild(x, change)

    return None if high is None else change(high)


def _in_order(taken: list[d.RowDeclaration], stated: tuple[d.RowDeclaration, ...]) -> tuple[d.RowDeclaration, ...]:
    """The rows that are taken, with each further one behind the row that is stated before it, or else at the end."""
    places = {row.name: place for place, row in enumerate(taken)}
    behind: dict[int, list[d.RowDeclaration]] = {}
    place = len(taken) - 1
    for row in stated:
        place = places.get(row.name, place)
        if row.name not in places:
            behind.setdefault(place, []).append(row)
    return tuple(each for place, row in enumerate(taken) for each in (row, *behind.get(place, ())))


def _merged(row: d.RowDeclaration, own: d.RowDeclaration | None) -> d.RowDeclaration:
    """A row of the other table, with the cells that this one states for it, and its own sentence if it has one."""
    if own is None:
        return replace(row, cells=(), namespace=None)
    return replace(own, notes=replace(own.notes, sentence=own.notes.sentence or row.notes.sentence))


def _chosen(scope: Scope, rows_of: d.RowsOf, other: Symbol, source: d.TableDeclaration) -> list[d.RowDeclaration]:
    """The rows that are taken: which ones has to be known without any input."""
    if rows_of.condition is None:
        return list(source.rows)
    condition = rows_of.condition
    holds = [known_of_row(scope, other.name, row.name, rows_of.row, condition) for row in source.rows]
    if None in holds:
        message = f"Which rows of `{other.name}` are taken is not known without its inputs"
        help_ = f"Compare a column whose cells are words: `{rows_of.row}.part == mixer`."
        scope.find("table-rows", message, condition.span, help=help_)
    return [row for row, chosen in zip(source.rows, holds, strict=True) if chosen]
