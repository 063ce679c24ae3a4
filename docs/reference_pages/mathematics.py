"""Prints the equation of an entry of the reference in MathML, with the symbols of what it names."""

from collections.abc import Callable

from formula_eval.core import declaration as d, expression as e
from formula_eval.printing.mathml import MathmlPrinter, upright
from formula_eval.printing.symbol import symbol_mathml
from reference_pages.entries import CrossReference, Entry

_OPEN, _CLOSE = '<math display="block">', "</math>"


def equation(entry: Entry, reference: CrossReference) -> str:
    """`symbol = expression`; empty for what is not computed."""
    declaration = entry.declaration
    match declaration:
        case d.FormulaDeclaration(expression=expression) | d.FunctionDeclaration(expression=expression):
            return _equation(_left(entry), expression, entry, reference)
        case d.ColumnDeclaration(expression=expression) if expression is not None:
            return _equation(_left(entry), expression, entry, reference)
        case d.CheckDeclaration(condition=condition):
            return MathmlPrinter.formula(condition, _symbols(entry, reference))
    return ""


def cell_equations(entry: Entry, reference: CrossReference) -> list[str]:
    """The equations of a row, one for each column that it fills in."""
    cells = entry.declaration.cells if isinstance(entry.declaration, d.RowDeclaration) else ()
    table = entry.name.rpartition(".")[0]
    columns = ((reference.entries.get(f"{table}.{name}"), name, each) for name, each in cells)
    return [_equation(_left(at) if at else upright(name), each, entry, reference) for at, name, each in columns]


def symbol(entry: Entry) -> str:
    """The symbol within a line of text; empty if there is none."""
    return f"<math>{symbol_mathml(entry.symbol)}</math>" if entry.symbol else ""


def _equation(left: str, expression: e.Expression, entry: Entry, reference: CrossReference) -> str:
    right = MathmlPrinter.formula(expression, _symbols(entry, reference)).removeprefix(_OPEN).removesuffix(_CLOSE)
    return f"{_OPEN}{left}<mo>=</mo>{right}{_CLOSE}"


def _left(entry: Entry) -> str:
    name = symbol_mathml(entry.symbol) if entry.symbol else upright(entry.declaration.name)
    if not isinstance(entry.declaration, d.FunctionDeclaration):
        return name
    inside = "<mo>,</mo>".join(upright(each.name) for each in entry.declaration.parameters)
    return f"{name}<mo>(</mo>{inside}<mo>)</mo>"


def _symbols(entry: Entry, reference: CrossReference) -> Callable[[str], str]:
    own = d.local_names(entry.declaration)

    def symbol_of(written: str) -> str:
        found = reference.find(written, entry) if written not in own else None
        return found.symbol if found is not None else ""

    return symbol_of
