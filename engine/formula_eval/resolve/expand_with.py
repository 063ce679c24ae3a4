"""Expands each `with`: copies the nodes that depend on the replaced inputs, once for each distinct binding."""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.needed_inputs import NeededInputs
from formula_eval.core.notes import Notes
from formula_eval.core.record_kind import brought_by
from formula_eval.core.table import FILLED
from formula_eval.core.type import Quantity, Record, Type
from formula_eval.core.unit import NO_UNIT
from formula_eval.printing.text import expression_text
from formula_eval.resolve.bindings import Bound, CopyNames, InputBinding, plain
from formula_eval.resolve.cells import nothing
from formula_eval.resolve.other_records import given_with_fallback, with_fallback
from formula_eval.resolve.scope import Scope

MOST_COPIES = 120_000
MOST_NAME = 1_000


class WrittenNodes(NamedTuple):
    """All nodes, which of them are inputs, and which inputs each of them needs."""

    nodes: Mapping[str, Node]
    inputs: Sequence[str]
    needed: NeededInputs


class Changed(NamedTuple):
    """Nodes to make anew, each with those copies of it that are needed, and other records that repeat such inputs."""

    copies: Mapping[str, Sequence[str]]
    records: Sequence[str]


def expand_with(written: WrittenNodes, scope: Scope, kept: dict[str, Node], names: CopyNames) -> dict[str, Node]:
    """All nodes with every `with` replaced by a reference to a copy, and the copies; `kept` are those that stay."""
    every = (node.expression for node in written.nodes.values() if node.expression)
    if not any(isinstance(x, e.With) for expression in every for x in e.walk(expression)):
        return dict(written.nodes)
    _Variants(*written, scope, kept, names).expand()
    return kept


def expand_again(
    written: WrittenNodes,
    scope: Scope,
    kept: Mapping[str, Node],
    names: CopyNames,
    changed: Changed,
) -> dict[str, Node]:
    """What changed as `expand_with` makes it, with all copies that are not among `kept`."""
    made: dict[str, Node] = {}
    _Variants(*written, scope, ChainMap(made, kept), names).expand_again(*changed)  # type: ignore[arg-type]
    return made


@dataclass(slots=True)
class _Variants:
    nodes: Mapping[str, Node]
    inputs: Sequence[str]
    needed: NeededInputs
    scope: Scope
    made: MutableMapping[str, Node]
    names: CopyNames
    pending: dict[str, tuple[str, InputBinding]] = field(default_factory=dict)
    bindings: dict[frozenset[tuple[str, Bound]], InputBinding] = field(default_factory=dict)
    flags: dict[InputBinding, tuple[str, ...]] = field(default_factory=dict)

    def expand(self) -> None:
        self._repeat_inputs(dict.fromkeys(each.record for each in self.made.values()))
        for name, node in self.nodes.items():
            if name not in self.made:
                self.made[name] = self._rewritten(node, self._binding({}))
        self._expand_pending()

    def _repeat_inputs(self, records: Iterable[str]) -> None:
        """Make the inputs of other records that are not made yet."""
        for record in records:
            if record in self.nodes and isinstance(kind := self.nodes[record].type, Record):
                dict(self._record_inputs(kind.supplier, record))

    def expand_again(self, changed: Mapping[str, Sequence[str]], records: Iterable[str]) -> None:
        self._repeat_inputs(records)
        for name, copies in changed.items():
            node = self.nodes[name]
            self.made[name] = self._rewritten(node, self._binding({}))
            for copy in copies:
                self.made[copy] = self._copy(copy, node, self._binding(self.names.under[copy]))
        self._expand_pending()

    def _expand_pending(self) -> None:
        left = MOST_COPIES + len(self.nodes) - len(self.made)
        while self.pending:
            name, (original, binding) = self.pending.popitem()
            node = self.nodes[original]
            if left < 0 or len(name) > MOST_NAME:
                message = f"The copies of formulas that `with` asks for are more than {MOST_COPIES} or nest too deep"
                help_ = "Make formulas of the values that the `with`s give."
                self.scope.find("too-large", message, node.declaration.span, help=help_)
                break
            self.made[name] = self._copy(name, node, binding)
            left -= 1

    def _binding(self, bounds: Mapping[str, Bound]) -> InputBinding:
        return self.bindings.setdefault(frozenset(bounds.items()), InputBinding(bounds))

    def _rewritten(self, node: Node, binding: InputBinding) -> Node:
        expression, guard = self._changed(node.expression, binding), self._changed(node.guard, binding)
        if expression is node.expression and guard is node.guard:
            return node
        return changed_node(node, expression=expression, guard=guard)

    def _changed(self, part: e.Expression | None, binding: InputBinding) -> e.Expression | None:
        return None if part is None else self._visit(part, binding)

    def _copy(self, name: str, node: Node, binding: InputBinding) -> Node:
        whole, kind = node.type, node.kind
        if isinstance(whole, Quantity) and not binding.is_whole:
            whole = Quantity(whole.dimension)
        expression, guard = self._changed(node.expression, binding), self._changed(node.guard, binding)
        if kind == "input":
            kind = "formula"
            expression = e.Conditional(e.Reference(node.name), e.Given(node.name), expression or e.Reference(node.name))
        else:
            kind = "formula" if kind == "check" else kind  # what a copy says, its reader says
            expression, guard = self._guarded(expression, guard, whole, binding)
        return changed_node(
            node,
            name=name,
            kind=kind,
            type=whole,
            expression=expression,
            guard=guard,
            original=node.name,
            binding=name.removeprefix(f"{node.name}@"),
        )

    def _guarded(
        self, expression: e.Expression | None, guard: e.Expression | None, type_: Type, binding: InputBinding
    ) -> tuple[e.Expression | None, e.Expression | None]:
        """The expression and guard of a copy for a row that need not be there: it is computed only where the row is."""
        if binding not in self.flags:
            read = (
                self.nodes.get(reference)
                for bound in binding.bounds.values()
                for reference in e.references(bound.value)
            )
            flags = dict.fromkeys(node.cell.beside(FILLED, node.record) for node in read if node and node.cell)
            self.flags[binding] = tuple(each for each in flags if each in self.nodes)
        for flag in self.flags[binding]:
            filled = e.Reference(flag, FILLED)
            if isinstance(type_, Quantity):
                guard = filled if guard is None else e.Logical("and", filled, guard)
            elif expression is not None:
                expression = e.Conditional(expression, filled, nothing(type_))
        return expression, guard

    def _visit(self, x: e.Expression, binding: InputBinding) -> e.Expression:
        if isinstance(x, e.Reference):
            return self._reference(x, binding)
        if isinstance(x, e.Given):
            return self._given(x, binding.bounds[x.node].value) if x.node in binding.bounds else x
        if isinstance(x, e.With):
            inner = dict(binding.bounds)
            for each in x.bindings:
                inner.update(self._bound(each, binding))
            result = self._visit(x.value, self._binding(inner))
            return replace(result, written=expression_text(x)) if isinstance(result, e.Reference) else result
        return e.rebuild(x, lambda part: self._visit(part, binding))

    def _given(self, x: e.Given, value: e.Expression) -> e.Expression:
        """Whether the record that now supplies an input gives it; any other value is given by its author."""
        if isinstance(value, e.Reference) and value.node in self.made and self.made[value.node].record:
            record = self.nodes.get(self.made[value.node].record)
            given = e.Given(value.node, span=x.span)
            return given if record is None else given_with_fallback(given, record, x.node)
        return e.FlagValue(value=True, span=x.span)

    def _bound(self, situation: e.Binding | e.Situation, outer: InputBinding) -> Iterator[tuple[str, Bound]]:
        if isinstance(situation, e.Situation):
            label = situation.label or self._row_label(situation)
            for part in situation.bindings:
                is_own = self._visit(part.value, outer) == self._visit(part.value, self._binding({}))
                for key, bound in self._bound(part, outer):
                    said = bound.value, bound.label
                    yield key, self.names.bound(*said, whole=bound.whole, situation=label) if is_own else bound
            return
        (key,) = situation.name.path
        value = self._visit(situation.value, outer)
        if key in self.nodes:
            bound = self.names.bound(value, self._label(key, value), whole=self._is_whole(value))
            yield key, bound
            if key in self.scope.totals:
                yield self.scope.totals[key], bound
            return
        if isinstance(value, e.Reference):
            group = dict(self._record_inputs(key, value.node))
            yield from group.items()

    def _row_label(self, row: e.Situation) -> str:
        """`table.row`, of the cells that the row's inputs are bound to."""
        (cell, *_) = (self.nodes[name].cell for part in row.bindings for name in e.references(part.value))
        return f"{cell.table}.{cell.row}" if cell else ""

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
        return f"{key}={expression_text(plain(value))}"

    def _record_inputs(self, supplier: str, record: str) -> Iterator[tuple[str, Bound]]:
        """The inputs of another record, `draft_model.heads` for `heads`, and of those that it brings along."""
        kinds = (supplier, *brought_by(supplier, self.scope.kinds))
        supplied = [node for node in map(self.nodes.__getitem__, self.inputs) if node.supplier in kinds]
        label = f"{supplier}={record}"
        group = {node.name: self.names.bound(e.Reference(f"{record}.{node.name}"), label) for node in supplied}
        for node in supplied:
            name = f"{record}.{node.name}"
            if name not in self.made:
                self.made[name] = node
                copy = self._rewritten(node, self._binding(group))
                if node.supplier != supplier:
                    copy = self._brought(copy, record, node.supplier)
                else:
                    copy = with_fallback(copy, self.nodes[record], node.name)
                self.made[name] = changed_node(copy, name=name, record=record, optional=True)
        yield from group.items()

    def _brought(self, node: Node, record: str, kind: str) -> Node:
        """An input of a record that the other one may bring along: if it brings none, what holds anyway.

        One without a default is left as it is; whoever gives values gives the same to both.
        """
        named = f"{record}.{kind}"
        if named not in self.made:
            self.made[named] = _record_node(named, record, kind, self.nodes[record])
        if node.expression is None:
            return node
        return changed_node(node, expression=e.Conditional(node.expression, e.Given(named), e.Reference(node.name)))

    def _reference(self, x: e.Reference, binding: InputBinding) -> e.Expression:
        if x.node not in binding.links:
            binding.links[x.node] = self._link(x.node, binding)
        value = binding.links[x.node]
        if isinstance(value, e.Reference):
            return e.Reference(value.node, x.written, span=value.span)
        return x if value is None else value

    def _link(self, node: str, outer: InputBinding) -> e.Expression | None:
        """What stands for a node where these inputs are replaced; None where it does not depend on them."""
        if node in outer.bounds:
            return outer.bounds[node].value
        relevant = self.needed[node] & outer.inputs if outer.bounds else frozenset[str]()
        if not relevant:
            return None
        binding = outer.parts.get(relevant)
        if binding is None:
            binding = outer.parts[relevant] = self._binding({key: outer.bounds[key] for key in relevant})
        name = self.names.name(node, binding)
        if name not in self.made:
            self.pending[name] = node, binding
        return e.Reference(name)


def _record_node(name: str, record: str, kind: str, naming: Node) -> Node:
    """The input that is a record which another one names: `draft_model.format`."""
    notes = Notes(f"The {kind} of `{record}`, if it is another one than it names itself")
    declared = d.InputDeclaration(name=kind, type=e.TypeText((kind,)), optional=True, notes=notes)
    declared = replace(declared, span=naming.declaration.span)
    return Node(name, "input", Record(kind), NO_UNIT, None, declared, record=record, key=kind, optional=True)
