"""Resolves a situation to its bindings of inputs: as declared for use in `with`, or a row by its columns."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import enumerated
from formula_eval.core.type import Record, Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.other_records import is_id, literal_name, refuse_id
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.tables import columns_of
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.declared_types import type_of
from formula_eval.resolve.typecheck.fits import check_fits

_MOST = 8  # inputs that a message names
_NAMED = d.SituationDeclaration | d.InputDeclaration  # what a `with` names


def situation(context: Context, x: e.Situation) -> e.Situation | None:
    """The situation with the bindings that it stands for."""
    word = x.name.path[0]
    if len(x.name.path) == 1 and word in context.rows:
        return _row(context, x, context.rows[word])
    found = context.lookup(x.name.path)
    if found is not None and not found[1] and isinstance(found[0].declaration, d.SituationDeclaration):
        return _declared(context, x, found[0])
    if found is not None or not context.is_broken(x.name.path):
        name = ".".join(x.name.path)
        is_input = found is not None and isinstance(found[0].declaration, d.InputDeclaration)
        near = "" if is_input else context.scope.nearest_input(name, context.namespace, _NAMED)
        help_ = near or f"Write `{name} = value`, or declare it: `situation name: input = value`."
        context.scope.find("unknown-situation", f"`{name}` is neither a situation nor a row", x.span, help=help_)
    return None


def check_situation(context: Context, symbol: Symbol) -> None:
    """Find what is wrong with a situation, once, where it is declared."""
    declared = symbol.declaration
    assert isinstance(declared, d.SituationDeclaration)  # noqa: S101 - for the type checker
    seen: dict[str, e.Binding] = {}
    if symbol.name in context.scope.broken:  # a part of no folder
        return
    for binding in declared.bindings:
        if isinstance(binding, e.Situation):
            situation(context, binding)
            continue
        name = ".".join(binding.name.path)
        if name in seen:
            first = (seen[name].name.span, "here first")
            message = f"`{declared.name}` says twice what `{name}` is"
            context.scope.find("declared-twice", message, binding.name.span, first, help="Keep one of them.")
        seen[name] = binding
        _check_value(context, binding, declared)


def _inputs_of(scope: Scope, folder: str) -> str:
    """Which inputs a folder has, where it is named and has some."""
    names = [name for name in scope.inside(folder) if isinstance(scope.symbols[name].declaration, d.InputDeclaration)]
    shown = [f"`{name.removeprefix(f'{folder}.')}`" for name in names[:_MOST]]
    more = [f"{len(names) - _MOST} more"] if len(names) > _MOST else []
    return f"The inputs of `{folder}` are {enumerated([*shown, *more])}." if shown else ""


def _check_value(context: Context, binding: e.Binding, declared: d.SituationDeclaration) -> None:
    name = ".".join(binding.name.path)
    wanted = input_type(context.scope, binding.name.path, context.namespace)
    if wanted is None:
        if not context.is_broken(binding.name.path):
            folder = ".".join(declared.folder.path) if isinstance(declared, d.PartDeclaration) else ""
            help_ = context.scope.nearest_input(name, folder or context.namespace)
            help_ = help_ or _inputs_of(context.scope, folder)
            help_ = help_ or f"A {declared.kind} says what inputs are: `name = value`."
            context.scope.find("unknown-input", f"`{name}` is not an input", binding.name.span, help=help_)
        return
    if is_id(binding.value) and not isinstance(wanted, Record):
        refuse_id(context.scope, name, binding.value)
    elif not _is_record(context, binding, wanted):
        value = context.check(binding.value, wanted)
        check_fits(context.scope, value, wanted, f"`{name}`", _declaration(context, binding))


def _declaration(context: Context, binding: e.Binding) -> d.Declaration:
    found = context.lookup(binding.name.path)
    return found[0].declaration if found is not None else d.Declaration(name="", span=binding.span)


def input_type(scope: Scope, path: tuple[str, ...], namespace: str) -> Type | None:
    """The type of an input, or of a record by the name of who supplies it."""
    found = scope.lookup(path, namespace)
    if found is not None and not found[1] and isinstance(found[0].declaration, d.InputDeclaration):
        return type_of(found[0].declaration.type, scope.silent(), found[0].namespace)[0]
    return Record(path[0]) if found is None and path[0] in scope.kinds and len(path) == 1 else None


def _is_record(context: Context, binding: e.Binding, wanted: Type) -> bool:
    """Whether the value is the id of a record, which only an example can give."""
    value = binding.value
    return isinstance(wanted, Record) and isinstance(value, e.Name) and context.lookup(value.path) is None


def _declared(context: Context, x: e.Situation, symbol: Symbol) -> e.Situation | None:
    """What a situation says, in the names of its own folder; what is wrong with it is said there."""
    declared = symbol.declaration
    assert isinstance(declared, d.SituationDeclaration)  # noqa: S101 - for the type checker
    there = replace(context.silent(), namespace=symbol.namespace, own={}, rows={})
    bindings: list[e.Binding] = []
    for binding in declared.bindings:
        if isinstance(binding, e.Situation):
            inner = situation(there, binding)
            bindings += inner.bindings if inner is not None else ()
            continue
        wanted = input_type(there.scope, binding.name.path, symbol.namespace)
        if wanted is None:
            continue
        found = there.lookup(binding.name.path)
        if _is_record(there, binding, wanted) or is_id(binding.value):
            if found is not None:
                _refuse_record(context, x, symbol, binding)
                return None
            bindings.append(named_record(context, binding))
            continue
        value = there.check(binding.value, wanted)[0]
        name = e.Name((found[0].name,) if found is not None else binding.name.path, span=binding.name.span)
        bindings.append(e.Binding(name, value, span=binding.span))
    return replace(x, bindings=tuple(bindings), label=symbol.name)


def _refuse_record(context: Context, x: e.Situation, symbol: Symbol, binding: e.Binding) -> None:
    """An input of records takes one by its id from who asks, and from examples, alone."""
    name, record = ".".join(binding.name.path), expression_text(binding.value)
    message = f"`{symbol.name}` names the record `{record}` for the input `{name}`, which only an example can take"
    help_ = f"Say `{name} = ` an input of its kind: `input other_{name}: ... optional`."
    context.scope.find("no-record", message, x.span, (binding.span, "named here"), help=help_)


def named_record(context: Context, binding: e.Binding) -> e.Binding:
    """What `model = llama2-7b` says, as in a `with`."""
    supplier, record = ".".join(binding.name.path), expression_text(binding.value)
    context.scope.literals.setdefault((supplier, record), binding.value.span)
    return replace(binding, value=e.Reference(literal_name(supplier, record), record, span=binding.value.span))


def _row(context: Context, x: e.Situation, table: Symbol) -> e.Situation | None:
    """The columns of a row that bear the name of an input of the table's folder, or of one around it."""
    bindings = []
    for column, declared in columns_of(table).items():
        found = context.scope.lookup((column,), table.namespace)
        if found is None or not isinstance(found[0].declaration, d.InputDeclaration):
            continue
        symbol = found[0]
        assert isinstance(symbol.declaration, d.InputDeclaration)  # noqa: S101 - for the type checker
        wanted = type_of(symbol.declaration.type, context.scope.silent(), symbol.namespace)[0]
        own = type_of(declared.type, context.scope.silent(), table.namespace)[0]
        word = x.name.path[0]
        value = e.Reference(f".{word}.{column}", f"{word}.{column}", span=x.span)
        check_fits(context.scope, (value, own), wanted, f"`{symbol.name}`", symbol.declaration)
        bindings.append(e.Binding(e.Name((symbol.name,), span=x.span), value, span=x.span))
    if not bindings:
        message = f"No column of `{table.name}` is named like an input, so its rows replace none"
        help_ = f"Write which inputs: `with input = {x.name.path[0]}.column`."
        label = (table.declaration.span, "the table")
        context.scope.find("no-input", message, x.span, label, help=help_)
        return None
    return replace(x, bindings=tuple(bindings))
