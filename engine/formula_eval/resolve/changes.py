"""Applies what chapters extend and replace to declarations: a term becomes a formula that its target reads."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.change import Change, library_name
from formula_eval.core.declaration import ORIGINAL
from formula_eval.core.namespace import NOTE, qualified
from formula_eval.core.notes import Notes
from formula_eval.core.type import Quantity
from formula_eval.resolve.change_order import applied_to, in_effect
from formula_eval.resolve.change_targets import target_of
from formula_eval.resolve.change_ways import WAYS, Way
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.typecheck.declared_types import type_of

MOST_TERMS = 50


class WrittenChange(NamedTuple):
    """A change and the folder of the chapter that it stands in."""

    namespace: str
    declaration: d.ChangeDeclaration


def apply_changes(scope: Scope, written: Sequence[WrittenChange]) -> None:
    """Replace the declarations that are changed by what they are now, in the order of the libraries."""
    targets = [(change, target_of(scope, change.declaration, change.namespace)) for change in written]
    terms = Counter(name for (_, declared), name in targets if name and isinstance(declared, d.ExtensionDeclaration))
    too_many = {name for name, count in terms.items() if count > MOST_TERMS}
    for name in too_many:
        message = f"`{name}` is extended {terms[name]} times"
        last = next(change.declaration.span for change, target in reversed(targets) if target == name)
        scope.find("too-large", message, last, help="Sum the terms in a formula of your own, and extend by that one.")
    for (namespace, declared), name in targets:
        if not name or name in too_many:
            continue
        symbol = scope.symbols[name]
        if isinstance(declared, d.AddedRowsDeclaration):
            _add_rows(scope, symbol, declared, namespace)
            continue
        onto = applied_to(scope, symbol, declared)
        if onto is not None and isinstance(declared, d.ReplacementDeclaration):
            _replace(scope, symbol, declared, namespace, onto)
        elif onto is not None and isinstance(declared, d.ExtensionDeclaration):
            if isinstance(symbol.declaration, d.FunctionDeclaration):
                _extend_function(scope, symbol, symbol.declaration, declared, namespace)
            else:
                _extend(scope, symbol, declared, namespace, onto)


def _replace(
    scope: Scope, symbol: Symbol, declared: d.ReplacementDeclaration, namespace: str, onto: tuple[str, ...]
) -> None:
    before = symbol.declaration
    assert isinstance(before, d.FormulaDeclaration)  # noqa: S101 - for the type checker
    author = library_name(declared.span.file)
    if declared.originals:
        _keep_original(scope, symbol, before, declared)
    else:
        for each in in_effect(scope, symbol.name):
            scope.symbols.pop(qualified(each.node, NOTE), None)
    notes = declared.notes
    instead = f"Replaced by {author}: what stood here is in {before.span.place}"
    notes = replace(
        notes,
        sentence=notes.sentence or before.notes.sentence,
        symbol=notes.symbol or before.notes.symbol,
        remarks=(*notes.remarks, instead),
    )
    now = replace(before, type=_anywhere(scope, symbol), expression=declared.expression, notes=notes)
    scope.symbols[symbol.name] = Symbol(symbol.name, namespace, replace(now, span=declared.span))
    change = _record(scope, Change(symbol.name, symbol.name, declared, namespace, before, onto))
    _say(scope, change, e.FlagValue(value=False))


def _keep_original(
    scope: Scope, symbol: Symbol, before: d.FormulaDeclaration, declared: d.ReplacementDeclaration
) -> None:
    """Give what is replaced a name of its own, which `original` means; a replacement that it was stays one there."""
    node = _set_aside(scope, symbol, before, ORIGINAL, f"before {library_name(declared.span.file)} replaces it")
    scope.originals.update((original.span, node) for original in declared.originals)
    scope.symbols.pop(qualified(symbol.name, NOTE), None)
    changes = [
        replace(change, node=node) if change.node == symbol.name else change for change in scope.changes.values()
    ]
    scope.changes.clear()
    scope.changes.update((change.node, change) for change in changes)
    if node in scope.changes:
        _say(scope, scope.changes[node], e.FlagValue(value=False))


def _set_aside(scope: Scope, symbol: Symbol, before: d.FormulaDeclaration, word: str, when: str) -> str:
    """The name under which a formula is computed as it is before a change."""
    node = _free(scope, f"{symbol.name}.{word}")
    sign = f"{{{before.notes.symbol}}}_{{\\mathrm{{{word}}}}}" if before.notes.symbol else ""
    notes = replace(before.notes, sentence=f"{before.notes.sentence}, as it is {when}", symbol=sign, examples=())
    own = node.removeprefix(f"{symbol.name}.")
    scope.symbols[node] = Symbol(node, symbol.namespace, replace(before, name=own, notes=notes))
    if symbol.name in scope.plain:
        scope.plain[node] = scope.plain[symbol.name]
    return node


def _anywhere(scope: Scope, symbol: Symbol) -> e.TypeText | None:
    """The type of a formula as any folder can name it: a choice by its qualified name."""
    type_: e.TypeText | None = getattr(symbol.declaration, "type", None)
    choice = scope.choice(type_.alternatives[0], symbol.namespace) if type_ and len(type_.alternatives) == 1 else None
    return replace(type_, alternatives=(choice.name,)) if type_ and choice is not None else type_


def _extend_function(
    scope: Scope,
    symbol: Symbol,
    before: d.FunctionDeclaration,
    declared: d.ExtensionDeclaration,
    namespace: str,
) -> None:
    """Make a function of the term, with the same parameters, and let the one that is extended call it."""
    way = WAYS[declared.operator]
    node = _free(scope, f"{symbol.name}.{way.slug}_{_slug(namespace, declared.span.file)}")
    own = node.removeprefix(f"{symbol.name}.")
    notes = replace(declared.notes, symbol=declared.notes.symbol or way.symbol(before.notes.symbol, own))
    added = replace(before, name=own, expression=_term(declared, way), notes=notes, span=declared.span)
    scope.symbols[node] = Symbol(node, namespace, added)
    call = e.Call(node, tuple(e.Name((parameter.name,)) for parameter in before.parameters), span=declared.span)
    _record(scope, Change(symbol.name, node, declared, namespace, before))
    scope.symbols[symbol.name] = symbol._replace(
        declaration=replace(before, expression=way.applied(before.expression, call))
    )


def _term(declared: d.ExtensionDeclaration, way: Way) -> e.Expression:
    """What is added, where its condition holds."""
    if declared.condition is None:
        return declared.term
    span = declared.term.span.to(declared.condition.span)
    return e.Conditional(declared.term, declared.condition, way.neutral, span=span)


def _extend(
    scope: Scope, symbol: Symbol, declared: d.ExtensionDeclaration, namespace: str, onto: tuple[str, ...]
) -> None:
    target = _total(scope, symbol) if isinstance(symbol.declaration, d.InputDeclaration) else symbol
    before = target.declaration
    assert isinstance(before, d.FormulaDeclaration)  # noqa: S101 - for the type checker
    way = WAYS[declared.operator]
    node = _free(scope, f"{symbol.name}.{way.slug}_{_slug(namespace, declared.span.file)}")
    own = node.removeprefix(f"{symbol.name}.")
    symbol_of_term = declared.notes.symbol or way.symbol(symbol.declaration.notes.symbol, own)
    type_ = None if declared.operator == "*" else before.type
    notes = replace(declared.notes, symbol=symbol_of_term)
    added = d.FormulaDeclaration(name=own, type=type_, expression=_term(declared, way), notes=notes, span=declared.span)
    scope.symbols[node] = Symbol(node, namespace, added)
    more = e.Name(tuple(node.split(".")), span=declared.span)
    total, unfelt = way.applied(before.expression, more), way.is_unfelt(more)
    if way.is_limit:
        without = _set_aside(scope, target, before, "unlimited", f"before {library_name(declared.span.file)} limits it")
        scope.originals[declared.span] = without
        plain = e.Name(tuple(without.split(".")), span=declared.span)
        total, unfelt = way.applied(plain, more), way.keeps(plain, more)
    change = _record(scope, Change(symbol.name, node, declared, namespace, symbol.declaration, onto))
    told = () if change.is_own else (f"{change.text[3].upper()}{change.text[4:]}",)
    notes = replace(before.notes, remarks=(*before.notes.remarks, *told))
    scope.symbols[target.name] = target._replace(declaration=replace(before, expression=total, notes=notes))
    if target is not symbol:
        scope.plain[node] = symbol.name
    if not change.is_own:
        _say(scope, change, unfelt)


def _total(scope: Scope, symbol: Symbol) -> Symbol:
    """The formula that all read instead of an extended input."""
    name = scope.totals.get(symbol.name, "")
    if name:
        return scope.symbols[name]
    declared = symbol.declaration
    assert isinstance(declared, d.InputDeclaration)  # noqa: S101 - for the type checker
    name = _free(scope, f"{symbol.name}.extended")
    notes = declared.notes
    sign = f"{{{notes.symbol}}}^{{+}}" if notes.symbol else ""
    total = d.FormulaDeclaration(
        name="extended",
        type=declared.type,
        expression=e.Name(tuple(symbol.name.split(".")), span=declared.span),
        notes=Notes(f"{notes.sentence}, with what libraries add", sign, derived="the input and its extensions"),
        span=declared.span,
    )
    scope.totals[symbol.name] = name
    scope.plain[name] = symbol.name
    scope.symbols[name] = Symbol(name, symbol.namespace, total)
    return scope.symbols[name]


def _add_rows(scope: Scope, symbol: Symbol, declared: d.AddedRowsDeclaration, namespace: str) -> None:
    table = symbol.table
    rows = tuple(replace(row, namespace=namespace) for row in declared.rows)
    scope.symbols[symbol.name] = symbol._replace(declaration=replace(table, rows=(*table.rows, *rows)))
    for row in rows:
        change = Change(symbol.name, f"{symbol.name}.{row.name}", declared, namespace, symbol.written or table)
        if not change.is_own:
            _say(scope, _record(scope, change), _row_is_empty(scope, symbol, table, row), row.notes.sentence)


def _row_is_empty(scope: Scope, symbol: Symbol, table: d.TableDeclaration, row: d.RowDeclaration) -> e.Expression:
    """Whether a row counts for nothing: the first number that it states is 0."""
    for column in table.columns:
        type_, _ = type_of(column.type, scope.silent(), symbol.homes[column.name].of_type)
        if column.name in dict(row.cells) and isinstance(type_, Quantity):
            cell = e.Name((*symbol.name.split("."), row.name, column.name), span=row.span)
            return e.Compare("==", cell, e.Number("0"))
    return e.FlagValue(value=False)


def _record(scope: Scope, change: Change) -> Change:
    scope.changes[change.node] = change
    return change


def _say(scope: Scope, change: Change, unfelt: e.Expression, sentence: str = "") -> None:
    """A check that fails, and so speaks, wherever the change is felt; it stands at the node that brings it."""
    sentence = sentence or change.declaration.notes.sentence
    message = f"{change.target} {change.text}{f': {sentence}' if sentence else ''}."
    check = d.CheckDeclaration(
        name=NOTE,
        level="note",
        condition=unfelt,
        message=(message,),
        notes=Notes(message),
        change=change.told,
        span=change.declaration.span,
    )
    name = qualified(change.node, NOTE)
    scope.symbols[name] = Symbol(name, change.node, check)


def _slug(namespace: str, file: str) -> str:
    """Who extends, as a part of a name: the folder, or the library of a chapter that lies in the root."""
    stem = namespace or library_name(file) or file.rpartition("/")[2].partition(".")[0]
    return re.sub(r"\W+", "_", stem.lower()).strip("_") or "extension"


def _free(scope: Scope, name: str) -> str:
    number = 1
    while (found := name if number == 1 else f"{name}_{number}") in scope.symbols:
        number += 1
    return found
