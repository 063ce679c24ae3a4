"""Resolves a word where it stands, to a formula, an input, a column, a unit; finds all places that mean the same."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from formula_eval.core import declaration as d
from formula_eval.core.builtins import BUILTINS, OVER_ROWS
from formula_eval.core.span import NOWHERE, Span
from formula_eval.lsp.snapshot import Snapshot
from formula_eval.lsp.statement_tokens import WITH_ROWS, LoopTokens, StatementTokens, statement_at, statements
from formula_eval.lsp.tokens import Token
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import columns_of

Kind = Literal[
    "symbol", "choice", "word", "column", "row", "parameter", "loop", "folder", "builtin", "unit", "source", "keyword"
]


@dataclass(frozen=True, slots=True)
class Target:
    """What a word means: one name for all its places, and where it is declared."""

    kind: Kind  # the sort of thing, such as `symbol` or `unit`
    name: str
    word: str
    span: Span = NOWHERE  # of the declared name; `NOWHERE` if it has none
    declaration: d.Declaration | None = None  # its statement or part of one; None if undeclared
    symbol: str = ""  # the formula, input or table; empty for others


@dataclass(frozen=True, slots=True)
class SymbolPlace:
    """A word of a statement of a file."""

    file: str
    namespace: str
    statement: StatementTokens
    number: int

    def span(self, part: int | None = None) -> Span:
        """Where the word, or one part of it, stands."""
        token = self.statement.tokens[self.number]
        line = token.line + self.statement.lines_before
        column = token.column if part is None else token.columns[part]
        length = len(token.text if part is None else token.parts[part])
        return Span(self.file, line, column, line, column + length)


Word = tuple[Target, Span]  # what a word means, and where it, or the part of it that means this, stands


def word_at(snapshot: Snapshot, file: str, text: str, line: int, column: int) -> Word | None:
    """What stands at a place of a text, counted from 1."""
    statement = statement_at(text, line)
    number = statement.at(line, column) if statement is not None else None
    if statement is None or number is None:
        return None
    chapter = snapshot.by_file.get(file)
    place = SymbolPlace(file, chapter.namespace if chapter else "", statement, number)
    part = statement.tokens[number].part_at(column) or 0
    target = next(iter(targets(snapshot, place)[part:]), None)
    return None if target is None else (target, place.span(part))


def targets(snapshot: Snapshot, place: SymbolPlace) -> list[Target | None]:
    """What each part of a word means, as far as it means anything."""
    token = place.statement.tokens[place.number]
    if not token.parts:
        return []
    if token.kind == "name" or token.text == d.ORIGINAL:
        return _named(snapshot, place)
    return [_alone(snapshot, token, place.namespace)]


def _alone(snapshot: Snapshot, token: Token, namespace: str) -> Target | None:
    """What a word means whose sort is plain from where it stands."""
    match token.kind:
        case "keyword":
            return Target("keyword", token.text, token.text)
        case "key":
            return Target("source", token.text, token.text)
        case "word":
            return _word(snapshot, token.text)
        case "type":
            return _choice(snapshot, token.text, namespace) or _unit(snapshot, token.text)
        case "unit":
            return _unit(snapshot, token.text)
    return None


def _unit(snapshot: Snapshot, text: str) -> Target | None:
    if text not in snapshot.library.units.units:
        return None
    declared = snapshot.units.get(text)
    return Target("unit", text, text, name_span(declared) if declared is not None else NOWHERE, declared)


def _choice(snapshot: Snapshot, text: str, namespace: str) -> Target | None:
    choice = snapshot.scope.choice(text, namespace)
    declared = snapshot.choices.get(choice.name) if choice is not None else None
    if declared is None or choice is None:
        return None
    return Target("choice", choice.name, declared.name, name_span(declared), declared)


def _word(snapshot: Snapshot, text: str) -> Target | None:
    found = [name for name, choice in snapshot.scope.choices.items() if text in choice.values]
    if not found:
        return None
    declared = snapshot.choices.get(found[0])
    return Target("word", f"{found[0]}:{text}", text, declared.span if declared else NOWHERE, declared)


def _named(snapshot: Snapshot, place: SymbolPlace) -> list[Target | None]:
    statement, number = place.statement, place.number
    path = statement.tokens[number].parts
    if number == statement.name and statement.kind == "unit":
        return [_unit(snapshot, path[0])]
    if number == statement.name and statement.kind == "choice":
        return [_choice(snapshot, path[0], place.namespace)]
    if statement.kind == "choice":
        return [_word(snapshot, path[0])]
    if local := _local(snapshot, place, path):
        return local
    prefix = _used(snapshot, place, path)
    is_word = len(path) == 1 and place.span() in snapshot.words if _may_be_word(snapshot, path) else False
    found = None if is_word else snapshot.scope.lookup((*prefix, *path), _seen_from(snapshot, place))
    if found is None:
        return [_word(snapshot, path[0]) or _builtin(path[0])] if len(path) == 1 else [_folder(snapshot, path)]
    symbol, rest = found
    at = len(path) - len(rest) - 1
    before = [_folder_or_part(snapshot, path[: n + 1], place.namespace) for n in range(at)]
    original = snapshot.scope.original(symbol)
    return [*before, replace(_symbol(original), symbol=symbol.name), *_cells(original, rest)]


def _seen_from(snapshot: Snapshot, place: SymbolPlace) -> str:
    """The folder whose names go first: for what a part gives, that of the part."""
    tokens, number = place.statement.tokens, place.number
    if place.statement.kind != "part" or number == place.statement.name:
        return place.namespace
    before = tokens[number - 1]
    is_given = before.text in ("with", ",") or before.line < tokens[number].line
    folder = snapshot.scope.folder_of_part(tokens[place.statement.name or 0].parts, place.namespace)
    return folder if is_given and folder else place.namespace


def _folder_or_part(snapshot: Snapshot, path: tuple[str, ...], namespace: str) -> Target:
    found = snapshot.scope.lookup(path, namespace)
    is_part = bool(snapshot.scope.folder_of_part(path, namespace))
    return _symbol(found[0]) if found is not None and is_part else Target("folder", ".".join(path), path[-1])


def _used(snapshot: Snapshot, place: SymbolPlace, path: tuple[str, ...]) -> tuple[str, ...]:
    """The folder of a name that a `use` lets stand alone."""
    statement = place.statement
    if statement.kind == "use" and statement.name is not None and place.number > statement.name:
        return statement.tokens[statement.name].parts
    chapter = snapshot.by_file.get(place.file)
    uses = chapter.uses if chapter is not None and statement.kind != "use" else ()
    return next((tuple(use.name.split(".")) for use in uses if path[0] in use.names), ())


def _may_be_word(snapshot: Snapshot, path: tuple[str, ...]) -> bool:
    return len(path) == 1 and any(path[0] in choice.values for choice in snapshot.scope.choices.values())


def _builtin(word: str) -> Target | None:
    return Target("builtin", word, word) if word in BUILTINS or word in OVER_ROWS else None


def _folder(snapshot: Snapshot, path: tuple[str, ...]) -> Target | None:
    name = ".".join(path)
    return Target("folder", name, path[-1]) if name in snapshot.scope.namespaces else None


def _symbol(symbol: Symbol) -> Target:
    declared = symbol.declaration
    return Target("symbol", symbol.name, declared.name, name_span(declared), declared, symbol.name)


def _cells(symbol: Symbol, rest: tuple[str, ...]) -> Iterator[Target | None]:
    """The row and the column behind the name of a table."""
    if not isinstance(symbol.declaration, d.TableDeclaration):
        return
    rows = {row.name: row for row in symbol.declaration.rows}
    for number, part in enumerate(rest):
        yield (
            _inner(symbol, "column", columns_of(symbol).get(part)) if number else _inner(symbol, "row", rows.get(part))
        )


def _inner(symbol: Symbol, kind: Kind, declared: d.Declaration | None) -> Target | None:
    if declared is None:
        return None
    span = name_span(declared)
    return Target(kind, f"{kind} {span}", declared.name, span, declared, symbol.name)


def _local(snapshot: Snapshot, place: SymbolPlace, path: tuple[str, ...]) -> list[Target | None]:
    """What only this statement names: its loop variables, parameters, rows and columns, and what it replaces."""
    statement, number = place.statement, place.number
    if loop := _loop(statement, path[0], number):
        row = SymbolPlace(place.file, place.namespace, statement, loop.row).span()
        table = snapshot.scope.lookup(statement.tokens[loop.table].parts, place.namespace)
        inner = (
            [_inner(table[0], "column", columns_of(table[0]).get(path[1]))]
            if table and len(path) > 1 and not (table[1] or not isinstance(table[0].declaration, d.TableDeclaration))
            else []
        )
        return [Target("loop", f"loop {row}", path[0], row), *inner]
    if statement.kind == "replace" and (node := snapshot.scope.originals.get(place.span())):
        return [Target("symbol", node, d.ORIGINAL, NOWHERE, snapshot.scope.symbols[node].declaration, node)]
    if path[0] in statement.parameters:
        span = SymbolPlace(place.file, place.namespace, statement, statement.parameters[path[0]]).span()
        return [Target("parameter", f"parameter {span}", path[0], span)]
    if statement.kind in WITH_ROWS and statement.name is not None and number != statement.name:
        return _own(snapshot, place, path)
    return []


def _own(snapshot: Snapshot, place: SymbolPlace, path: tuple[str, ...]) -> list[Target | None]:
    """A column or a row of the table that is being written."""
    statement, number = place.statement, place.number
    own = snapshot.scope.lookup(statement.tokens[statement.name or 0].parts, place.namespace)
    if own is None or not isinstance(own[0].declaration, d.TableDeclaration) or len(path) > 1:
        return []
    if number in statement.rows.values():
        rows = {row.name: row for row in own[0].declaration.rows}
        return [_inner(own[0], "row", rows.get(path[0]))]
    column = columns_of(own[0]).get(path[0])
    if column is None or (place.number not in statement.cells and _is_own_default(statement, number, path[0])):
        return []
    return [_inner(own[0], "column", column)]


def _is_own_default(statement: StatementTokens, number: int, word: str) -> bool:
    """Whether a column's own name stands in its default, where it means what bears that name outside."""
    begins = statement.columns.get(word)
    return begins is not None and number != begins and statement.tokens[number].line == statement.tokens[begins].line


def _loop(statement: StatementTokens, word: str, number: int) -> LoopTokens | None:
    """The innermost loop around a word whose variable bears its name."""
    around = [
        loop
        for loop in statement.loops
        if loop.begin <= number <= loop.end and statement.tokens[loop.row].text == word and number != loop.table
    ]
    return min(around, key=lambda tokens: tokens.end - tokens.begin, default=None)


def name_span(declared: d.Declaration) -> Span:
    """The name itself within the head of a declaration, which ends with it."""
    span = declared.span
    return Span(span.file, span.end_line, span.end_column - len(declared.name), span.end_line, span.end_column)


def occurrences(snapshot: Snapshot, target: Target) -> Iterator[Span]:
    """The places of this name, its declaration among them; of a dotted name the one part that means it."""
    for chapter in snapshot.chapters:
        text = snapshot.text(chapter.file)
        if target.word not in text:
            continue
        for statement in statements(text):
            for number, token in enumerate(statement.tokens):
                if target.word not in token.parts:
                    continue
                place = SymbolPlace(chapter.file, chapter.namespace, statement, number)
                for part, found in enumerate(targets(snapshot, place)):
                    if found is not None and (found.kind, found.name) == (target.kind, target.name):
                        yield place.span(part)
