"""`with` to copies: the part of the graph that depends on the replaced inputs, once for each distinct binding."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Quantity
from formula_eval.printing.text import expression_text
from formula_eval.resolve.order import reads
from formula_eval.resolve.scope import Scope

MOST_COPIES = 20_000
MOST_NAME = 1_000


@dataclass(frozen=True, slots=True)
class Bound:
    """What replaces an input, and how the name of a copy says so."""

    value: e.Expression
    label: str
    whole: bool = True


Binding = Mapping[str, Bound]


def expand_with(nodes: dict[str, Node], order: list[str], scope: Scope) -> dict[str, Node]:
    """All nodes with every `with` replaced by a reference to a copy, and the copies."""
    if not any(isinstance(x, e.With) for node in nodes.values() if node.expression for x in e.walk(node.expression)):
        return nodes
    return _Variants(nodes, _needed_inputs(nodes, order), scope).expand()


def _needed_inputs(nodes: Mapping[str, Node], order: list[str]) -> dict[str, frozenset[str]]:
    """For each node, all inputs that its value may depend on, itself included."""
    needed: dict[str, frozenset[str]] = {}
    for name in order:
        node = nodes[name]
        own = {name} if node.kind == "input" else set()
        needed[name] = frozenset(own.union(*(needed[each] for each in reads(node))))
    return needed


@dataclass(slots=True)
class _Variants:
    nodes: Mapping[str, Node]
    needed: Mapping[str, frozenset[str]]
    scope: Scope
    made: dict[str, Node] = field(default_factory=dict)
    pending: dict[str, tuple[str, Binding]] = field(default_factory=dict)

    def expand(self) -> dict[str, Node]:
        for name, node in self.nodes.items():
            self.made[name] = self._rewritten(node, {})
        while self.pending:
            name, (original, binding) = self.pending.popitem()
            node = self.nodes[original]
            if len(self.made) - len(self.nodes) > MOST_COPIES or len(name) > MOST_NAME:
                message = f"The copies of formulas that `with` asks for are more than {MOST_COPIES} or nest too deep"
                help_ = "Make formulas of the values that the `with`s give."
                self.scope.find("too-large", message, node.declaration.span, help=help_)
                break
            self.made[name] = self._copy(name, node, binding)
        return self.made

    def _rewritten(self, node: Node, binding: Binding) -> Node:
        expression = self._visit(node.expression, binding) if node.expression is not None else None
        guard = self._visit(node.guard, binding) if node.guard is not None else None
        return replace(node, expression=expression, guard=guard)

    def _copy(self, name: str, node: Node, binding: Binding) -> Node:
        copy = self._rewritten(node, binding)
        if isinstance(node.type, Quantity) and not all(bound.whole for bound in binding.values()):
            copy = replace(copy, type=Quantity(node.type.dimension))
        copy = replace(copy, name=name, original=node.name, binding=name.removeprefix(f"{node.name}@"))
        if node.kind != "input":
            return copy
        default = copy.expression
        given = e.Conditional(e.Reference(node.name), e.Given(node.name), default or e.Reference(node.name))
        return replace(copy, kind="formula", expression=given)

    def _visit(self, x: e.Expression, binding: Binding) -> e.Expression:
        match x:
            case e.Reference(node, written):
                return self._reference(node, written, binding)
            case e.Given(node):
                return self._given(x, binding[node].value) if node in binding else x
            case e.With(value, bindings):
                inner = dict(binding)
                for each in bindings:
                    inner.update(self._bound(each, binding))
                result = self._visit(value, inner)
                return replace(result, written=expression_text(x)) if isinstance(result, e.Reference) else result
        return e.rebuild(x, lambda part: self._visit(part, binding)) if binding or _holds_with(x) else x

    def _given(self, x: e.Given, value: e.Expression) -> e.Expression:
        """Whether the record that now supplies an input gives it; any other value is given by its author."""
        if isinstance(value, e.Reference) and value.node in self.made and self.made[value.node].record:
            return e.Given(value.node, span=x.span)
        return e.FlagValue(value=True, span=x.span)

    def _bound(self, each: e.Binding, outer: Binding) -> Iterator[tuple[str, Bound]]:
        (key,) = each.name.path
        value = self._visit(each.value, outer)
        if key in self.nodes:
            yield key, Bound(value, self._label(key, value), self._is_whole(value))
            return
        if isinstance(value, e.Reference):
            group = dict(self._record_inputs(key, value.node))
            yield from group.items()

    def _is_whole(self, value: e.Expression) -> bool:
        """Whether this is surely no fraction, so that what depends on it stays as whole as it was."""
        if isinstance(value, e.Number):
            return value.value.denominator == 1
        if isinstance(value, e.Reference):
            node = self.nodes.get(value.node) or self.made.get(value.node)
            return node is None or not isinstance(node.type, Quantity) or node.type.whole
        if isinstance(value, e.Binary):
            return value.operator in "+-*" and self._is_whole(value.left) and self._is_whole(value.right)
        return isinstance(value, e.ChoiceValue | e.FlagValue)

    def _label(self, key: str, value: e.Expression) -> str:
        if isinstance(value, e.ChoiceValue):
            owners = [choice for choice in self.scope.choices.values() if value.word in choice.values]
            return value.word if len(owners) == 1 else f"{key}={value.word}"
        return f"{key}={expression_text(_plain(value))}"

    def _record_inputs(self, supplier: str, record: str) -> Iterator[tuple[str, Bound]]:
        """The inputs of another record: `draft_model.heads` for `heads`."""
        supplied = [node for node in self.nodes.values() if node.kind == "input" and node.supplier == supplier]
        group = {node.name: Bound(e.Reference(f"{record}.{node.name}"), f"{supplier}={record}") for node in supplied}
        for node in supplied:
            name = f"{record}.{node.name}"
            if name not in self.made:
                self.made[name] = node
                copy = self._rewritten(node, group)
                self.made[name] = replace(copy, name=name, record=record, optional=True)
        yield from group.items()

    def _reference(self, node: str, written: str, binding: Binding) -> e.Expression:
        relevant = {key: bound for key, bound in binding.items() if key in self.needed[node]}
        if not relevant:
            return e.Reference(node, written)
        if node in relevant:
            value = relevant[node].value
            return replace(value, written=written) if isinstance(value, e.Reference) else value
        labels = dict.fromkeys(relevant[key].label for key in sorted(relevant))
        name = f"{node}@{','.join(labels)}"
        if name not in self.made:
            self.pending[name] = node, relevant
        return e.Reference(name, written)


def _holds_with(x: e.Expression) -> bool:
    return any(isinstance(part, e.With) for part in e.walk(x))


def _plain(x: e.Expression) -> e.Expression:
    """The expression without what its author wrote, so that equal values have equal labels."""
    if isinstance(x, e.Reference):
        return e.Reference(x.node)
    if isinstance(x, e.Call):
        return e.Call(x.function, tuple(_plain(each) for each in x.arguments))
    return e.rebuild(x, _plain)
