"""Finds the inputs, functions and choices of a resolved library that nothing uses."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.core.namespace import qualified
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import row_names
from formula_eval.resolve.use import spelled_out, unread_names

_ROWS = 'Add `row name "sentence"` with its cells beneath, or remove it.'


def unused(resolved: Resolved, chapters: Sequence[d.Chapter], looked_at: Iterable[d.Chapter]) -> Iterator[Diagnostic]:
    """Find what could be removed from those looked at and nobody would notice; inputs only where there is a graph."""
    called, typed = _used(resolved.scope, chapters)
    graph = resolved.graph
    read = set().union(*graph.parents.values()) if graph else set()
    nodes = "\n".join(("", *graph.nodes)) if graph else ""  # one text, in which a name is found in no time
    tables = {name: symbol for name, symbol in resolved.scope.symbols.items() if symbol.homes}
    shapes = {name for name, table in tables.items() if not row_names(table.declaration)}  # type: ignore[arg-type]
    liked = {name for table in tables.values() for name in table.like}
    for chapter in looked_at:
        for use, short in unread_names(spelled_out(chapter)):
            yield _unused(use, f"Nothing in this chapter reads `{short}`")
        for declared in chapter.declarations:
            name = qualified(chapter.namespace, declared.name)
            if isinstance(declared, d.FunctionDeclaration) and name not in called:
                yield _unused(declared, f"Nothing calls `{name}`")
            elif isinstance(declared, d.ChoiceDeclaration) and name not in typed:
                yield _unused(declared, f"Nothing is of the choice `{name}`")
            elif isinstance(declared, d.SituationDeclaration) and graph and name not in called:
                yield _unused(declared, f"Nothing is computed with the {declared.kind} `{name}`")
            elif isinstance(declared, d.InputDeclaration) and graph and name not in read and f"\n{name}." not in nodes:
                yield _unused(declared, f"Nothing reads the input `{name}`")
            elif isinstance(declared, d.TableDeclaration) and name in shapes - liked and not declared.rows_of:
                yield Diagnostic("unused", f"No table is like `{name}`", (Label(declared.span),), _ROWS)
            elif isinstance(declared, d.TableDeclaration) and declared.supplier and graph:
                yield from _unread_columns(name, declared, read)


def _unused(declared: d.Declaration, message: str) -> Diagnostic:
    return Diagnostic("unused", message, (Label(declared.span),), "Use it, or remove it.")


def _unread_columns(name: str, table: d.TableDeclaration, read: Collection[str]) -> Iterator[Diagnostic]:
    for column in table.columns:
        if not any(f"{name}.{row}.{column.name}" in read for row in row_names(table)):
            yield _unused(column, f"Nothing reads the column `{name}.{column.name}`")


def _used(scope: Scope, chapters: Sequence[d.Chapter]) -> tuple[set[str], set[str]]:
    """The functions, situations and parts that something is computed with, and the choices of something."""
    parts = (name for name, symbol in scope.symbols.items() if isinstance(symbol.declaration, d.PartDeclaration))
    called = {name for name in parts if scope.inside(name) or name in scope.broken}
    typed: set[str] = set()
    for chapter in chapters:
        for declared in chapter.declarations:
            if isinstance(declared, d.TableDeclaration) and declared.loops and not declared.indices:
                over = scope.choice(declared.loops[0].variable, chapter.namespace)
                typed.update([over.name] if over is not None else [])
            for type_ in _types(declared):
                choice = scope.choice(type_.alternatives[0], chapter.namespace)
                if choice is not None:
                    typed.add(choice.name)
            for expression in d.expressions_of(declared):
                called.update(_calls(expression, scope, chapter.namespace))
            for written in (situation for example in declared.notes.examples for situation in example.situations):
                found = scope.lookup(tuple(written.split(".")), chapter.namespace)
                called.update([found[0].name] if found is not None else [])
    return called, typed


def _calls(expression: e.Expression, scope: Scope, namespace: str) -> Iterator[str]:
    for x in e.walk(expression):
        if isinstance(x, e.Call | e.Situation):
            path = tuple(x.function.split(".")) if isinstance(x, e.Call) else x.name.path
            found = scope.lookup(path, namespace)
            if found is not None:
                yield found[0].name


def _types(declared: d.Declaration) -> Iterator[e.TypeText]:
    parts: tuple[d.Declaration, ...] = (declared,)
    if isinstance(declared, d.FunctionDeclaration):
        parts += declared.parameters
    elif isinstance(declared, d.TableDeclaration):
        parts += declared.columns
    for part in parts:
        type_ = getattr(part, "type", None)
        if isinstance(type_, e.TypeText):
            yield type_
