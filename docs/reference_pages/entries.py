"""Cross-references the chapters of a library: every declaration with what it reads and what reads it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.namespace import around
from formula_eval.export.paper.plain_symbol import is_plain

PREVIOUS = "previous"


@dataclass(frozen=True)
class Entry:
    """A declaration by its full name; the columns and rows of a table have entries of their own, `inside` it."""

    name: str
    namespace: str
    declaration: d.Declaration
    inside: tuple["Entry", ...] = ()

    @property
    def kind(self) -> str:
        """`formula`, `input`, `table` and so on."""
        return self.declaration.kind

    @property
    def unit(self) -> str:
        """The unit or words of its type, as written."""
        declared = getattr(self.declaration, "type", None)
        return " | ".join(declared.alternatives) if declared else ""

    @property
    def symbol(self) -> str:
        """Its LaTeX symbol, if it has one."""
        symbol = self.declaration.notes.symbol
        return symbol if is_plain(symbol) else ""


@dataclass(frozen=True)
class ChapterPage:
    """A chapter: its place in the reference (`params/totals`), its sentence, its entries as written."""

    path: str  # folders and file, without its ending
    title: str  # the name of the file in words
    namespace: str  # of its names, empty at the root
    file: str  # as messages name it
    sentence: str
    entries: tuple[Entry, ...]


class CrossReference:
    """All chapters, and who reads whom; an end of an interval is found at the formula that states it, its owner."""

    def __init__(self, chapters: Sequence[d.Chapter]) -> None:
        """Of these chapters."""
        self.pages = [_page(each) for each in sorted(chapters, key=lambda each: (each.namespace, each.file))]
        self.entries = {each.name: each for page in self.pages for each in _all(page.entries)}
        self.page_of = {each.name: page for page in self.pages for each in _all(page.entries)}
        self.owners = {end: each for each in self.entries.values() for end in _ends(each)}

    @cached_property
    def reads(self) -> Mapping[str, tuple[str, ...]]:
        """The entries that each entry names, in its own order."""
        return {name: tuple(self._read(each)) for name, each in self.entries.items()}

    @cached_property
    def read_by(self) -> Mapping[str, tuple[str, ...]]:
        """The entries that name each entry; a column or row counts as its table."""
        found: dict[str, dict[str, None]] = {name: {} for name in self.entries}
        for reader, names in self.reads.items():
            for name in names:
                found[name][reader] = None
        return {name: tuple(each) for name, each in found.items()}

    def find(self, written: str, entry: Entry) -> Entry | None:
        """The entry that a name means where this one uses it: in its table, its folder or those around it."""
        own = self._table_of(entry) if written != entry.declaration.name else entry.namespace
        for space in dict.fromkeys((own, *around(entry.namespace))):
            full = f"{space}.{written}" if space else written
            while full:
                if found := self.entries.get(full) or self.owners.get(full):
                    return found
                full = full.rpartition(".")[0] if "." in written else ""
                if full == space:
                    break
        return None

    def names_in(self, expression: e.Expression, rows_of: d.RowsOf | None = None) -> Iterator[str]:
        """The names that an expression reads, as written; a row word reads as its table."""
        rows = {rows_of.row: ".".join(rows_of.table.path)} if rows_of else {}
        loops = (each for each in e.walk(expression) if isinstance(each, e.Comprehension))
        rows |= {each.row: ".".join(each.table.path) for each in loops}
        for each in e.walk(expression):
            match each:
                case e.Name((row, column)) if row in rows:
                    yield f"{rows[row]}.{column}"
                case e.Name((before, column)) if before == PREVIOUS:
                    yield column
                case e.Lookup(table=table, column=column):
                    yield f"{'.'.join(table.path)}.{column}"
                case e.Name(path):
                    yield ".".join(path)
                case e.Call(function=function):
                    yield function

    def _table_of(self, entry: Entry) -> str:
        return entry.name.rpartition(".")[0] if entry.kind in ("column", "row") else ""

    def _read(self, entry: Entry) -> Iterator[str]:
        own = d.local_names(entry.declaration)
        table = self.entries.get(self._table_of(entry), entry).declaration
        other = table.rows_of if isinstance(table, d.TableDeclaration) else None
        names = (name for each in expressions(entry.declaration) for name in self.names_in(each, other))
        words = {name for each in expressions(entry.declaration) for name in _words(each)}
        for name in dict.fromkeys(names):
            found = self.find(name, entry) if name not in own and name not in words else None
            if found is not None and found is not entry:
                yield found.name


def expressions(declaration: d.Declaration) -> list[e.Expression]:
    """The expressions that a declaration computes with, in order; those of a table's parts are theirs."""
    if isinstance(declaration, d.TableDeclaration):
        return list(d.expressions_of((declaration.like, declaration.loops, declaration.rows_of)))
    return list(d.expressions_of(declaration))


def _words(expression: e.Expression) -> Iterator[str]:
    """Words of a choice, which are not quantities."""
    for each in e.walk(expression):
        if isinstance(each, e.Arm):
            yield from (".".join(pattern.path) for pattern in each.patterns if isinstance(pattern, e.Name))


def _page(chapter: d.Chapter) -> ChapterPage:
    stem = chapter.file.rpartition("/")[2].removesuffix(".formula")
    path = "/".join((*chapter.namespace.split("."), stem)) if chapter.namespace else stem
    title = " ".join(chapter.docstring.split())
    entries = tuple(_entry(each, chapter.namespace) for each in chapter.declarations)
    return ChapterPage(path, stem.replace("_", " "), chapter.namespace, chapter.file, title, entries)


def _entry(declaration: d.Declaration, namespace: str) -> Entry:
    name = f"{namespace}.{declaration.name}" if namespace else declaration.name
    if isinstance(declaration, d.ChangeDeclaration):
        return Entry(f"change:{declaration.span.place}", namespace, declaration)
    if isinstance(declaration, d.ChoiceDeclaration):
        return Entry(f"choice:{name}", namespace, declaration)  # an input may bear the same name
    if isinstance(declaration, d.RecordDeclaration):
        return Entry(f"record:{declaration.name}", namespace, declaration)
    if not isinstance(declaration, d.TableDeclaration):
        return Entry(name, namespace, declaration)
    parts = (*declaration.columns, *declaration.rows)
    return Entry(name, namespace, declaration, tuple(Entry(f"{name}.{each.name}", namespace, each) for each in parts))


def _ends(entry: Entry) -> Iterator[str]:
    """The full names of the ends of its interval."""
    for each in d.ends_of(entry.declaration):
        yield f"{entry.namespace}.{each.name}" if entry.namespace else each.name


def _all(entries: Iterable[Entry]) -> Iterator[Entry]:
    for each in entries:
        yield each
        yield from each.inside
