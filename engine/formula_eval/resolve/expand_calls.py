"""Calls of `def`s to nodes of their own: each call is an instance with a place beneath its caller."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node
from formula_eval.core.rewriting import rebuild
from formula_eval.resolve.expand_sums import fill
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck.annotations import type_of

_MOST_DEPTH = 50
_MOST_GUARDS = 100
_SIMPLE = (e.Reference, e.Number, e.FlagValue, e.ChoiceValue, e.Infinity)


class TooLargeError(Exception):
    """The instances of a node's calls are more, or deeper within each other, than anyone could use."""


@dataclass(slots=True)
class Budget:
    """How many more instances may be made."""

    left: int

    def spend(self) -> None:
        """Count one instance; raises TooLargeError."""
        self.left -= 1
        if self.left < 0:
            raise TooLargeError


def expand_calls(node: Node, functions: Mapping[str, Function], scope: Scope, budget: Budget) -> Iterator[Node]:
    """The instances that a node calls, then the node with references to them; raises TooLargeError."""
    yield from _expanded(node, _Place(node.name, node.namespace, functions, scope, budget, 0, set()))


def _expanded(node: Node, place: "_Place") -> Iterator[Node]:
    if node.expression is None:
        yield node
        return
    if place.depth > _MOST_DEPTH or _guard_depth(node.guard) > _MOST_GUARDS:
        raise TooLargeError
    expression = place.visit(node.expression, node.guard)
    yield from place.made
    yield replace(node, expression=expression)


def _guard_depth(guard: e.Expression | None) -> int:
    depth = 0
    while isinstance(guard, e.Logical):
        guard, depth = guard.left, depth + 1
    return depth


@dataclass(slots=True)
class _Place:
    """One caller, and the instances made for it so far."""

    caller: str
    namespace: str
    functions: Mapping[str, Function]
    scope: Scope
    budget: Budget
    depth: int
    used: set[str]
    made: list[Node] = field(default_factory=list)

    def visit(self, x: e.Expression, guard: e.Expression | None) -> e.Expression:
        match x:
            case e.Call(function=name) if name in self.functions:
                return self._instance(x, self.functions[name], guard)
            case e.Conditional():
                condition = self.visit(x.condition, guard)
                then = self.visit(x.then, _both(guard, condition))
                otherwise = self.visit(x.otherwise, _both(guard, e.Not(condition)))
                return replace(x, then=then, condition=condition, otherwise=otherwise)
            case e.Match():
                subject = self.visit(x.subject, guard)
                arms = tuple(
                    replace(arm, value=self.visit(arm.value, _both(guard, _is_one(subject, arm.patterns))))
                    for arm in x.arms
                )
                return replace(x, subject=subject, arms=arms)
            case e.Logical(operator=operator):
                left = self.visit(x.left, guard)
                decided = left if operator == "and" else e.Not(left)
                return replace(x, left=left, right=self.visit(x.right, _both(guard, decided)))
            case e.With():
                bindings = tuple(replace(each, value=self.visit(each.value, guard)) for each in x.bindings)
                return replace(x, value=self.visit(x.value, None), bindings=bindings)
        return rebuild(x, lambda part: self.visit(part, guard))

    def _instance(self, x: e.Call, function: Function, guard: e.Expression | None) -> e.Expression:
        name = self._name(function.declaration.name)
        places: dict[str, e.Expression] = {}
        for parameter, argument in zip(function.declaration.parameters, x.arguments, strict=True):
            value = self.visit(argument, guard)
            places[f".{parameter.name}"] = self._argument(name, parameter, value, function, guard)
        body = fill(function.body, places)
        declared = function.declaration
        node = Node(name, "call", function.type, function.unit, body, declared, declared.expression, guard)
        node = replace(node, namespace=function.namespace, owner=self.caller, function=function.name)
        self.budget.spend()
        own = {parameter.name for parameter in declared.parameters}
        self.made += _expanded(
            node, replace(self, caller=name, namespace=function.namespace, depth=self.depth + 1, used=own, made=[])
        )
        return e.Reference(name, x.written, span=x.span)

    def _name(self, short: str) -> str:
        name, count = short, 1
        while name in self.used:
            count += 1
            name = f"{short}_{count}"
        self.used.add(name)
        return f"{self.caller}.{name}"

    def _argument(
        self,
        instance: str,
        parameter: d.ParameterDeclaration,
        value: e.Expression,
        function: Function,
        guard: e.Expression | None,
    ) -> e.Expression:
        if isinstance(value, e.Reference):
            return replace(value, written=parameter.name)
        if isinstance(value, _SIMPLE):
            return value
        type_, unit = type_of(parameter.type, self.scope.silent(), function.namespace)
        name = f"{instance}.{parameter.name}"
        node = Node(name, "argument", type_, unit, value, parameter, value, guard, self.namespace)
        self.made.append(replace(node, owner=instance))
        return e.Reference(name, parameter.name)


def _both(guard: e.Expression | None, condition: e.Expression) -> e.Expression:
    return condition if guard is None else e.Logical("and", guard, condition)


def _is_one(subject: e.Expression, patterns: tuple[e.Expression, ...]) -> e.Expression:
    first, *rest = (e.Compare("==", subject, pattern) for pattern in patterns)
    result: e.Expression = first
    for each in rest:
        result = e.Logical("or", result, each)
    return result


def calls_of(x: e.Expression | None, functions: Mapping[str, Function]) -> tuple[str, ...]:
    """The `def`s that an expression calls, each once, in the author's order."""
    if x is None:
        return ()
    called = (each.function for each in e.walk(x) if isinstance(each, e.Call) and each.function in functions)
    return tuple(dict.fromkeys(called))


def check_recursion(functions: Mapping[str, Function], scope: Scope) -> None:
    """Find `def`s that call themselves, directly or through others."""
    calls = {name: calls_of(function.body, functions) for name, function in functions.items()}
    reported: set[str] = set()
    for name, function in functions.items():
        chain = [] if name in reported else _chain(name, calls)
        if chain:
            path = " -> ".join(f"`{each}`" for each in chain)
            message = f"A function cannot call itself: {path}"
            help_ = "Write the closed form, or a table with a row for each step."
            scope.find("recursion", message, function.declaration.span, help=help_)
            reported.update(chain)


def _chain(start: str, calls: Mapping[str, tuple[str, ...]]) -> list[str]:
    stack, seen = [[start]], set()
    while stack:
        chain = stack.pop()
        for called in calls[chain[-1]]:
            if called == start:
                return [*chain, called]
            if called not in seen:
                seen.add(called)
                stack.append([*chain, called])
    return []
