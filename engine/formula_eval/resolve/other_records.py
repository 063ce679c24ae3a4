"""Makes an input declared as a record, `= its kind`, fall back to the record in use where the user names none."""

import re
from collections.abc import Collection, Iterator

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.notes import Notes
from formula_eval.core.type import Record, Type
from formula_eval.core.unit import NO_UNIT
from formula_eval.resolve.scope import Scope

_RENAME = "Give it another name."


def is_same_unless_said(declared: d.Declaration, type_: Type) -> bool:
    """Whether this is `input rollout_hardware: hardware = hardware`."""
    if not isinstance(declared, d.InputDeclaration) or not isinstance(type_, Record):
        return False
    return declared.default == e.Name((type_.supplier,))


def record_input(scope: Scope, node: Node) -> Node:
    """The input as one that may be absent, with the record that its default names; a finding if that cannot be one."""
    declared = node.declaration
    if not isinstance(declared, d.InputDeclaration) or not isinstance(node.type, Record) or declared.default is None:
        return node
    if is_same_unless_said(declared, node.type):
        return changed_node(node, optional=True)
    kind, written = node.type.supplier, declared.default
    if not isinstance(written, e.Name) or scope.lookup(written.path, node.namespace) is not None:
        message = f"`{declared.name}` is a record, and its default is one by its id, or the one in use"
        help_ = f"Write an id as `formula-eval list {kind}` shows it, `= {kind}` for the one in use, or `optional`."
        scope.find("no-record", message, written.span, help=help_)
        return changed_node(node, optional=True)
    return changed_node(node, optional=True, fixed=".".join(written.path))


def is_id(value: e.Expression | None) -> bool:
    """Whether this can only be the id of a record, since no name has such a sign in it."""
    return isinstance(value, e.Name) and "-" in value.path[0]


def refuse_id(scope: Scope, name: str, value: e.Expression) -> None:
    """Find the id of a record where none is wanted: most often a difference without its spaces."""
    help_ = "A difference has spaces around its sign; only a record's id is written so."
    scope.find("no-record", f"`{name}` takes no record", value.span, help=help_)


def literal_name(kind: str, record: str) -> str:
    """The name of the input that stands for a record which a `with` names itself: `ioniq_6_77_car`."""
    return f"{re.sub(r'[^a-z0-9]+', '_', record.lower()).strip('_')}_{kind}"


def literal_records(scope: Scope, known: Collection[tuple[str, str]]) -> Iterator[Node]:
    """An input for each record that a `with` names itself, but for those that are known."""
    for (kind, record), span in scope.literals.items():
        if (kind, record) in known:
            continue
        name = literal_name(kind, record)
        if name in scope.symbols:
            message = f"`{name}` is declared, and stands for the {kind} `{record}` of a `with`"
            scope.find("declared-twice", message, span, (scope.symbols[name].declaration.span, "here"), help=_RENAME)
        notes = Notes(f"The {kind} `{record}`, unless another one is said")
        declared = d.InputDeclaration(name=name, type=e.TypeText((kind,)), optional=True, notes=notes, span=span)
        yield Node(name, "input", Record(kind), NO_UNIT, None, declared, key=name, optional=True, fixed=record)


def with_fallback(copy: Node, record: Node, outside: str) -> Node:
    """An input of the other record; what the record in use says where there is no other one."""
    if not is_same_unless_said(record.declaration, record.type):
        return copy
    same = e.Reference(outside)
    said = e.Given(record.name)
    return changed_node(copy, expression=e.Conditional(copy.expression, said, same) if copy.expression else same)


def given_with_fallback(given: e.Given, record: Node, outside: str) -> e.Expression:
    """Whether the other record gives an input, or the record in use where there is no other one."""
    if not is_same_unless_said(record.declaration, record.type):
        return given
    same = e.Logical("and", e.Not(e.Given(record.name)), e.Given(outside))
    return e.Logical("or", given, same, span=given.span)
