"""Finds the declaration that a change names, or reports what can be changed instead."""

from formula_eval.core import declaration as d
from formula_eval.core.change import library_folder
from formula_eval.core.diagnostic import spell_out
from formula_eval.core.type import Flag, Quantity, Type
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.typecheck import type_of
from formula_eval.resolve.typecheck.units import described

_EXTENDED = d.FormulaDeclaration | d.InputDeclaration
_EXTENDS = "Extend a formula, an input, or an open table."
_REPLACES = "Replace a formula; one of your own is written `name: unit = expression`."
_SUITING = {
    Flag: "A condition is extended by `and condition` or `or condition`.",
    Quantity: "A number is extended by `+ term`, `* factor`, `at most limit` or `at least limit`.",
}
_HELP = {
    "replace": {
        d.InputDeclaration: "Give it a value: an option, a scenario, a record or a preset.",
        d.FunctionDeclaration: "Replace the formulas that call it.",
        d.TableDeclaration: "Replace a formula that reads it, or extend it with rows if it is open.",
    },
    "extend": {
        d.FunctionDeclaration: "Extend a formula that calls it: functions are extended by their own library alone.",
        d.CheckDeclaration: "Write a check of your own beside it, or extend what it reads.",
        d.TableDeclaration: "Write the rows beneath `extend`, or extend a formula that sums over the table.",
    },
    "add rows": {},
}


def target_of(scope: Scope, declared: d.ChangeDeclaration, namespace: str) -> str:
    """The qualified name of what is changed; nothing if that cannot be, which is then among the findings."""
    path = tuple(declared.name.split("."))
    found = scope.lookup(path, namespace)
    if found is None:
        if not scope.is_broken(path, namespace):
            _unknown(scope, declared, namespace)
        return ""
    symbol, rest = found
    if rest:
        _part(scope, declared, symbol)
    elif isinstance(declared, d.AddedRowsDeclaration):
        return symbol.name if _takes_rows(scope, declared, symbol) else ""
    elif _takes(scope, declared, symbol):
        return symbol.name
    return ""


def _unknown(scope: Scope, declared: d.ChangeDeclaration, namespace: str) -> None:
    replaces = isinstance(declared, d.ReplacementDeclaration)
    choice = next((name for name in scope.choices if name.rpartition(".")[2] == declared.name), "")
    message = f"Unknown name `{declared.name}`"
    kinds = d.FormulaDeclaration if replaces else d.FormulaDeclaration | d.InputDeclaration | d.TableDeclaration
    help_ = spell_out(scope.ending(declared.name)) or scope.nearest_declared(declared.name, namespace, kinds)
    help_ = help_ or scope.nearest(declared.name, scope.inside(declared.name.rpartition(".")[0]))
    if choice:
        message, help_ = f"`{choice}` is a choice, and its words are fixed", "Declare a choice of your own."
    scope.find("unknown-name", message, declared.span, help=help_ or (_REPLACES if replaces else _EXTENDS))


def _part(scope: Scope, declared: d.ChangeDeclaration, symbol: Symbol) -> None:
    place = (symbol.declaration.span, f"`{symbol.name}`")
    if isinstance(symbol.declaration, d.TableDeclaration):
        message = f"`{declared.name}` is a part of the table `{symbol.name}`, which is changed by no one but its author"
        help_ = "Change a formula that the cell reads, or one that reads it; an open table takes rows."
    else:
        message = f"`{symbol.name}` has no parts, so `{declared.name}` is nothing"
        help_ = f"Name it alone: `{symbol.name}`. Several extensions of one formula add up."
    scope.find("unknown-name", message, declared.span, place, help=help_)


def _takes(scope: Scope, declared: d.ChangeDeclaration, symbol: Symbol) -> bool:
    """Whether a formula or an input can be changed so."""
    what = symbol.declaration
    extends = isinstance(declared, d.ExtensionDeclaration)
    verb = "extend" if extends else "replace"
    place = (what.span, "declared here")
    help_ = _HELP[verb].get(type(what), f"Write {_a(what)} of your own beside it.")
    takes = _EXTENDED if extends else d.FormulaDeclaration
    if extends and library_folder(what.span.file) == library_folder(declared.span.file):
        takes |= d.FunctionDeclaration
    if not isinstance(what, takes):
        message = f"`{symbol.name}` is {_a(what)}, and `{verb} {declared.name}` takes a formula"
        scope.find("not-changeable", message, declared.span, place, help=help_)
        return False
    type_ = type_of(getattr(what, "type", None), scope.silent(), symbol.namespace)[0]
    if isinstance(declared, d.ExtensionDeclaration) and not _suits(declared.operator, type_):
        message = f"`{symbol.name}` is {described(scope, type_)}, so `{declared.operator}` does not extend it"
        help_ = "Replace it, or extend what it reads." if isinstance(what, d.FormulaDeclaration) else "Set it instead."
        help_ = _SUITING.get(type(type_), help_)
        scope.find("not-changeable", message, declared.span, place, help=help_)
        return False
    if isinstance(what, d.InputDeclaration) and (what.supplier or what.optional):
        why = f"comes from a {what.supplier} record" if what.supplier else "may be absent"
        message = f"`{symbol.name}` is an input that {why}, so nothing can be added to it"
        scope.find("not-changeable", message, declared.span, place, help="Extend the formulas that read it.")
        return False
    return True


def _suits(operator: str, type_: Type) -> bool:
    """Whether something of a type is extended so: conditions by `and` and `or`, numbers by all else."""
    return isinstance(type_, Flag if operator in ("and", "or") else Quantity)


def _takes_rows(scope: Scope, declared: d.AddedRowsDeclaration, symbol: Symbol) -> bool:
    what = symbol.declaration
    place = (what.span, "declared here")
    if not isinstance(what, d.TableDeclaration):
        message = f"`{symbol.name}` is {_a(what)}, and rows are added to a table"
        help_ = f"Write `extend {declared.name} + term`." if isinstance(what, d.FormulaDeclaration) else _EXTENDS
        scope.find("not-changeable", message, declared.span, place, help=help_)
    elif what.supplier:
        message = f"The rows of `{symbol.name}` come from records"
        scope.find("not-changeable", message, declared.span, place, help="Write them into the record.")
    elif not what.open:
        message = f"The table `{symbol.name}` is not open: its formulas may count on the rows that it has"
        opened = [
            n for n, s in scope.symbols.items() if isinstance(s.declaration, d.TableDeclaration) and s.declaration.open
        ]
        listed = ", ".join(f"`{name}`" for name in opened[:4])
        help_ = f"Open are {listed}." if opened else "Its author opens it: `table name open`."
        scope.find("not-changeable", message, declared.span, place, help=help_)
    else:
        return True
    return False


def _a(declared: d.Declaration) -> str:
    return f"{'an' if declared.kind[0] in 'aeiou' else 'a'} {declared.kind}"
