"""Completes what stands before the cursor: names, units, words of a choice, words of the language."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_letters, digits
from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.builtins import BUILTINS, OVER_ROWS, SEARCHES
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.namespace import around, qualified
from formula_eval.core.record_kind import kind_called
from formula_eval.language.keywords import note_words, statement_words
from formula_eval.lsp.snapshot import Snapshot
from formula_eval.lsp.statement_tokens import StatementTokens, statement_at
from formula_eval.records.record_files import all_records
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import columns_of, row_names

_TYPES = ("flag", "whole", "date")
_LETTERS = f"{ascii_letters}{digits}_-"
_LIBRARY, _OURS = 1, 2
_NUMBER = re.compile(r"(?<![\w.])\d[\d_.]*(?:[eE][+-]?\d+)? +[A-Za-z/*]*$")
_COMPOUND = re.compile(r"(?<![\w.])\d[\d_.]* +[A-Za-z]+(?:[*/][A-Za-z]+)*[*/][A-Za-z]*$")
_TYPE = re.compile(r"^(?:\s*|input +|def .*[(,] *)\w+: *[A-Za-z0-9_/*| ]*$")
_PATH = re.compile(r"((?:\w+\.)+)\w*$")
_CHOSEN = re.compile(r"((?:\w+\.)*\w+) *(?:==|!=|=) *[\w.-]*$")
_INDENTED = re.compile(r"^ +\w*$")
_FOLDER = re.compile(r"^(?:part +\w+ *= *|use +)[\w.]*$")
_USED = re.compile(r"^use +([\w.]+)\.\((?:.*, *)?\w*$")
_PART = re.compile(r"^part +\w+ *= *([\w.]+) +with\b")
_LEVEL = re.compile(r"^check +\w+ +\w*$")
# Where no other sorts of declarations can stand, and which these are.
_SORTS: Sequence[tuple[re.Pattern[str], tuple[type[d.Declaration], ...]]] = (
    (re.compile(r"\bfor +\w+ +in +[\w.]*$"), (d.TableDeclaration,)),
    (re.compile(r"^extend +[\w.]*$"), (d.FormulaDeclaration, d.InputDeclaration, d.TableDeclaration)),
    (re.compile(r"^replace +[\w.]*$"), (d.FormulaDeclaration,)),
    (re.compile(r"^situation +\w+ *: *(?:.*, *)?[\w.]*$"), (d.InputDeclaration,)),
    (
        re.compile(r"\bwith +(?:[^()]*, *)?[\w.]*$"),
        (d.InputDeclaration, d.SituationDeclaration, d.PartDeclaration),
    ),
)


class Offer(NamedTuple):
    """A word, what sort of thing it is, a few words about it, and how far away it is declared: 0 is the same folder."""

    word: str
    kind: str
    about: str = ""
    distance: int = 0


def offers(snapshot: Snapshot, file: str, text: str, line: int, column: int) -> list[Offer]:
    """What could stand at a place, counted from 1, with what is typed in it; what is declared nearest comes first."""
    lines = text.split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    chapter = snapshot.by_file.get(file)
    namespace = chapter.namespace if chapter is not None else ""
    statement = statement_at(text, line) or StatementTokens(0, ())
    typed = before[len(before.rstrip(_LETTERS)) :].lower()
    found = {
        offer.word: offer for offer in _offers(snapshot, namespace, statement, before) if typed in offer.word.lower()
    }
    return sorted(found.values(), key=lambda offer: (offer.distance, not offer.word.lower().startswith(typed)))


def _offers(  # noqa: C901, PLR0911, PLR0912 - one case for each place
    snapshot: Snapshot, namespace: str, statement: StatementTokens, before: str
) -> Iterator[Offer] | list[Offer]:
    is_check = statement.kind == "check"
    if before.count('"') % 2 and not (is_check and before.rfind("{") > before.rfind("}")):
        return []
    if re.fullmatch(r"\w*", before):
        return [Offer(word, "keyword") for word in statement_words()]
    if _NUMBER.search(before) or _COMPOUND.search(before):
        return _units(snapshot)
    if _LEVEL.search(before):
        return [Offer(level, "keyword") for level in d.LEVELS]
    if _FOLDER.search(before):
        return [Offer(each, "folder") for each in sorted(snapshot.scope.namespaces - {""})]
    if used := _USED.search(before):
        return _members(snapshot, namespace, statement, tuple(used[1].split(".")))
    if re.search(r"\bfrom +\w*$", before):
        return [Offer(kind, "keyword", "records") for kind in snapshot.scope.kinds]
    if re.search(r"^ +source +\w*$", before):
        return [Offer(key, "source", str(entry.get("title", ""))) for key, entry in snapshot.library.citations.items()]
    if _TYPE.search(before) and not is_check:
        return [*_units(snapshot), *_choices(snapshot, namespace), *(Offer(each, "keyword") for each in _TYPES)]
    if path := _PATH.search(before):
        return _members(snapshot, namespace, statement, tuple(path[1][:-1].split(".")))
    if _INDENTED.search(before):
        return _line_starts(snapshot, namespace, statement, before)
    if (chosen := _CHOSEN.search(before)) and (words := _words(snapshot, namespace, chosen[1])):
        return words
    if re.match(r" +example\b(?!.*->)", before):
        return _givens(snapshot, namespace, statement)
    if sorts := next((sorts for place, sorts in _SORTS if place.search(before)), None):
        part = _PART.search(before)
        return _declared(snapshot, part[1] if part else namespace, sorts)
    return _names(snapshot, namespace, statement)


def _units(snapshot: Snapshot) -> list[Offer]:
    return [
        Offer(name, "unit", "count" if unit.is_count else str(unit.dimension))
        for name, unit in snapshot.library.units.units.items()
    ]


def _choices(snapshot: Snapshot, namespace: str) -> Iterator[Offer]:
    for name, choice in snapshot.scope.choices.items():
        if name.rpartition(".")[0] in around(namespace):
            yield Offer(name.rpartition(".")[2], "choice", " | ".join(choice.values))


def _words(snapshot: Snapshot, namespace: str, name: str) -> list[Offer]:
    """The words of the choice that an input or formula is of, or of a choice itself; the records of a kind."""
    kind = kind_called(name, snapshot.scope.kinds)
    if kind is not None:
        try:
            return [Offer(record.id, "record", name) for record in all_records(snapshot.library, kind)]
        except FormulaError:
            return []
    found = snapshot.scope.lookup(tuple(name.split(".")), namespace)
    if found is None:
        return _words_of_type(snapshot, namespace, (name,))
    type_ = getattr(found[0].declaration, "type", None)
    return _words_of_type(snapshot, found[0].namespace, type_.alternatives) if isinstance(type_, e.TypeText) else []


def _words_of_type(snapshot: Snapshot, namespace: str, alternatives: tuple[str, ...]) -> list[Offer]:
    """The words of a type as a folder writes it."""
    if len(alternatives) > 1:
        return [Offer(alternative, "word") for alternative in alternatives]
    choice = snapshot.scope.choice(alternatives[0], namespace)
    if choice is not None:
        return [Offer(value, "word", choice.name) for value in choice.values]
    return [Offer(each, "word") for each in ("true", "false")] if alternatives == ("flag",) else []


def _line_starts(snapshot: Snapshot, namespace: str, statement: StatementTokens, before: str) -> Iterator[Offer]:
    """What an indented line begins with: a note, and in a table a row or the cells of one."""
    words = [token.text for token in statement.tokens]
    if "match" in words and words.index("match") + 1 < len(words):
        yield from _words(snapshot, namespace, words[words.index("match") + 1])
    yield from (Offer(word, "keyword", "note") for word in note_words())
    if statement.kind in ("", "def", "table"):
        yield Offer("where", "keyword", "a piece of the formula above")
    if statement.kind == "table":
        yield Offer("row", "keyword")
        if len(before) > 4:  # noqa: PLR2004 - deeper than columns and rows
            yield from (Offer(column, "column") for column in statement.columns)


def _members(snapshot: Snapshot, namespace: str, statement: StatementTokens, path: tuple[str, ...]) -> Iterator[Offer]:
    """What a dotted name can go on with: the names of a folder, the rows of a table, the columns of a row."""
    for loop in statement.loops:
        table = snapshot.scope.lookup(statement.tokens[loop.table].parts, namespace)
        if path == (statement.tokens[loop.row].text,) and table is not None:
            yield from _columns(table[0])
            return
    if path == (d.PREVIOUS,):
        yield from (Offer(column, "column") for column in statement.columns)
        return
    found = snapshot.scope.lookup(path, namespace)
    if found is not None and isinstance(found[0].declaration, d.TableDeclaration):
        symbol, rest = found
        names = row_names(found[0].declaration)
        yield from _columns(symbol) if rest else (Offer(each, "row", symbol.name) for each in names)
        return
    folder = snapshot.scope.folder_of_part(path, namespace) or ".".join(path)
    for space in around(namespace):
        inside = f"{qualified(space, folder)}."
        for name, symbol in snapshot.scope.symbols.items():
            if name.startswith(inside):
                first, more, _ = name[len(inside) :].partition(".")
                yield Offer(first, "folder" if more else "name", "" if more else symbol.declaration.notes.sentence)


def _columns(symbol: Symbol) -> Iterator[Offer]:
    if isinstance(symbol.declaration, d.TableDeclaration):
        for name, column in columns_of(symbol).items():
            yield Offer(name, "column", column.notes.sentence)


def _givens(snapshot: Snapshot, namespace: str, statement: StatementTokens) -> Iterator[Offer]:
    yield from (Offer(parameter, "parameter") for parameter in statement.parameters)
    yield from (Offer(kind, "record") for kind in snapshot.scope.kinds)
    yield from _declared(snapshot, namespace, (d.InputDeclaration, d.FormulaDeclaration))


def _declared(snapshot: Snapshot, namespace: str, sorts: tuple[type[d.Declaration], ...]) -> Iterator[Offer]:
    """What is declared of these sorts, as a folder spells it."""
    for name, symbol in snapshot.scope.symbols.items():
        if isinstance(symbol.declaration, sorts):
            yield _symbol(snapshot, namespace, name, symbol)


def _names(snapshot: Snapshot, namespace: str, statement: StatementTokens) -> Iterator[Offer]:
    """All names that an expression may begin with here."""
    yield from (Offer(parameter, "parameter") for parameter in (*statement.parameters, *statement.columns))
    yield from (Offer(statement.tokens[loop.row].text, "parameter") for loop in statement.loops)
    if statement.kind == "replace":
        yield Offer(d.ORIGINAL, "formula", "The formula that is replaced")
    if statement.name is not None:
        name = statement.tokens[statement.name].text
        yield from (word for word in _words(snapshot, namespace, name) if word.kind == "word")
    yield from _declared(snapshot, namespace, (d.Declaration,))
    yield from (Offer(builtin, "function", BUILTINS[builtin].written, _OURS) for builtin in BUILTINS)
    yield from (Offer(each, "keyword", written, _OURS) for each, written in SEARCHES.items())
    over_rows = (over_row for over_row in OVER_ROWS if over_row not in BUILTINS)
    yield from (Offer(over_row, "function", f"{over_row}(x for row in table)", _OURS) for over_row in over_rows)


def _symbol(snapshot: Snapshot, namespace: str, name: str, symbol: Symbol) -> Offer:
    """A declared name as it is spelled here, and whether this folder, this library or ours declares it."""
    declared, near = symbol.declaration, symbol.namespace in around(namespace)
    library = _OURS if snapshot.library.is_ours(declared.span.file) else _LIBRARY
    distance = 0 if symbol.namespace == namespace else library
    return Offer(declared.name if near else name, declared.kind, declared.notes.sentence, distance)
