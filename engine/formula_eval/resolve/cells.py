"""Makes the nodes of a table's cells: stated or computed row by row, or inputs where records fill the rows."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node
from formula_eval.core.notes import Notes
from formula_eval.core.table import FILLED, Cell
from formula_eval.core.type import Choice, Flag, Quantity, Type
from formula_eval.core.unit import NO_UNIT, Unit
from formula_eval.resolve.domains import domain_of
from formula_eval.resolve.expand_sums import cells_of_row, fill, unrolled
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.table_loops import placed, rows_before, within_bounds
from formula_eval.resolve.table_rows import source_of
from formula_eval.resolve.tables import always_filled, columns_of, row_names
from formula_eval.resolve.typecheck import TypeChecker, column_type


def cells_of(
    scope: Scope, symbol: Symbol, table: d.TableDeclaration, only: Collection[str] | None = None
) -> Iterator[Node]:
    """The cells of a table, row by row; of a sequence, perhaps those of some columns alone."""
    if only is None:
        return _cells(scope, symbol, table, table.columns)
    found = _cells(scope, symbol, table, [column for column in table.columns if column.name in only])
    return (node for node in found if node.cell is not None and node.cell.column in only)


def _cells(
    scope: Scope, symbol: Symbol, table: d.TableDeclaration, wanted: Sequence[d.ColumnDeclaration]
) -> Iterator[Node]:
    """The cells of these columns, row by row, with what says which rows are there."""
    types = {column.name: column_type(symbol, column, _own_scope(scope, symbol, column)) for column in table.columns}
    checker = TypeChecker(scope, symbol.namespace, {name: type_ for name, (type_, _) in types.items()})
    reading = _reading(checker, symbol, table)
    computed = _computed(reading, symbol, wanted, follows=bool(table.indices))
    if table.supplier:
        yield from _record_rows(scope, symbol, table, types, {**computed, **_defaults(checker, table, types)})
        return
    highs = _highs(checker, table)
    shared: dict[str, d.ColumnDeclaration] = {}
    for row, before in rows_before(table):
        own = _of_row(reading if row.name in table.taken else checker, row)
        places = {**_places(symbol.name, row.name, types), **_places(symbol.name, before, types, "previous.")}
        for word, other in own.rows.items():
            places |= cells_of_row(word, other.name, row.name, columns_of(other))
        given = dict(row.cells)
        filled = None
        if highs:
            flag = _within_bounds(symbol, table, row, highs)
            filled = e.Reference(flag.name, f"{row.name}.{FILLED}")
            yield flag
        for column in wanted:
            type_, unit = types[column.name]
            author = given.get(column.name, column.expression)
            stated = given.get(column.name)
            if symbol.of and column.expression is not None:
                stated = _in_row(column.expression, row.name)
            if stated is not None:
                expression = own.checked(stated, type_, column)[0]
            elif column.name in computed or table.file is not None:  # what is wrong with a file has been told
                expression = computed.get(column.name) or nothing(type_)
            else:
                continue
            lowered = unrolled(fill(placed(expression, first=_is_first(table, row, before)), places), scope)
            declared = _cell_declaration(column, row, author)
            if column.name not in given and column.notes.sentence:
                declared = shared.setdefault(column.name, declared)
            node = Node(column.name, "cell", type_, unit, lowered, declared, author, filled)
            space = own.namespace if column.name in given else symbol.homes[column.name].of_text
            yield _cell(symbol, row.name, replace(node, namespace=space))


def _is_first(table: d.TableDeclaration, row: d.RowDeclaration, before: str) -> bool:
    """Whether what follows `else` stands in a row: there is none before it, or none of its name in the other table."""
    return row.name not in table.taken if table.rows_of is not None and not table.indices else not before


def _reading(checker: TypeChecker, symbol: Symbol, table: d.TableDeclaration) -> TypeChecker:
    """A checker that knows the row of the other table, where a table takes its rows from one."""
    other = source_of(checker.scope, symbol)
    if table.rows_of is None or other is None:
        return checker
    taken = "" if table.indices else table.rows_of.row
    reading = replace(checker.within(table.rows_of.row, other), taken=taken)
    if table.rows_of.condition is not None:
        replace(reading, own={}).checked(table.rows_of.condition, Flag(), table, f"The condition of `{table.name}`")
    return reading


def _of_row(checker: TypeChecker, row: d.RowDeclaration) -> TypeChecker:
    """A checker of what a row states, which a chapter of another folder may have added."""
    return checker if row.namespace is None else replace(checker, namespace=row.namespace)


def _own_scope(scope: Scope, symbol: Symbol, column: d.ColumnDeclaration) -> Scope:
    """The scope for findings on a column; those on an inherited one are reported once, where it is declared."""
    return scope.silent() if symbol.homes[column.name].inherited else scope


def _computed(
    checker: TypeChecker, symbol: Symbol, columns: Iterable[d.ColumnDeclaration], *, follows: bool
) -> dict[str, e.Expression]:
    """The checked expressions of computed columns, each read where it was written; none if they differ by row."""
    found = {}
    for column in () if symbol.of else columns:
        if column.expression is not None:
            home = symbol.homes[column.name]
            own = {name: type_ for name, type_ in checker.own.items() if name in home.columns}
            scope = _own_scope(checker.scope, symbol, column)
            rows = {} if home.inherited else checker.rows
            there = replace(checker, scope=scope, namespace=home.of_text, own=own, rows=rows, sequence=follows)
            found[column.name] = there.checked(column.expression, checker.own[column.name], column)[0]
    return found


def _in_row(x: e.Expression, row: str) -> e.Expression:
    """The column of another table, `plan.open`, as the cell `plan.3.open`, with what a part gives."""
    if isinstance(x, e.Name):
        *table, column = x.path
        return replace(x, path=(*table, row, column))
    return replace(x, value=_in_row(x.value, row)) if isinstance(x, e.With) else x


def _highs(checker: TypeChecker, table: d.TableDeclaration) -> dict[str, e.Expression]:
    """The last value that each index of a sequence goes through, where inputs say which that is."""
    outside = replace(checker, own={})
    found = {}
    for name, high in _written_highs(table).items():
        checked = outside.checked(high, Quantity(), table, f"The end of `{table.name}`")[0]
        found[name] = unrolled(checked, checker.scope)
    return found


def _written_highs(table: d.TableDeclaration) -> dict[str, e.Expression]:
    return {loop.variable: loop.high for loop in table.loops if loop.high is not None and loop.is_bounded}


def _within_bounds(
    symbol: Symbol, table: d.TableDeclaration, row: d.RowDeclaration, highs: Mapping[str, e.Expression]
) -> Node:
    """Whether a row of a table with a computed end is there."""
    condition = within_bounds(dict(row.cells), highs)
    declared = _filled_declaration(table, f"A row of `{table.name}` is there")
    author = within_bounds({name: e.Name((name,)) for name in highs}, _written_highs(table))
    return _cell(symbol, row.name, Node(FILLED, "cell", Flag(), NO_UNIT, condition, declared, author))


def _cell(symbol: Symbol, row: str, node: Node) -> Node:
    """A node that bears the name of a column, as the cell in one row."""
    cell = Cell(symbol.name, row, node.name)
    return replace(node, name=".".join(cell), namespace=node.namespace or symbol.namespace, cell=cell)


def _cell_declaration(
    column: d.ColumnDeclaration, row: d.RowDeclaration, author: e.Expression | None
) -> d.ColumnDeclaration:
    sentence = column.notes.sentence or row.notes.sentence
    span = author.span if author is not None else column.span
    notes = replace(column.notes, sentence=sentence, examples=())
    return d.ColumnDeclaration(name=column.name, type=column.type, expression=author, notes=notes, span=span)


def _places(table: str, row: str, types: Mapping[str, object], prefix: str = "") -> dict[str, e.Expression]:
    return {f".{prefix}{name}": e.Reference(f"{table}.{row}.{name}", f"{prefix}{name}") for name in types}


def _defaults(
    checker: TypeChecker, table: d.TableDeclaration, types: Mapping[str, tuple[Type, Unit]]
) -> dict[str, e.Expression]:
    """The checked defaults of a table's open columns; the own name of one of them is that of something outside."""
    found = {}
    for column in table.columns:
        if column.default is not None:
            others = {name: type_ for name, type_ in checker.own.items() if name != column.name}
            outside = replace(checker, own=others)
            found[column.name] = outside.checked(column.default, types[column.name][0], column)[0]
    return found


def _record_rows(
    scope: Scope,
    symbol: Symbol,
    table: d.TableDeclaration,
    types: Mapping[str, tuple[Type, Unit]],
    expressions: Mapping[str, e.Expression],
) -> Iterator[Node]:
    """The cells of a table that records fill: inputs, and what is computed from them, each where its row is filled."""
    checker = TypeChecker(scope, symbol.namespace)
    columns = [declaration for declaration in table.columns if declaration.expression is None]
    domains = {declaration.name: domain_of(checker, declaration, types[declaration.name][0]) for declaration in columns}
    for row in row_names(table):
        filled = None
        if row not in always_filled(table):
            flag = _filled(symbol, table, row)
            filled = e.Reference(flag.name, f"{row}.{FILLED}")
            yield flag
        places = _places(symbol.name, row, types)
        for column in table.columns:
            type_, unit = types[column.name]
            expression, guard = nothing(type_), None
            if column.name in expressions:
                expression, guard = unrolled(fill(expressions[column.name], places), scope), filled
            author = column.expression or column.default
            cell = _cell(symbol, row, Node(column.name, "cell", type_, unit, expression, column, author, guard))
            if column.expression is None:
                domain = domains[column.name]._asdict()
                cell = replace(cell, kind="input", supplier=table.supplier, key=cell.name, **domain)
            yield cell


def _filled(symbol: Symbol, table: d.TableDeclaration, row: str) -> Node:
    """The input that says whether a row is there."""
    declared = _filled_declaration(table, f"Row {row} of `{table.name}` is there")
    flag = _cell(symbol, row, Node(FILLED, "input", Flag(), NO_UNIT, e.FlagValue(value=False), declared))
    return replace(flag, supplier=table.supplier, key=flag.name)


def _filled_declaration(table: d.TableDeclaration, sentence: str) -> d.ColumnDeclaration:
    return d.ColumnDeclaration(name=FILLED, type=e.TypeText(("flag",)), notes=Notes(sentence), span=table.span)


def nothing(type_: Type) -> e.Expression:
    """The value of a cell whose row is not there."""
    if isinstance(type_, Flag):
        return e.FlagValue(value=False)
    if isinstance(type_, Choice):
        return e.ChoiceValue(type_.values[0], 0)
    return e.Number("0", value=Fraction(0))
