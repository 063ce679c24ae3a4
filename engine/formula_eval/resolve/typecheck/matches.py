"""A `match` as written to a checked one: every value of its subject has one arm."""

from typing import TYPE_CHECKING

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.type import Choice, Flag, Quantity, Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.typecheck.units import Typed, Unknown, described

if TYPE_CHECKING:
    from formula_eval.resolve.typecheck.checker import Elaborator

Seen = dict[object, e.Expression]


def matched(place: "Elaborator", x: e.Match, expected: Type | None) -> Typed:
    """The checked `match` and the common type of its arms."""
    subject, subject_type = place.expression(x.subject)
    arms, values = [], []
    seen: Seen = {}
    for arm in x.arms:
        patterns = tuple(_pattern(place, pattern, subject_type, seen) for pattern in arm.patterns)
        value = place.expression(arm.value, expected)
        values.append(value)
        arms.append(e.Arm(patterns, value[0], span=arm.span))
    _check_all_named(place, x, subject, subject_type, seen)
    return e.Match(subject, tuple(arms), span=x.span), place.one_type("choose between", tuple(values))


def _pattern(place: "Elaborator", pattern: e.Expression, subject: Type, seen: Seen) -> e.Expression:
    if isinstance(subject, Unknown):
        return pattern
    built = place.expression(pattern, subject)[0] if isinstance(subject, Choice) else pattern
    key = _key(place, built, subject)
    if key is None and not isinstance(subject, Choice):
        message = f"`{expression_text(pattern)}` is no value of {described(subject)}"
        help_ = (
            "Its arms are `true` and `false`." if isinstance(subject, Flag) else "Its arms are numbers of that unit."
        )
        place.scope.find("bad-pattern", message, pattern.span, help=help_)
    elif key is not None and key in seen:
        message = f"`{expression_text(pattern)}` has an arm already"
        place.scope.find("duplicate-value", message, pattern.span, (seen[key].span, "here"), help="Keep one of them.")
    elif key is not None:
        seen[key] = pattern
    return built


def _key(place: "Elaborator", pattern: e.Expression, subject: Type) -> object:
    """What an arm stands for, or None if it is no value of the subject."""
    match pattern, subject:
        case e.ChoiceValue(word), Choice():
            return word
        case e.FlagValue(value), Flag():
            return value
        case e.Number(unit=unit, value=value), Quantity(dimension):
            fits = not unit or place.scope.units.parse(unit).dimension == dimension
            return value if fits else None
    return None


def _check_all_named(place: "Elaborator", x: e.Match, subject: e.Expression, type_: Type, seen: Seen) -> None:
    if isinstance(type_, Unknown):
        return
    text = expression_text(x.subject)
    names = _missing(place, subject, type_, seen)
    if names is None:
        help_ = "Match on a choice, a flag, or an input declared `in a | b`; or write `a if condition else b`."
        message = f"`{text}` could be any number, so no `match` names all its values"
        place.scope.find("bad-match", message, x.subject.span, help=help_)
    elif names:
        listed = ", ".join(f"`{name}`" for name in names)
        help_ = f"Add `{' | '.join(names)} -> ...`."
        place.scope.find("incomplete-match", f"This `match` misses {listed} of `{text}`", x.subject.span, help=help_)


def _missing(place: "Elaborator", subject: e.Expression, type_: Type, seen: Seen) -> list[str] | None:
    if isinstance(type_, Choice):
        return [word for word in type_.values if word not in seen]
    if isinstance(type_, Flag):
        return [word for word in ("true", "false") if (word == "true") not in seen]
    allowed = _allowed(place, subject)
    return None if allowed is None else [expression_text(number) for number in allowed if number.value not in seen]


def _allowed(place: "Elaborator", subject: e.Expression) -> tuple[e.Number, ...] | None:
    if isinstance(subject, e.Reference) and subject.node in place.scope.symbols:
        declared = place.scope.symbols[subject.node].declaration
        if isinstance(declared, d.InputDeclaration) and declared.allowed:
            return declared.allowed
    return None
