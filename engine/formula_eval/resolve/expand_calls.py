"""Expands calls of `def`s, pieces of a `where` and each `solve` into nodes, named beneath what they are part of."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.resolve.expand_solves import RefusedError, expanded_solve
from formula_eval.resolve.expand_sums import fill
from formula_eval.resolve.guards import both, either, is_one, without_piece
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck import type_of

MOST_NODES = 200_000
_MOST_DEPTH = 50
_MOST_GUARDS = 100
_SIMPLE = (e.Reference, e.Number, e.FlagValue, e.ChoiceValue, e.Infinity)


class _TooLargeError(Exception):
    """The instances of a node's calls are more, or deeper within each other, than anyone could use."""


@dataclass(slots=True)
class _Budget:
    """Counts how many more instances may be made."""

    left: int

    def spend(self) -> None:
        """Count one instance; raises _TooLargeError."""
        self.left -= 1
        if self.left < 0:
            raise _TooLargeError


def expand_calls(
    typed: Iterable[Node], functions: Mapping[str, Function], scope: Scope, expanded: Mapping[str, Node]
) -> dict[str, Node]:
    """All nodes, those that are `expanded` already among them, each behind its calls; nothing if they are too many."""
    nodes = dict(expanded)
    for node in typed:
        budget = _Budget(MOST_NODES - len(nodes))
        try:
            made = list(_expanded(node, _Caller(node.name, node.namespace, functions, scope, budget, 0, set())))
        except _TooLargeError:
            message = f"The calls in `{node.name}` are too many, or too deep within each other"
            help_ = "Let the functions call fewer others, or make formulas of what they share."
            scope.find("too-large", message, node.declaration.span, help=help_)
            return {}
        except RefusedError:
            return {}
        for each in made:
            if each.name in nodes:
                message = f"`{each.name}` names two things"
                other = (nodes[each.name].declaration.span, "the other one")
                scope.find("declared-twice", message, each.declaration.span, other, help="Rename one of them.")
            nodes[each.name] = each
    return nodes


def _expanded(node: Node, caller: "_Caller") -> Iterator[Node]:
    if node.expression is None:
        yield node
        return
    if caller.depth > _MOST_DEPTH or _guard_depth(node.guard) > _MOST_GUARDS:
        raise _TooLargeError
    expression = caller.visit(node.expression, node.guard)
    yield from caller.made
    yield changed_node(node, expression=expression)


def _guard_depth(guard: e.Expression | None) -> int:
    depth = 0
    while isinstance(guard, e.Logical):
        guard, depth = guard.left, depth + 1
    return depth


@dataclass(slots=True)
class _Caller:
    """One caller, and the instances made for it so far.

    `pieces` are the nodes of its `where`, by the place that reads them; `read` says under which guards each is read.
    """

    name: str
    namespace: str
    functions: Mapping[str, Function]
    scope: Scope
    budget: _Budget
    depth: int
    used: set[str]
    made: list[Node] = field(default_factory=list)
    pieces: dict[str, str] = field(default_factory=dict)
    read: dict[str, list[e.Expression | None]] = field(default_factory=dict)

    def visit(self, x: e.Expression, guard: e.Expression | None) -> e.Expression:  # noqa: PLR0911 - a case for each node
        match x:
            case e.Call(function=name) if name in self.functions:
                return self._instance(x, self.functions[name], guard)
            case e.Where():
                return self._where(x, guard)
            case e.Solve():
                return expanded_solve(self, x, guard)
            case e.Reference(node=name) if name in self.pieces:
                self.read[name].append(guard)
                return replace(x, node=self.pieces[name])
            case e.Conditional():
                condition = self.visit(x.condition, guard)
                then = self.visit(x.then, both(guard, condition))
                otherwise = self.visit(x.otherwise, both(guard, e.Not(condition)))
                return replace(x, then=then, condition=condition, otherwise=otherwise)
            case e.Match():
                subject = self.visit(x.subject, guard)
                arms = tuple(
                    replace(arm, value=self.visit(arm.value, both(guard, is_one(subject, arm.patterns))))
                    for arm in x.arms
                )
                return replace(x, subject=subject, arms=arms)
            case e.Logical(operator=operator):
                left = self.visit(x.left, guard)
                decided = left if operator == "and" else e.Not(left)
                return replace(x, left=left, right=self.visit(x.right, both(guard, decided)))
            case e.With():
                inner = e.rebuild(x, lambda part: part if part is x.value else self.visit(part, guard))
                return replace(inner, value=self.visit(x.value, None))  # type: ignore[call-arg]
        return e.rebuild(x, lambda part: self.visit(part, guard))

    def _instance(self, x: e.Call, function: Function, guard: e.Expression | None) -> e.Expression:
        name = self.instance_name(function.declaration.name)
        places: dict[str, e.Expression] = {}
        for parameter, argument in zip(function.declaration.parameters, x.arguments, strict=True):
            value = self.visit(argument, guard)
            places[f".{parameter.name}"] = self._argument(name, parameter, value, function, guard)
        body = fill(function.body, places)
        declared = function.declaration
        node = Node(name, "call", function.type, function.unit, body, declared, declared.expression, guard)
        node = changed_node(node, namespace=function.namespace, owner=self.name, function=function.name)
        self.budget.spend()
        own = {parameter.name for parameter in declared.parameters}
        space, depth = function.namespace, self.depth + 1
        inner = _Caller(name, space, self.functions, self.scope, self.budget, depth, own)
        self.made += _expanded(node, inner)
        return e.Reference(name, x.written, span=x.span)

    def _where(self, x: e.Where, guard: e.Expression | None) -> e.Expression:
        """What a `where` computes, its pieces as nodes; each is computed only where something reads it."""
        for piece in x.pieces:
            self.pieces[f".{piece.name}"] = self.instance_name(piece.name)
            self.read[f".{piece.name}"] = []
        value = self.visit(x.value, guard)
        for piece in _readers_first(x.pieces):
            place = f".{piece.name}"
            name, read = self.pieces[place], self._guard(piece)
            declared = d.ParameterDeclaration(name=piece.name, type=piece.type, span=piece.span)
            node = self.part(name, declared, self.visit(piece.value, read), read, self.namespace)
            self.made.append(changed_node(node, owner=self.name))
        return value

    def _guard(self, piece: e.NamedPiece) -> e.Expression | None:
        """The condition under which something reads a piece."""
        guards, name = self.read[f".{piece.name}"], self.pieces[f".{piece.name}"]
        if None in guards:
            return None
        type_, _ = type_of(piece.type, self.scope.silent(), self.namespace)
        return either([without_piece(guard, name, type_, self.made) for guard in guards])

    def instance_name(self, short: str) -> str:
        """A name that no other part has."""
        name, count = short, 1
        while name in self.used:
            count += 1
            name = f"{short}_{count}"
        self.used.add(name)
        return f"{self.name}.{name}"

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
        name = f"{instance}.{parameter.name}"
        node = self.part(name, parameter, value, guard, function.namespace)
        self.made.append(changed_node(node, owner=instance))
        return e.Reference(name, parameter.name)

    def part(
        self, name: str, declared: d.ParameterDeclaration, value: e.Expression, guard: e.Expression | None, space: str
    ) -> Node:
        """The node of an argument or a piece, whose type is looked up in the folder that declares it."""
        type_, unit = type_of(declared.type, self.scope.silent(), space)
        return Node(name, "argument", type_, unit, value, declared, value, guard, self.namespace)


def _readers_first(pieces: tuple[e.NamedPiece, ...]) -> Iterator[e.NamedPiece]:
    """The pieces, each behind those that read it; those that read each other come in some order."""
    reads = {piece.name: {name[1:] for name in e.references(piece.value)} for piece in pieces}
    left = {piece.name: piece for piece in pieces}
    while left:
        unread = (name for name in left if not any(name in reads[other] for other in left))
        yield left.pop(next(unread, next(iter(left))))
