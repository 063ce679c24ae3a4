"""Expands each `solve` into nodes: one for every value that is tried, and one for the place where the next stands."""

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Protocol

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.notes import Notes
from formula_eval.core.type import Quantity
from formula_eval.printing.text import expression_text
from formula_eval.resolve.expand_sums import fill
from formula_eval.resolve.halvings import Halvings
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck import type_of

MOST_SOLVED = 10_000
_WHOLE = e.TypeText(("whole",))
Guard = e.Expression | None


class RefusedError(Exception):
    """A finding says already why a node is not expanded."""


class Caller(Protocol):
    """The node that a `solve` is part of, as far as it is expanded."""

    name: str  # qualified
    namespace: str  # the folder whose names its text uses
    scope: Scope  # where findings gather
    pieces: dict[str, str]  # the nodes of the names that it has for itself, by the place that reads them
    made: list[Node]  # those of its parts
    read: dict[str, list[Guard]]  # under which guards each piece is read

    @property
    def functions(self) -> Container[str]:
        """The names of all functions."""

    def visit(self, x: e.Expression, guard: Guard) -> e.Expression:
        """An expression with its calls expanded."""

    def part(self, name: str, declared: d.ParameterDeclaration, value: e.Expression, guard: Guard, space: str) -> Node:
        """A node for a part of the caller's text."""

    def instance_name(self, short: str) -> str:
        """A name that no other part has."""


def expanded_solve(caller: Caller, x: e.Solve, guard: Guard) -> e.Expression:
    """The value that is sought, and `otherwise` where the condition does not hold there; its nodes are made before."""
    type_, _ = type_of(x.type, caller.scope.silent(), caller.namespace)
    is_whole = isinstance(type_, Quantity) and type_.whole
    assert x.otherwise is not None  # noqa: S101 - else the type check has refused it
    name = caller.instance_name(x.unknown)
    low = _end(caller, x, x.low, "ceil" if is_whole else "", guard)
    high = _end(caller, x, x.high, "floor" if is_whole else "", guard)
    halvings = Halvings(replace(x, low=low, high=high, otherwise=caller.visit(x.otherwise, guard)), is_whole)
    condition, at = _shared(caller, x.condition, guard), halvings.first
    before = len(caller.made)
    for halving in range(x.halvings):
        tried = caller.instance_name(f"{x.unknown}_tried"), _unknown(x, x.type, "Value that is tried", is_trial=True)
        value = _made(caller, *tried, halvings.value(at), guard)
        following = halvings.following(at, _with(caller, x, condition, value, guard), halving)
        place = caller.instance_name(f"{x.unknown}_place"), _unknown(x, _WHOLE, "Place in the range of the next value")
        at = _made(caller, *place, following, guard)
        _check_copies(caller, x, (len(caller.made) - before) // (halving + 1) * x.halvings)
    which = f"{'Largest' if x.largest else 'Smallest'} from {expression_text(x.low)} to {expression_text(x.high)}"
    declared = _unknown(x, x.type, f"{which} that fulfils the condition")
    found = _made(caller, name, declared, halvings.found(at), guard)
    return halvings.answer(found, _with(caller, x, condition, found, guard))


def _with(caller: Caller, x: e.Solve, condition: e.Expression, value: e.Expression, guard: Guard) -> e.Expression:
    """Whether the condition holds at a value; pieces that its branches read are computed wherever one searches."""
    before = {piece: len(guards) for piece, guards in caller.read.items()}
    holds = caller.visit(fill(condition, {f".{x.unknown}": value}), guard)
    for piece, guards in caller.read.items():
        guards[before[piece] :] = [guard] * (len(guards) > before[piece])
    return holds


def _end(caller: Caller, x: e.Solve, end: e.Expression, rounding: str, guard: Guard) -> e.Expression:
    """An end of the range, computed once; of whole numbers, without the fraction that a count may have."""
    value = caller.visit(end, guard)
    if not e.references(value) or (isinstance(value, e.Reference) and not rounding):
        return value
    declared = d.ParameterDeclaration(name=x.unknown, type=x.type, span=end.span)
    rounded = e.Call(rounding, (value,)) if rounding else value
    name = caller.instance_name(f"{x.unknown}_end")
    return replace(_made(caller, name, declared, rounded, guard), written=expression_text(end))


def _unknown(x: e.Solve, type_: e.TypeText | None, sentence: str, *, is_trial: bool = False) -> d.UnknownDeclaration:
    notes = Notes(sentence)
    return d.UnknownDeclaration(name=x.unknown, type=type_, notes=notes, span=x.span, is_trial=is_trial)


def _made(
    caller: Caller, name: str, declared: d.ParameterDeclaration, value: e.Expression, guard: Guard
) -> e.Reference:
    """A node of its own."""
    node = caller.part(name, declared, value, guard, caller.namespace)
    caller.made.append(changed_node(node, owner=caller.name))
    return e.Reference(name, declared.name)


def _shared(caller: Caller, x: e.Expression, guard: Guard) -> e.Expression:
    """A condition in which calls that do not depend on the unknown are made once; those in branches stay."""
    always: Mapping[type[e.Expression], tuple[str, ...]] = {
        e.Conditional: ("condition",),
        e.Match: ("subject",),
        e.Logical: ("left",),
        e.Solve: ("low", "high", "condition"),
        e.With: (),
    }
    if isinstance(x, e.Call) and x.function in caller.functions and _is_known(caller, x):
        return caller.visit(x, guard)
    if type(x) in always:
        parts = {name: _shared(caller, getattr(x, name), guard) for name in always[type(x)]}
        return replace(x, **parts)  # type: ignore[arg-type]  # fields of their classes
    return e.rebuild(x, lambda part: _shared(caller, part, guard))


def _is_known(caller: Caller, x: e.Expression) -> bool:
    """Whether an expression reads no unknown."""
    return all(name[0] != "." or name in caller.pieces for name in e.references(x))


def _check_copies(caller: Caller, x: e.Solve, copies: int) -> None:
    """Refuse a `solve` whose condition would be copied more often than anyone could use."""
    if copies > MOST_SOLVED:
        message = f"This `solve` tries {x.halvings} values, which takes {copies:,} formulas"
        fewer = "narrow the range" if x.at_most or x.within is not None else "say `within 0.001`, or narrow the range"
        help_ = f"It can take {MOST_SOLVED:,}: {fewer}, or let the condition call less that depends on `{x.unknown}`."
        caller.scope.find("too-large", message, x.span, help=help_)
        raise RefusedError
