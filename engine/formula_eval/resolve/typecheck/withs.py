"""Type-checks `(value with input = other)`: only inputs and records are replaced, by values that fit them."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.type import Record, Type
from formula_eval.resolve.other_records import is_id, refuse_id
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.declared_types import type_of
from formula_eval.resolve.typecheck.fits import check_fits
from formula_eval.resolve.typecheck.situations import named_record, situation


def with_inputs(context: Context, x: e.With, expected: Type | None) -> units.Typed:
    """`(value with input = other)`."""
    value = context.check(x.value, expected)
    bindings: dict[str, e.Binding] = {}
    parts: list[e.Binding | e.Situation] = []
    for binding in x.bindings:
        if isinstance(binding, e.Situation):
            known = situation(context, binding)
            parts += [known] if known is not None else []
            continue
        bound = _binding(context, binding)
        if bound is None:
            continue
        name = bound.name.path[0]
        if name in bindings:
            first = (bindings[name].name.span, "here first")
            message = f"`{name}` is replaced twice"
            context.scope.find("declared-twice", message, binding.name.span, first, help="Keep one of them.")
        bindings[name] = bound
        parts.append(bound)
    return replace(x, value=value[0], bindings=tuple(parts)), value[1]


def _binding(context: Context, binding: e.Binding) -> e.Binding | None:
    name = ".".join(binding.name.path)
    found = context.lookup(binding.name.path)
    if found is None and name in context.scope.kinds:
        return _record_binding(context, binding, name)
    if found is None or found[1] or not isinstance(found[0].declaration, d.InputDeclaration):
        if found is not None or not context.is_broken(binding.name.path):
            help_ = "" if found else context.scope.nearest_input(name, context.namespace)
            message = f"`{name}` is not an input, and `with` replaces only inputs"
            help_ = help_ or "Replace the inputs that it comes from."
            context.scope.find("unknown-input", message, binding.name.span, help=help_)
        return None
    declared = found[0].declaration
    if is_id(binding.value):
        refuse_id(context.scope, name, binding.value)
        return None
    wanted, _ = type_of(declared.type, context.scope.silent(), found[0].namespace)
    value = context.check(binding.value, wanted)
    check_fits(context.scope, value, wanted, f"`{name}`", declared)
    return replace(binding, name=e.Name((found[0].name,), span=binding.name.span), value=value[0])


def _record_binding(context: Context, binding: e.Binding, supplier: str) -> e.Binding | None:
    written = binding.value
    if isinstance(written, e.Name) and context.lookup(written.path) is None and not context.is_broken(written.path):
        return named_record(context, binding)
    value, type_ = context.check(binding.value)
    if type_ == Record(supplier) and isinstance(value, e.Reference):
        return replace(binding, value=value)
    if not isinstance(type_, units.Unknown):
        message = f"`{supplier}` is replaced by another {supplier} record, and this is none"
        help_ = f"Declare `input other_{supplier}: {supplier} optional` and write `with {supplier} = other_{supplier}`."
        context.scope.find("no-record", message, binding.value.span, help=help_)
    return None
