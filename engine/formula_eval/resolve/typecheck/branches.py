"""Type-checks branches: all of one type; a `match` has one arm for every value of its subject."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.date import DATE
from formula_eval.core.type import AnyQuantity, Choice, Flag, Quantity, Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.typecheck import comprehensions, units
from formula_eval.resolve.typecheck.context import Context

Seen = dict[object, e.Expression]


def conditional(context: Context, x: e.Conditional, expected: Type | None) -> units.Typed:
    """`then if condition else otherwise`."""
    condition = context.check(x.condition)
    units.is_flag(context.scope, condition)
    then, otherwise = context.check(x.then, expected), context.check(x.otherwise, expected)
    built = replace(x, then=then[0], condition=condition[0], otherwise=otherwise[0])
    return built, _one_type(context, (then, otherwise))


def recurrence(context: Context, x: e.Recurrence, expected: Type | None) -> units.Typed:
    """`value else first` where a row before may lack, or one of another table; `first(...) else other` anywhere."""
    if isinstance(x.value, e.Comprehension) and x.value.function in comprehensions.FOUND:
        return _found_row(context, x, x.value, expected)
    read = {node.path[0] for node in e.walk(x.value) if isinstance(node, e.Name)}
    if read.isdisjoint({d.PREVIOUS, context.taken}):
        help_ = (
            "A condition is written `a if condition else b`; the row before is read by `previous.column else first`."
        )
        context.scope.find("no-condition", "This `else` has no `if`", x.value.span, help=help_)
        return units.nothing(x)
    value, first = context.behind().check(x.value, expected), context.check(x.first, expected)
    return replace(x, value=value[0], first=first[0]), _one_type(context, (value, first))


def _found_row(context: Context, x: e.Recurrence, row: e.Comprehension, expected: Type | None) -> units.Typed:
    """`first(value for row in table if condition) else other`: the other value where no row fulfils the condition."""
    if row.condition is None:
        help_ = (
            f"Say which row is sought: `{row.function}(... for {row.row} in {'.'.join(row.table.path)} if condition)`."
        )
        context.scope.find("no-condition", f"This `{row.function}` has no `if`", row.span, help=help_)
        return units.nothing(x)
    found, other = comprehensions.over_rows(context, row), context.check(x.first, expected)
    if not isinstance(found[0], e.Comprehension):
        return units.nothing(x)
    counted = replace(found[0], function="sum", value=e.Number("1", value=Fraction(1)))
    some = e.Compare(">", counted, e.Number("0"), span=row.span)
    return e.Conditional(found[0], some, other[0], span=x.span), _one_type(context, (found, other))


def match_(context: Context, x: e.Match, expected: Type | None) -> units.Typed:
    """The checked `match` and the common type of its arms."""
    subject, subject_type = context.check(x.subject)
    arms, values = [], []
    seen: Seen = {}
    for arm in x.arms:
        patterns = tuple(_pattern(context, pattern, subject_type, seen) for pattern in arm.patterns)
        value = context.check(arm.value, expected)
        values.append(value)
        arms.append(e.Arm(patterns, value[0], span=arm.span))
    _check_all_named(context, x, subject, subject_type, seen)
    return e.Match(subject, tuple(arms), span=x.span), _one_type(context, values)


def _one_type(context: Context, parts: Sequence[units.Typed]) -> Type:
    """The common type of the branches; a difference is a finding."""
    if all(isinstance(type_, Quantity | AnyQuantity) for _, type_ in parts):
        return units.same_unit(context.scope, "choose between", parts)
    expression, first = parts[0]
    for other, type_ in parts:
        if isinstance(type_, units.Unknown):
            return type_
        if type_ != first:
            one, two = units.described(context.scope, first), units.described(context.scope, type_)
            message = f"Cannot choose between {one} and {two}"
            labels = (expression.span, one), (other.span, two)
            context.scope.find("unit-mismatch", message, *labels, help="All branches give the same kind of value.")
            return units.Unknown()
    return first


def _pattern(context: Context, pattern: e.Expression, subject: Type, seen: Seen) -> e.Expression:
    if isinstance(subject, units.Unknown):
        return pattern
    built = context.check(pattern, subject)[0] if isinstance(subject, Choice) else pattern
    key = _key(context, built, subject)
    if key is None and not isinstance(subject, Choice):
        message = f"`{expression_text(pattern)}` is not a value of {units.described(context.scope, subject)}"
        help_ = (
            "Its arms are `true` and `false`." if isinstance(subject, Flag) else "Its arms are numbers of that unit."
        )
        context.scope.find("bad-pattern", message, pattern.span, help=help_)
    elif key is not None and key in seen:
        message = f"`{expression_text(pattern)}` has an arm already"
        context.scope.find("duplicate-value", message, pattern.span, (seen[key].span, "here"), help="Keep one of them.")
    elif key is not None:
        seen[key] = pattern
    return built


def _key(context: Context, pattern: e.Expression, subject: Type) -> object:
    """What an arm stands for, or None if it is not a value of the subject."""
    match pattern, subject:
        case e.ChoiceValue(word), Choice():
            return word
        case e.FlagValue(value), Flag():
            return value
        case e.Number(unit=unit, value=value), Quantity(dimension):
            fits = not unit or (unit != DATE and context.scope.units.parse(unit).dimension == dimension)
            return value if fits else None
    return None


def _check_all_named(context: Context, x: e.Match, subject: e.Expression, type_: Type, seen: Seen) -> None:
    if isinstance(type_, units.Unknown):
        return
    text = expression_text(x.subject)
    names = _missing(context, subject, type_, seen)
    if names is None:
        help_ = "Match on a choice, a flag, or an input declared `in a | b`; or write `a if condition else b`."
        message = f"`{text}` could be any number, so no `match` names all its values"
        context.scope.find("bad-match", message, x.subject.span, help=help_)
    elif names:
        listed = ", ".join(f"`{name}`" for name in names)
        help_ = f"Add `{' | '.join(names)} -> ...`."
        context.scope.find("incomplete-match", f"This `match` misses {listed} of `{text}`", x.subject.span, help=help_)


def _missing(context: Context, subject: e.Expression, type_: Type, seen: Seen) -> list[str] | None:
    if isinstance(type_, Choice):
        return [word for word in type_.values if word not in seen]
    if isinstance(type_, Flag):
        return [word for word in ("true", "false") if (word == "true") not in seen]
    allowed = _allowed(context, subject)
    return None if allowed is None else [expression_text(number) for number in allowed if number.value not in seen]


def _allowed(context: Context, subject: e.Expression) -> tuple[e.Number, ...] | None:
    if isinstance(subject, e.Reference) and subject.node in context.scope.symbols:
        declared = context.scope.symbols[subject.node].declaration
        if isinstance(declared, d.InputDeclaration) and declared.allowed:
            return declared.allowed
    return None
