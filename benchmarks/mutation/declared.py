"""Declarations to every expression in them that a mutant may change, and to whether units allow a change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from benchmarks.mutation.mutants import Mutant, changed, parts, site_of, variants

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.span import NOWHERE
from formula_eval.core.type import Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.typecheck import TypeChecker, type_of


@dataclass(frozen=True)
class Written:
    """One expression as its author wrote it: of a formula, a function, a cell or a computed column."""

    name: str
    symbol: Symbol
    declared: d.Declaration
    expression: e.Expression
    type: Type
    own: Mapping[str, Type]

    def allowed(self, mutant: Mutant, scope: Scope) -> bool:
        """Whether the checker of names and units takes the expression with this mistake in it."""
        silent = scope.silent()
        checker = TypeChecker(silent, self.symbol.namespace, self.own)
        checker.checked(changed(self.expression, mutant), self.type, self.declared)
        return not silent.findings


def written(scope: Scope) -> Iterator[Written]:
    """Every expression of the library that computes a quantity."""
    for symbol in scope.symbols.values():
        declared, namespace = symbol.declaration, symbol.namespace
        if isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
            own = {}
            if isinstance(declared, d.FunctionDeclaration):
                own = {each.name: type_of(each.type, scope, namespace)[0] for each in declared.parameters}
            type_ = type_of(declared.type, scope, namespace)[0]
            yield Written(symbol.name, symbol, declared, declared.expression, type_, own)
        elif isinstance(declared, d.TableDeclaration):
            types = {column.name: type_of(column.type, scope, namespace)[0] for column in declared.columns}
            for column in declared.columns:
                if column.expression is not None:
                    name = f"{symbol.name}.{column.name}"
                    yield Written(name, symbol, column, column.expression, types[column.name], types)
            columns = {column.name: column for column in declared.columns}
            for row in declared.rows:
                for cell, expression in row.cells:
                    if cell in declared.indices:  # a row's place in a sequence, which nobody writes
                        continue
                    name = f"{symbol.name}.{row.name}.{cell}"
                    yield Written(name, symbol, columns[cell], expression, types[cell], types)


def mutants_of(each: Written) -> Iterator[Mutant]:
    """The mistakes that one expression could hold."""
    for part in parts(each.expression):
        if part.span == NOWHERE:
            continue
        for number, (kind, other) in enumerate(variants(part)):
            if other != part:
                text = f"{expression_text(part)} -> {expression_text(_shown(other))}"
                yield Mutant(each.name, each.symbol.declaration.span.file, site_of(part), number, kind, text)


def _shown(x: e.Expression) -> e.Expression:
    """A constant that was changed, with the text of its new value (in base units)."""
    return replace(x, text=f"{float(x.value):g}", unit="") if isinstance(x, e.Number) else x
