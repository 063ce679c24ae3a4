"""Finds names of a resolved library that mean something else in Excel, or that become the same name there."""

from collections.abc import Iterator

from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.printing.excel_names import excel_cell, excel_meaning, excel_name
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import row_names


def excel_collisions(resolved: Resolved) -> Iterator[Diagnostic]:
    """Find names that are a cell, a word or a function in Excel, and pairs of one library that become one name.

    Of a name that another library has too, a workbook numbers the second.
    """
    for name, symbol in resolved.scope.symbols.items():
        own = symbol.declaration.name
        if symbol.namespace and not isinstance(symbol.declaration, d.FunctionDeclaration) and excel_cell(own):
            yield _meaning(name, "a cell", own, symbol.declaration)
    seen: dict[str, tuple[str, d.Declaration]] = {}
    for name, declared in _exported(resolved.scope):
        there = excel_name(name)
        meaning = excel_meaning(there)
        if meaning:
            yield _meaning(name, meaning, there, declared)
        elif there in seen and _library(declared) == _library(seen[there][1]):
            other, first = seen[there]
            message = f"`{name}` and `{other}` are both `{there}` in Excel"
            labels = Label(declared.span), Label(first.span, "the other one")
            yield Diagnostic("excel-name", message, labels, "Rename one of them.")
        seen.setdefault(there, (name, declared))


def _meaning(name: str, meaning: str, there: str, declared: d.Declaration) -> Diagnostic:
    help_ = f"Give it another name, for example `{there}_value`."
    return Diagnostic("excel-name", f"`{name}` is {meaning} in Excel", (Label(declared.span),), help_)


def _library(declared: d.Declaration) -> str:
    return declared.span.file.rpartition("formulas/")[0]


def _exported(scope: Scope) -> Iterator[tuple[str, d.Declaration]]:
    for name, symbol in scope.symbols.items():
        declared = symbol.declaration
        if symbol.of:  # nobody chose the name of a quantity of a part: a workbook numbers it where it is taken
            continue
        if isinstance(declared, d.TableDeclaration):
            for row in declared.rows:
                yield from ((f"{name}.{row.name}.{column.name}", row) for column in declared.columns)
            if not declared.rows:
                rows = row_names(declared)
                yield from ((f"{name}.{row}.{column.name}", column) for row in rows for column in declared.columns)
        elif not isinstance(declared, d.FunctionDeclaration):
            yield name, declared
