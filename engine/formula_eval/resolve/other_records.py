"""Makes an input declared as a record, `= its kind`, fall back to the record in use where the user names none."""

import re
from collections.abc import Collection, Iterator

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.type import Record, Type
from formula_eval.core.unit import NO_UNIT
from formula_eval.resolve.scope import Scope

_RENAME = "Give it another name."


def is_same_unless_said(declared: d.Declaration, type_: Type) -> bool:
    """Whether this is `input rollout_hardware: hardware = hardware`."""
    return isinstance(declared, d.InputDeclaration) and declared.default is not None and isinstance(type_, Record)


def record_input(scope: Scope, node: Node) -> Node:
    """The input as one that may be absent; a finding where its default is anything but the kind itself."""
    declared = node.declaration
    if not isinstance(declared, d.InputDeclaration) or not isinstance(node.type, Record) or declared.default is None:
        return node
    kind = node.type.supplier
    if declared.default != e.Name((kind,)):
        message = f"`{declared.name}` is a record, and a record has no default but the one in use"
        help_ = f"Write `= {kind}` for the one that `--{kind}` names, or `optional`."
        scope.find("no-record", message, declared.default.span, help=help_)
    return changed_node(node, optional=True)


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
        notes = d.Notes(f"The {kind} `{record}`, unless another one is said")
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
