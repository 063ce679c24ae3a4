"""Decides conditions on rows whose cells are written as words or flags, so that nothing is computed of other rows."""

from collections.abc import Mapping
from functools import lru_cache

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.same_object import SameObject
from formula_eval.core.type import Choice
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck.declared_types import type_of


def known_of_row(scope: Scope, table: str, row: str, word: str, condition: e.Expression) -> bool | None:
    """Whether the condition of `for word in table if condition` holds for a row; None where inputs say so.

    The condition may be checked or as its author wrote it.
    """
    match condition:
        case e.Not(inner):
            holds = known_of_row(scope, table, row, word, inner)
            return None if holds is None else not holds
        case e.Logical(operator, left, right):
            both = known_of_row(scope, table, row, word, left), known_of_row(scope, table, row, word, right)
            decides = operator == "or"  # what one side alone decides
            return decides if decides in both else None if None in both else not decides
        case e.Compare("==" | "!=" as operator, left, right):
            stated, wanted = _word(stated_cell(scope, table, row, _column(word, left))), _word(right)
            return (stated == wanted) == (operator == "==") if stated and wanted else None
    stated_flag = stated_cell(scope, table, row, _column(word, condition))
    return stated_flag.value if isinstance(stated_flag, e.FlagValue) else None


def stated_cell(scope: Scope, table: str, row: str, column: str) -> e.Expression | None:
    """What the author of a table wrote for a cell; that of the other table, where a column hands it on."""
    symbol = scope.symbols[table]
    declared = symbol.table
    of = next((declaration for declaration in declared.columns if declaration.name == column), None)
    own = None if of is None else _rows(SameObject(declared)).get(row)
    if own is None or of is None:
        return None
    found = dict(own.cells).get(column, of.expression)
    if isinstance(found, e.Recurrence):
        found = found.value if row in declared.taken else found.first
    other = declared.rows_of
    if isinstance(found, e.Name) and len(found.path) == 1:
        type_, _ = type_of(of.type, scope.silent(), symbol.homes[column].of_type)
        return found if isinstance(type_, Choice) and found.path[0] in type_.values else None
    if other is None or row not in declared.taken or not isinstance(found, e.Name) or found.path[:-1] != (other.row,):
        return found
    source = scope.lookup(other.table.path, symbol.namespace)
    return stated_cell(scope, source[0].name, row, found.path[-1]) if source is not None else None


@lru_cache(maxsize=8)
def _rows(table: SameObject[d.TableDeclaration]) -> Mapping[str, d.RowDeclaration]:
    """The rows of a table by name: a sum over a year's hours asks for each of them."""
    return {row.name: row for row in table.held.rows}


def _column(word: str, x: e.Expression) -> str:
    """The column of the row that an expression names, or nothing."""
    match x:
        case e.Name((of, column)) if of == word:
            return column
        case e.Reference(node) if node.startswith(f".{word}."):
            return node.removeprefix(f".{word}.")
    return ""


def _word(x: e.Expression | None) -> str:
    match x:
        case e.Name((word,)) | e.ChoiceValue(word):
            return word
    return ""
