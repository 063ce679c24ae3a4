"""Replaces the names of a chapter's `use` by their full names wherever the chapter's statements read them."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.namespace import around, qualified
from formula_eval.core.notes import Example, Notes
from formula_eval.core.span import Span
from formula_eval.resolve.scope import Scope

Full = Mapping[str, tuple[str, ...]]


def spelled_out(chapter: d.Chapter) -> d.Chapter:
    """The chapter with whole names; one that is so already stays as it is."""
    full = {name: (*use.name.split("."), name) for use in chapter.uses for name in use.names}
    if not full:
        return chapter
    return replace(chapter, declarations=tuple(_changed(declaration, full) for declaration in chapter.declarations))


def _changed(part: Any, full: Full) -> Any:  # noqa: ANN401, C901, PLR0911 - whatever a statement holds, one case for each
    match part:
        case e.Name(path) if path[0] in full:
            return replace(part, path=(*full[path[0]], *path[1:]))
        case e.Call(function=function) if function in full:
            call = replace(part, function=".".join(full[function]))
            return e.rebuild(call, lambda inner: _changed(inner, full))
        case e.NamedPiece(type=e.TypeText() as type_) if (whole := _changed(type_, full)) is not type_:
            return replace(_changed(replace(part, type=None), full), type=whole)
        case e.Expression():
            return e.rebuild(part, lambda inner: _changed(inner, full))
        case e.TypeText(alternatives=(text,)):
            return replace(part, alternatives=(".".join(full[text]),)) if text in full else part
        case Example(givens=givens, situations=situations):
            given = tuple((_whole(name, full), value) for name, value in givens)
            whole = replace(part, givens=given, situations=tuple(_whole(situation, full) for situation in situations))
            return part if whole == part else whole
        case Span():
            return part
        case tuple():
            parts = tuple(_changed(each, full) for each in part)
            return part if all(new is old for new, old in zip(parts, part, strict=True)) else parts
    if not is_dataclass(part) or isinstance(part, type):
        return part
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    changed = {name: new for name, value in values.items() if (new := _changed(value, full)) is not value}
    if isinstance(part, d.ChangeDeclaration) and _whole(part.name, full) != part.name:
        changed["name"] = _whole(part.name, full)
    return replace(part, **changed) if changed else part


def _whole(name: str, full: Full) -> str:
    first, *rest = name.split(".")
    return ".".join((*full.get(first, (first,)), *rest))


def check_uses(scope: Scope, chapter: d.Chapter) -> None:
    """Find names of a `use` that are nothing, or that mean something else in the chapter."""
    if not chapter.uses:
        return
    own = {name for declared in chapter.declarations for name in _names_inside(declared)}
    words = {word for choice in scope.choices.values() for word in choice.values}
    for use in chapter.uses:
        for name in use.names:
            _check_name(scope, chapter, use, name)
            if name in own or name in words:
                what = "a column, a parameter or a row of this chapter" if name in own else "a word of a choice"
                message = f"`{name}` of `{use.name}` has the same name as {what}"
                help_ = f"Leave it out here, and write `{use.name}.{name}`."
                scope.find("hidden-name", message, use.span, help=help_)


def _check_name(scope: Scope, chapter: d.Chapter, use: d.UseDeclaration, name: str) -> None:
    path = (*use.name.split("."), name)
    whole = ".".join(path)
    found, here = scope.lookup(path, chapter.namespace), scope.lookup((name,), chapter.namespace)
    is_known = (found is not None and not found[1]) or scope.choice(whole, chapter.namespace) is not None
    if not is_known and not scope.is_broken(path, chapter.namespace):
        inside = [each.rpartition(".")[2] for each in scope.inside(use.name)]
        help_ = scope.nearest(name, inside) or "Name what stands in that folder: `use folder.(name, other)`."
        scope.find("unknown-name", f"Nothing is named `{whole}`", use.span, help=help_)
        scope.broken.add(whole)
    elif here is not None:
        message = f"`{name}` already means `{here[0].name}` in this chapter"
        label = (here[0].declaration.span, "declared here")
        scope.find("hidden-name", message, use.span, label, help="Leave it out.")


def _names_inside(declared: d.Declaration) -> Iterator[str]:
    """What a statement names for itself alone: parameters, columns, pieces, rows of its comprehensions."""
    yield from d.local_names(declared)
    if isinstance(declared, d.TableDeclaration):
        yield from (name for column in declared.columns for name in (column.name, *d.local_names(column)))
    yield from (part.row for part in _parts(declared) if isinstance(part, e.Comprehension))


def _parts(part: object) -> Iterator[e.Expression]:
    if isinstance(part, e.Expression):
        yield from e.walk(part)
    elif isinstance(part, tuple) and not isinstance(part, Span):
        for each in part:
            yield from _parts(each)
    elif isinstance(part, Notes):
        yield from _parts(part.interval)
    elif is_dataclass(part) and not isinstance(part, type):
        for field in fields(part):
            yield from _parts(getattr(part, field.name))


def unread_names(chapter: d.Chapter) -> Iterator[tuple[d.UseDeclaration, str]]:
    """The names of its `use` that no statement of a chapter reads; those that it reads are spelled out in it."""
    read = {".".join(path) for declared in chapter.declarations for path in _paths(declared)}
    starts = {start for name in read for start in around(name)}
    for use in chapter.uses:
        yield from ((use, name) for name in use.names if qualified(use.name, name) not in starts)


def _paths(declared: d.Declaration) -> Iterator[tuple[str, ...]]:
    yield from (expression.path for expression in _parts(declared) if isinstance(expression, e.Name))
    yield from (
        tuple(expression.function.split(".")) for expression in _parts(declared) if isinstance(expression, e.Call)
    )
    yield from ((name,) for example in declared.notes.examples for name in example.situations)
    parts = (declared, *getattr(declared, "columns", ()), *getattr(declared, "parameters", ()))
    for part in parts:
        if isinstance(getattr(part, "type", None), e.TypeText):
            yield from ((text,) for text in part.type.alternatives)
